/// Which elements of a feed hold nothing but a short text.
enum FieldNames {
  private static let short = NameTable(
    [
      "title", "link", "guid", "pubdate", "updated", "published", "modified", "issued", "created", "id",
      "category",
      "comments", "language", "lastbuilddate", "generator", "ttl", "copyright", "rights", "dc:date",
      "dc:creator",
      "dc:subject", "managingeditor", "webmaster", "docs", "url", "width", "height",
    ].map { ($0, 1) }
  )
  private static let field = NameTable(
    [
      "title", "link", "guid", "pubdate", "updated", "published", "modified", "issued", "created", "id",
      "category",
      "comments", "language", "lastbuilddate", "generator", "ttl", "copyright", "rights", "dc:date",
      "dc:creator",
      "dc:subject", "managingeditor", "webmaster", "docs", "url", "width", "height", "description",
      "content:encoded", "content", "summary", "author", "enclosure", "source", "image", "subtitle", "item",
      "entry",
    ].map { ($0, 1) }
  )

  private static let attribute = NameTable(
    [
      "href", "url", "rel", "type", "length", "title", "term", "label", "scheme", "domain", "ispermalink",
      "version",
      "src", "mode", "text", "uri", "hreflang", "xml:base", "xml:lang", "rdf:about", "rdf:resource", "medium",
      "width",
      "height", "duration",
    ].map { ($0, 1) }
  )

  /// True for names that mean something under the prefix that is usual for them: those are never too many.
  static func isKnown(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = name.baseAddress else { return false }
    guard let colon = ByteText.firstIndex(of: 0x3A, in: name) else {
      return ElementTable.shared.element(.core, start, name.count) != .unknown
    }
    let prefix = String(decoding: name[..<colon], as: UTF8.self)
    guard let vocabulary = NamespaceTable.vocabulary(prefix: prefix) else { return false }
    let element = ElementTable.shared.element(vocabulary, start + colon + 1, name.count - colon - 1)
    return element != .unknown && element != .foreign
  }

  static func isKnownAttribute(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress.map { attribute.value($0, name.count) != 0 } ?? false
  }

  static func isShort(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress.map { short.value($0, name.count) != 0 } ?? false
  }

  static func isField(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress.map { field.value($0, name.count) != 0 } ?? false
  }
}
