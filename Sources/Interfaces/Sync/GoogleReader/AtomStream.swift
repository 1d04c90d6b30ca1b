import NewsHTTP
import NewsCore
import NewsFormats
import NewsText
import NewsToolbox

/// `/reader/atom/STREAM`: a stream as Atom, which newsboat before 2.24 reads. States are categories.
struct AtomStream: GoogleReaderEndpoint {
  /// Maximum number of items in one answer; large, because newsboat reads a feed in one request.
  private static let largestPage = 100_000

  let streams: SyncStreams

  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply {
    let page = try await StreamPage(call, streams, largest: Self.largestPage)
    var head = ByteBuffer()
    head.append(
      literal: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\""
    )
    head.append(literal: " xmlns:gr=\"http://www.google.com/schemas/reader/atom/\">\n")
    head.element("id", "tag:google.com,2005:reader/" + page.name)
    head.element("title", page.title)
    head.element("updated", Timestamp(seconds: page.updated).rfc3339)
    if let next = page.next { head.element("gr:continuation", String(next.rawValue)) }
    let streams = streams
    let site = call.request.site
    let numbers = ItemNumbers(call.app)
    let body = ItemListBody(
      streams.store,
      page.ids,
      begin: head.withBytes { Array($0) },
      end: Array("</feed>\n".utf8)
    ) { items in items.map { Self.entry($0, streams, site, numbers) } }
    return SyncReply.stream(type: "application/atom+xml; charset=utf-8", body)
  }

  private static func entry(
    _ stream: StreamItem,
    _ streams: SyncStreams,
    _ site: WebSite,
    _ numbers: ItemNumbers
  ) -> [UInt8] {
    let item = stream.item
    var entry = ByteBuffer(capacity: 4096)
    entry.append(literal: "<entry>\n")
    entry.element("id", ItemIdentifier.long(numbers.number(item.id)))
    entry.element("title", item.shownTitle)
    entry.element("published", Timestamp(seconds: ItemMarkup.published(item)).rfc3339)
    entry.element("updated", Timestamp(seconds: ItemMarkup.updated(item)).rfc3339)
    entry.append(literal: "<link rel=\"alternate\" type=\"text/html\"")
    entry.attribute("href", ItemMarkup.link(item, site))
    entry.append(literal: "/>\n")
    for enclosure in item.enclosures {
      entry.append(literal: "<link rel=\"enclosure\"")
      entry.attribute("href", enclosure.url)
      entry.attribute("type", enclosure.mimeType)
      entry.attribute("length", enclosure.size.map { String($0) })
      entry.append(literal: "/>\n")
    }
    let author = ItemMarkup.author(item)
    if !author.isEmpty {
      entry.append(literal: "<author>\n")
      entry.element("name", author)
      entry.append(literal: "</author>\n")
    }
    append("reading-list", StreamName.readingList, to: &entry)
    if item.isRead { append("read", StreamName.read, to: &entry) }
    if item.isStarred { append("starred", StreamName.starred, to: &entry) }
    let folder = stream.feed?.folder.map(streams.shown)
    for label in (folder.map { [$0] } ?? []) + stream.labels {
      append(label, StreamName.label(named: label), to: &entry)
    }
    entry.element("content", ItemMarkup.html(item), attributes: " type=\"html\"")
    entry.append(literal: "<source>\n")
    entry.element("id", "tag:google.com,2005:reader/" + StreamName.feed(item.feedID))
    entry.element("title", item.feedTitle)
    entry.append(literal: "</source>\n</entry>\n")
    return entry.withBytes { Array($0) }
  }

  private static func append(_ label: String, _ term: String, to entry: inout ByteBuffer) {
    entry.append(literal: "<category scheme=\"http://www.google.com/reader/\"")
    entry.attribute("term", term)
    entry.attribute("label", label)
    entry.append(literal: "/>\n")
  }
}
