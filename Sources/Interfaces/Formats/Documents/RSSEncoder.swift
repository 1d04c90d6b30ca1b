import NewsCore
import NewsText
import NewsToolbox

/// Encodes items as an RSS 2.0 channel (https://www.rssboard.org/rss-specification).
struct RSSEncoder: RecordEncoding {
  let document: OutputDocument

  mutating func begin(_ buffer: inout ByteBuffer) {
    buffer.append(literal: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    buffer.append(literal: "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel>\n")
    buffer.element("title", document.title)
    buffer.element("link", ProtocolText.url(document.homeURL))
    buffer.element("description", document.title)
    buffer.append(literal: "<generator>newsd</generator>\n")
  }

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    buffer.append(literal: "<item>\n")
    // An item may have a description only; an empty title would be an error.
    if !item.title.isEmpty { buffer.element("title", item.title) }
    if let url = item.url { buffer.element("link", ProtocolText.url(url)) }
    buffer.element("guid", StableID.iri(of: item), attributes: " isPermaLink=\"false\"")
    if let published = item.published { buffer.element("pubDate", ProtocolText.mailDate(published)) }
    for author in item.authors where !author.displayName.isEmpty {
      buffer.element("dc:creator", author.displayName)
    }
    for tag in item.tags where !tag.isEmpty { buffer.element("category", tag) }
    if let url = item.commentsURL { buffer.element("comments", ProtocolText.url(url)) }
    // Readers expect at most one enclosure, with all three attributes.
    if let enclosure = item.enclosures.first {
      buffer.append(literal: "<enclosure")
      buffer.attribute("url", ProtocolText.url(enclosure.url))
      buffer.attribute("length", String(max(enclosure.size ?? 0, 0)))
      buffer.attribute("type", ProtocolText.mimeType(enclosure.mimeType) ?? "application/octet-stream")
      buffer.append(literal: "/>\n")
    }
    if let html = item.contentHTML {
      buffer.element("description", html)
    } else {
      // By convention the element contains HTML, so that plain text is escaped twice.
      var text = ByteBuffer(capacity: item.contentText.utf8.count + 64)
      text.append(html: item.contentText)
      buffer.element("description", text.string())
    }
    buffer.append(literal: "<source")
    buffer.attribute("url", ProtocolText.url(item.feedURL))
    buffer.append(literal: ">")
    buffer.append(xml: item.feedTitle)
    buffer.append(literal: "</source>\n</item>\n")
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    buffer.append(literal: "</channel>\n</rss>\n")
  }
}
