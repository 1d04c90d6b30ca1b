import NewsToolbox

/// Data about a page from `meta`, `link`, `base`, `title` and JSON-LD.
struct PageMetadata {
  /// The text of the `title` element, with character references decoded.
  private(set) var title: String?
  /// The `href` of the first `base` element.
  private(set) var base: String?
  private(set) var siteName: String?
  private var openTitle: String?
  private var namedTitle: String?
  private var metaAuthor: String?
  private var metaPublished: String?
  private(set) var linked = LinkedData()
  /// True while inside a script with JSON-LD.
  private var isLinkedData = false
  private var linkedBytes = 0

  /// Maximum number of bytes of JSON-LD that are read.
  private static let maximumLinkedBytes = 1 << 20

  /// The titles that the page declares for the article, from the best source to the worst.
  var titles: [String] { [openTitle, linked.headline, namedTitle].compactMap { $0 } }

  /// The author without markup, because some pages put a link around the name.
  var byline: String? {
    guard let author = linked.author ?? metaAuthor, author.contains(bytesOf: "<") else {
      return linked.author ?? metaAuthor
    }
    var plain = HTMLPlainText()
    return HTMLPlainText.line(plain.line(ofHTML: author))
  }

  var published: String? { linked.published ?? metaPublished }

  @inline(__always)
  mutating func read(_ tag: borrowing HTMLTag) {
    switch tag.element {
    case .meta: readMeta(tag)
    case .base: if base == nil { base = tag.text(.href) }
    case .script:
      isLinkedData =
        tag.value(.type).map { ByteText.equals(ByteText.trimmed($0), "application/ld+json") } ?? false
    default: break
    }
  }

  /// Reads the text of a `title` element or of a script with JSON-LD.
  mutating func content(of element: HTMLElement, _ bytes: UnsafeBufferPointer<UInt8>) {
    if element == .title {
      if title == nil { title = HTMLPlainText.line(HTMLPlainText.decodingReferences(in: bytes)) }
    } else if isLinkedData, linkedBytes + bytes.count <= Self.maximumLinkedBytes {
      linkedBytes += bytes.count
      linked.read(bytes)
    }
  }

  private mutating func readMeta(_ tag: borrowing HTMLTag) {
    guard let key = tag.value(.property) ?? tag.value(.name) ?? tag.value(.itemprop),
      let field = Self.field(key), let value = tag.text(.content).flatMap(HTMLPlainText.line)
    else { return }
    switch field {
    case .openTitle: if openTitle == nil { openTitle = value }
    case .namedTitle: if namedTitle == nil { namedTitle = value }
    case .siteName: if siteName == nil { siteName = value }
    case .author: if metaAuthor == nil, !value.contains(bytesOf: "://") { metaAuthor = value }
    case .published: if metaPublished == nil { metaPublished = value }
    }
  }

  private enum Field { case openTitle, namedTitle, siteName, author, published }

  private static let fields: [(StaticString, Field)] = [
    ("og:title", .openTitle), ("twitter:title", .namedTitle), ("dc.title", .namedTitle),
    ("dcterms.title", .namedTitle), ("parsely-title", .namedTitle), ("og:site_name", .siteName),
    ("author", .author), ("article:author", .author), ("dc.creator", .author), ("dcterms.creator", .author),
    ("parsely-author", .author), ("sailthru.author", .author),
    ("article:published_time", .published), ("datepublished", .published), ("dc.date", .published),
    ("dc.date.issued", .published), ("dcterms.created", .published), ("pubdate", .published),
    ("date", .published), ("parsely-pub-date", .published), ("sailthru.date", .published),
    ("og:published_time", .published),
  ]

  private static func field(_ key: UnsafeBufferPointer<UInt8>) -> Field? {
    for (name, field) in fields where ByteText.equals(key, name) { return field }
    return nil
  }
}
