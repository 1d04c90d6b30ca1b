import NewsToolbox

/// Element names that decide where the repairer closes open elements.
enum RepairedElements {
  /// Fields that contain a single value.
  private static let shortNames = [
    "title", "link", "guid", "pubdate", "updated", "published", "modified", "issued", "created", "id",
    "category", "comments", "language", "lastbuilddate", "generator", "ttl", "copyright", "rights",
    "dc:date", "dc:creator", "dc:subject", "managingeditor", "webmaster", "docs", "url", "width", "height",
  ]
  private static let otherNames = [
    "description", "content:encoded", "content", "summary", "author", "enclosure", "source", "image",
    "subtitle", "item", "entry",
  ]
  private static let short = NameTable(shortNames.map { ($0, 1) })
  private static let field = NameTable((shortNames + otherNames).map { ($0, 1) })

  private static let attribute = NameTable(
    [
      "href", "url", "rel", "type", "length", "title", "term", "label", "scheme", "domain", "ispermalink",
      "version", "src", "mode", "text", "uri", "hreflang", "xml:base", "xml:lang", "rdf:about",
      "rdf:resource", "medium", "width", "height", "duration",
    ].map { ($0, 1) }
  )

  /// True for names that have a meaning under their usual prefix. They are kept even if the limit on the
  /// number of names is reached.
  static func isKnown(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = name.baseAddress else { return false }
    guard let colon = ByteText.firstIndex(of: UInt8(ascii: ":"), in: name) else {
      return ElementTable.shared.rule(.core, start, name.count).pointee.kind != .unknown
    }
    let prefix = String(streamSafe: name[..<colon])
    guard let vocabulary = NamespaceTable.vocabulary(prefix: prefix) else { return false }
    let rule = ElementTable.shared.rule(vocabulary, start + colon + 1, name.count - colon - 1)
    return rule.pointee.kind != .unknown && rule.pointee.kind != .foreign
  }

  static func isKnownAttribute(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress.map { attribute.value($0, name.count) != 0 } ?? false
  }

  /// True if an open element `last` must end before an element `next` begins. False if `last` is a text with
  /// markup and `next` may be an HTML element in it.
  static func ends(_ last: UnsafeBufferPointer<UInt8>, before next: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isField(next) else { return false }
    if isShort(last) { return true }
    guard isLeaf(last) else { return false }
    guard let start = last.baseAddress, markup.value(start, last.count) != 0 else { return true }
    return next.baseAddress.map { alsoHTML.value($0, next.count) == 0 } ?? false
  }

  private static let markup = NameTable(
    [
      "description", "content:encoded", "content", "summary", "subtitle", "tagline", "info", "body",
      "xhtml:body", "media:description", "itunes:summary", "dc:description", "atom:content", "atom:summary",
    ].map { ($0, 1) }
  )

  private static let alsoHTML = NameTable(
    ["source", "image", "summary", "content", "author", "url", "width", "height"].map { ($0, 1) }
  )

  private static func isShort(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress.map { short.value($0, name.count) != 0 } ?? false
  }

  /// True for elements that cannot contain items: leaves, and unknown elements with a prefix.
  static func endsBeforeItems(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if isLeaf(name) { return true }
    guard let start = name.baseAddress, ByteText.firstIndex(of: UInt8(ascii: ":"), in: name) != nil else {
      return false
    }
    return structure.value(start, name.count) == 0 && !isKnown(name)
  }

  /// True for known elements that contain no other elements of a feed.
  static func isLeaf(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = name.baseAddress else { return false }
    if isShort(name) { return true }
    guard isKnown(name) else { return false }
    return structure.value(start, name.count) == 0
  }

  /// Known elements that contain fields.
  private static let structure = NameTable(
    [
      "rss", "rdf:rdf", "channel", "feed", "item", "entry", "items", "image", "source", "textinput", "author",
      "contributor", "skiphours", "skipdays", "body", "html", "opml", "urlset", "logo", "schedule",
      "atom:feed", "atom:entry", "atom:author", "atom:contributor", "atom:source", "itunes:owner",
      "googleplay:owner", "media:group", "media:content", "media:credit", "media:community", "georss:where",
      "gml:point", "cc:license", "rdf:li", "rdf:seq", "rdf:bag", "dc:subject", "taxo:topic", "xhtml:body",
      "podcast:alternateenclosure", "podcast:value", "podcast:liveitem",
    ].map { ($0, 1) }
  )

  static func isField(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.baseAddress.map { field.value($0, name.count) != 0 } ?? false
  }
}
