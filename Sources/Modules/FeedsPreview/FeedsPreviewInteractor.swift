public import NewsCore

/// Tries a feed's settings for articles on its newest items. Stores nothing.
public struct FeedsPreviewInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let preview: ArticlePreview

  public init(feeds: any FeedKeeping, preview: ArticlePreview) {
    self.feeds = feeds
    self.preview = preview
  }

  /// Tries at most `limit` items of a feed, which is named by id, URL or title.
  public func respond(
    to request: (feed: String, limit: Int),
    emit: @escaping Emit<RecordList<ArticlePreview.Entry>>
  ) async throws {
    let feed = try await feeds.feed(named: request.feed)
    try emit(.loading(Progress("fetching pages")))
    let entries = try await preview.entries(of: feed.id, limit: request.limit)
    try emit(FeedsPreviewPresenter().present(entries))
  }
}

/// Two lines for each item: its title with the feed's text, and the text from the page.
struct FeedsPreviewPresenter {
  /// Maximum number of characters shown of a text.
  private static let shown = 160

  func present(_ entries: [ArticlePreview.Entry]) -> Container<RecordList<ArticlePreview.Entry>> {
    .ready(RecordList(entries.flatMap(lines), failsIfEmpty: true))
  }

  private func lines(_ entry: ArticlePreview.Entry) -> [RecordLine<ArticlePreview.Entry>] {
    let job = entry.job
    let title = job.title.isEmpty ? job.url : job.title
    let after: String =
      switch entry.outcome {
      case .fetched(_, let text): "after:  \(Self.summary(text))"
      case .unchanged: "after:  unchanged"
      case .refused(let reason): "after:  the feed's text stays: \(reason)"
      }
    return [
      RecordLine(entry, "\(job.itemID.rawValue)  \(title)", note: "before: \(Self.summary(job.feedText))"),
      RecordLine(entry, "    \(after)"),
    ]
  }

  /// The length of a text and its beginning.
  private static func summary(_ text: String) -> String {
    let length = text.unicodeScalars.count
    guard length > 0 else { return "no text" }
    var start = String.UnicodeScalarView()
    start.append(contentsOf: text.unicodeScalars.prefix(shown).map { $0.value < 0x20 ? " " : $0 })
    return "\(length) characters: \(String(start))\(length > shown ? "…" : "")"
  }
}
