import NewsCore
import NewsText
import NewsToolbox

/// Encodes items as an Atom feed (RFC 4287).
struct AtomEncoder: RecordEncoding {
  let document: OutputDocument
  private var hasHead = false

  init(document: OutputDocument) {
    self.document = document
  }

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    // Items usually come newest first. The first one dates the feed, so that the output changes only with its
    // content.
    if !hasHead { appendHead(updated: Self.updated(item), to: &buffer) }
    buffer.append(literal: "<entry")
    buffer.attribute("xml:lang", ProtocolText.language(item.language))
    buffer.append(literal: ">\n")
    buffer.element("id", StableID.iri(of: item))
    buffer.element("title", item.title)
    if let published = item.published { buffer.element("published", published.rfc3339) }
    buffer.element("updated", Self.updated(item).rfc3339)
    if let url = item.url { link("alternate", url, to: &buffer) }
    if let url = item.commentsURL { link("replies", url, type: "text/html", to: &buffer) }
    for enclosure in item.enclosures {
      link(
        "enclosure",
        enclosure.url,
        type: ProtocolText.mimeType(enclosure.mimeType),
        length: enclosure.size,
        title: enclosure.title,
        to: &buffer
      )
    }
    appendAuthors(item, to: &buffer)
    for tag in item.tags where !tag.isEmpty {
      buffer.append(literal: "<category")
      buffer.attribute("term", tag)
      buffer.append(literal: "/>\n")
    }
    if let summary = item.summary, !summary.isEmpty { buffer.element("summary", summary) }
    if let html = item.contentHTML {
      buffer.element("content", html, attributes: " type=\"html\"")
    } else if !item.contentText.isEmpty || item.url == nil {
      // An entry without an alternate link must have content (section 4.1.2).
      buffer.element("content", item.contentText)
    }
    buffer.append(literal: "<source>\n")
    buffer.element("id", ProtocolText.url(item.feedURL))
    buffer.element("title", item.feedTitle)
    link("self", item.feedURL, to: &buffer)
    buffer.append(literal: "</source>\n</entry>\n")
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    if !hasHead { appendHead(updated: document.time, to: &buffer) }
    buffer.append(literal: "</feed>\n")
  }

  private mutating func appendHead(updated: Timestamp, to buffer: inout ByteBuffer) {
    hasHead = true
    buffer.append(literal: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    buffer.append(literal: "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n")
    buffer.element("id", StableID("newsd " + document.identity).urn)
    buffer.element("title", document.title)
    buffer.element("updated", updated.rfc3339)
    buffer.append(literal: "<generator>newsd</generator>\n")
  }

  /// Every entry needs an author (RFC 4287 section 4.1.2): use the feed's name if the item names none.
  private func appendAuthors(_ item: NewsItem, to buffer: inout ByteBuffer) {
    let named = item.authors.filter { !$0.displayName.isEmpty }
    let authors =
      named.isEmpty ? [Author(name: item.feedTitle.isEmpty ? item.feedURL : item.feedTitle)] : named
    for author in authors {
      buffer.append(literal: "<author>\n")
      buffer.element("name", author.displayName)
      if let url = author.url { buffer.element("uri", ProtocolText.url(url)) }
      if let email = author.email, Self.isAddress(email) { buffer.element("email", email) }
      buffer.append(literal: "</author>\n")
    }
  }

  private func link(
    _ relation: String,
    _ url: String,
    type: String? = nil,
    length: Int64? = nil,
    title: String? = nil,
    to buffer: inout ByteBuffer
  ) {
    buffer.append(literal: "<link")
    buffer.attribute("rel", relation)
    buffer.attribute("href", ProtocolText.url(url))
    buffer.attribute("type", type)
    buffer.attribute("length", length.flatMap { $0 > 0 ? String($0) : nil })
    buffer.attribute("title", title)
    buffer.append(literal: "/>\n")
  }

  /// Matches `.+@.+`, as the schema of RFC 4287 demands, without white space.
  private static func isAddress(_ text: String) -> Bool {
    guard let (user, host) = text.cut(atFirst: "@") else { return false }
    return !user.isEmpty && !host.isEmpty && !text.unicodeScalars.contains { $0.properties.isWhitespace }
  }

  private static func updated(_ item: NewsItem) -> Timestamp {
    item.updated ?? item.published ?? item.sortTime
  }
}
