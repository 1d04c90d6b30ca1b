import NewsCore
import Synchronization
import Testing

@testable import NewsSyndication

@Suite struct `Lists without repeated elements` {
  /// An element that counts how often it is compared.
  private struct Counted: ListValue {
    final class Count: Sendable {
      let value = Mutex(0)
    }

    let text: String
    let count: Count
    var texts: [String?] { [text] }

    static func == (one: Counted, other: Counted) -> Bool {
      one.count.value.withLock { $0 += 1 }
      return one.text == other.text
    }
  }

  private func parse(_ item: String) throws -> [ParsedItem] {
    let document =
      "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/' xmlns:a='http://www.w3.org/2005/Atom'"
      + " xmlns:podcast='https://podcastindex.org/namespace/1.0'"
      + " xmlns:thr='http://purl.org/syndication/thread/1.0'><channel><title>T</title><item><guid>1</guid>"
      + item + "</item></channel></rss>"
    return try FeedParser().parse(FeedDocument(bytes: Array(document.utf8))).items
  }

  @Test func `An element of a long list is not compared with all others`() {
    let count = Counted.Count()
    var (list, index) = ([Counted](), ListIndex())
    for _ in 0..<2 {
      for number in 0..<500 {
        FeedBuilder.append(Counted(text: "\(number)", count: count), to: &list, &index)
      }
    }
    #expect(list.map(\.text) == (0..<500).map { "\($0)" })
    #expect(count.value.withLock { $0 } <= ListIndex.shortest * ListIndex.shortest)
  }

  @Test func `Texts that only look equal are two elements, and so are texts in other fields`() {
    var (list, index) = ((0..<20).map { Link(href: "\($0)") }, ListIndex())
    for link in [
      Link(href: "\u{E9}"), Link(href: "e\u{301}"), Link(href: "1", rel: "a"), Link(href: "1", type: "a"),
    ] {
      for _ in 0..<2 { FeedBuilder.append(link, to: &list, &index) }
    }
    #expect(list.count == 24)
  }

  @Test(arguments: [
    "<media:credit>#</media:credit>", "<podcast:person>#</podcast:person>", "<thr:in-reply-to ref='#'/>",
    "<podcast:transcript url='http://a.example/#' type='text/vtt'/>",
    "<media:player url='http://a.example/#'/>",
    "<a:contributor>#</a:contributor>", "<author>#</author>",
    "<enclosure url='http://a.example/#' type='audio/mpeg'/>",
  ])
  func `Long lists of documents have each element once, and those of the next item are new`(_ element: String)
    throws
  {
    let elements = (0..<40).map { element.replacing("#", with: "n\($0)") }.joined()
    let items = try parse(elements + elements + "</item><item><guid>2</guid>" + elements)
    #expect(items.count == 2)
    for item in items {
      let extensions = item.extensions ?? ItemExtensions()
      let counts = [
        extensions.credits.count, extensions.persons.count, extensions.inReplyTo.count,
        extensions.transcripts.count, extensions.players.count, item.contributors.count, item.authors.count,
        item.enclosures.count,
      ]
      #expect(counts.max() == 40)
    }
  }

  @Test func `Persons of a long list are merged by name and address`() {
    var (list, index) = ([Author](), PersonIndex())
    for number in 0..<30 { FeedBuilder.add(Author(name: "n\(number)"), to: &list, &index) }
    FeedBuilder.add(Author(name: "n20", email: "e20"), to: &list, &index)
    FeedBuilder.add(Author(url: "u20", email: "e20"), to: &list, &index)
    FeedBuilder.add(Author(email: "e30"), to: &list, &index)
    FeedBuilder.add(Author(name: "n30", email: "e30"), to: &list, &index)
    FeedBuilder.add(Author(name: "n30", url: "u30"), to: &list, &index)
    FeedBuilder.add(Author(name: "other", email: "e20"), to: &list, &index)
    #expect(list.count == 32)
    #expect(list[20] == Author(name: "n20", url: "u20", email: "e20"))
    #expect(list[30] == Author(name: "n30", url: "u30", email: "e30"))
  }
}
