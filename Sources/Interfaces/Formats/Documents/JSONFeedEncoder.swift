import NewsCore
import NewsText
import NewsToolbox

/// Encodes items as a JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), with the writer for parsed feeds.
struct JSONFeedEncoder: RecordEncoding {
  let document: OutputDocument
  private var writer = JSONWriter()

  init(document: OutputDocument) {
    self.document = document
  }

  mutating func begin(_ buffer: inout ByteBuffer) {
    ParsedFeedJSON.begin(&writer)
    buffer.append(writer.takeBytes())
  }

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    ParsedFeedJSON.write(Self.parsed(item), into: &writer)
    buffer.append(writer.takeBytes())
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    var feed = ParsedFeed(format: "json11")
    feed.title = document.title
    feed.homePageURL = document.homeURL
    feed.generator = Generator(name: "newsd")
    ParsedFeedJSON.end(feed, into: &writer)
    buffer.append(writer.takeBytes())
    buffer.newLine()
  }

  /// Converts a stored item to a parsed one.
  private static func parsed(_ item: NewsItem) -> ParsedItem {
    var parsed = ParsedItem()
    parsed.id = StableID.iri(of: item)
    parsed.url = item.url
    parsed.title = item.title.isEmpty ? nil : item.title
    parsed.contentHTML = item.contentHTML
    // Omit the text if there is HTML, because readers can derive it.
    parsed.contentText = item.contentHTML == nil ? item.contentText : nil
    parsed.summary = item.summary
    parsed.image = item.image
    parsed.extensions = item.media?.extensions
    parsed.itunesDuration = item.media?.duration
    parsed.published = item.published
    parsed.updated = item.updated
    parsed.authors = item.authors
    parsed.tags = item.tags.map { Category(term: $0) }
    parsed.language = item.language
    parsed.enclosures = item.enclosures
    parsed.commentsURL = item.commentsURL
    var source = ItemSource()
    source.title = item.feedTitle
    source.url = item.feedURL
    parsed.source = source
    return parsed
  }
}
