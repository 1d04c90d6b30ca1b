import Testing

@testable import Modules
@testable import NewsCore

@Suite struct `The preview of articles` {
  private func entry(_ outcome: ArticleRecord.Outcome, feedText: String = "An excerpt.")
    -> ArticlePreview.Entry
  {
    let feed = Feed(id: Feed.ID(rawValue: 1), url: "https://a.example/feed", title: "F", position: 1)
    let job = ArticleJob(
      itemID: NewsItem.ID(rawValue: 7),
      feed: feed,
      url: "https://a.example/7",
      title: "A title\u{1B}[31m",
      feedText: feedText
    )
    return ArticlePreview.Entry(job: job, outcome: outcome)
  }

  private func lines(_ outcome: ArticleRecord.Outcome, feedText: String = "An excerpt.") throws -> [String] {
    let container = FeedsPreviewPresenter().present([entry(outcome, feedText: feedText)])
    let content = try #require(container.content)
    return content.lines.flatMap { [$0.text.string, $0.note?.string].compactMap { $0 } }
  }

  @Test func `Each item shows its feed's text and the text that its page gave`() throws {
    let text = String(repeating: "word ", count: 60)
    let shown = try lines(.fetched(html: "", text: text))
    #expect(shown.count == 3)
    #expect(shown[0].hasPrefix("7  A title") && !shown[0].contains("\u{1B}"))
    #expect(shown[1] == "before: 11 characters: An excerpt.")
    #expect(shown[2].hasPrefix("    after:  300 characters: word word") && shown[2].hasSuffix("…"))
  }

  @Test func `The preview shows why a page was refused, and 'no text' if the feed's text is empty`() throws {
    let shown = try lines(.refused(reason: "the page answered 403"), feedText: "")
    #expect(shown[1] == "before: no text")
    #expect(shown[2] == "    after:  the feed's text stays: the page answered 403")
  }
}
