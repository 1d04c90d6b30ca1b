import NewsCore

/// Handles start tags: changes the scope, reads attributes, opens fields.
extension FeedBuilder {
  /// Applies the rule to the start tag, and opens the element's field.
  mutating func start(
    _ rule: UnsafePointer<ElementRule>,
    _ vocabulary: Vocabulary,
    _ attributes: XMLAttributes,
    uri: UnsafePointer<UInt8>?
  ) {
    switch rule.pointee.kind {
    case .field, .container, .unknown, .foreign, .markup, .contentItem, .contentValue: break
    case .rss, .rdf, .channel, .feed, .item, .html, .otherRoot:
      startStructure(rule.pointee.kind, vocabulary, attributes, uri: uri)
    case .image: startImage(attributes)
    case .textInput: place.scope = .textInput
    case .source: startSource(attributes)
    case .person:
      parts.person = Author()
      place.scope = .person
      place.capture = .raw
    case .typedText: startTypedText(vocabulary, attributes)
    case .content: startContent(vocabulary, attributes)
    case .mediaText: open(type: Self.textType(attributes, isContent: false))
    case .xhtmlBody:
      if place.scope == .item { open(type: .xhtml) }
    case .link: startLink(attributes)
    case .enclosure: addEnclosure(attributes)
    case .category: startCategory(attributes)
    case .textCategory: startTextCategory(attributes)
    case .mediaCategory: startMediaCategory(attributes)
    case .generator: startGenerator(attributes)
    case .generatorAgent: startGeneratorAgent(attributes)
    case .guid:
      parts.isPermalink = attributes.raw("ispermalink").map {
        !ByteText.equals(ByteText.trimmed($0), "false")
      }
    case .picture: startPicture(attributes)
    case .pictureLink:
      // Early podcasts put the address of their picture in a link.
      if let rel = attributes.raw("rel"), ByteText.equals(ByteText.trimmed(rel), "image") {
        startPicture(attributes)
      }
    case .logo:
      // CDF has the address in an attribute.
      if let url = attributes.raw("href").flatMap({ resolve(attribute: $0) }) {
        setPicture(url, rule.pointee.target(in: place.scope))
      }
    case .license: startLicense(attributes)
    case .mediaContent, .mediaThumbnail, .mediaPlayer, .mediaCredit: startMedia(rule.pointee.kind, attributes)
    case .chapters, .transcript, .podcastPerson, .alternateEnclosure, .podcastSource, .podcastImages:
      startPodcast(rule.pointee.kind, attributes)
    case .inReplyTo: startReply(attributes)
    }
    if let type = rule.pointee.text { open(type: type) }
  }

  private mutating func startGeneratorAgent(_ attributes: XMLAttributes) {
    if let resource = attributes.text("resource") {
      setGenerator(Generator(name: resource, url: URLResolver.resolve(resource, base: nil)))
    }
  }

  private mutating func startGenerator(_ attributes: XMLAttributes) {
    parts.generator = Generator(
      url: attributes.raw("uri").flatMap { resolve(attribute: $0) }
        ?? attributes.raw("url").flatMap { resolve(attribute: $0) },
      version: attributes.text("version")
    )
    open(type: .unstated)
  }

  private mutating func startPicture(_ attributes: XMLAttributes) {
    if let url = (attributes.raw("href") ?? attributes.raw("url")).flatMap({ resolve(attribute: $0) }) {
      setImage(url, rank: 4)
    }
    open(type: .plain)
  }

  private mutating func startLicense(_ attributes: XMLAttributes) {
    guard let raw = attributes.raw("resource") ?? attributes.raw("href") ?? attributes.raw("url") else {
      return open(type: .plain)
    }
    // If the element has an address, its text is only the name of the licence.
    if let url = resolve(attribute: raw) { setLicense(url) }
  }

  static let itunesScheme = "http://www.itunes.com/"
  /// Default scheme of `media:category` (Media RSS 1.5.1).
  private static let mediaScheme = "http://search.yahoo.com/mrss/category_schema"

  /// Opens a field: collects its text and treats child elements as markup.
  mutating func open(type: TextType) {
    frames[place.depth - 1].isLeaf = true
    frames[place.depth - 1].type = type
    place.capture = .raw
    if markup.language != nil { markup.language = nil }
  }

  // MARK: Structure

  private mutating func startStructure(
    _ kind: ElementRule.Kind,
    _ vocabulary: Vocabulary,
    _ attributes: XMLAttributes,
    uri: UnsafePointer<UInt8>?
  ) {
    switch kind {
    case .rss:
      root.isRecognized = root.isRecognized || place.depth <= 3
      if feed.format.isEmpty { feed.format = FeedFormat.rss(version: attributes.text("version")) }
    case .rdf:
      if feed.format.isEmpty { feed.format = root.format ?? "rdf" }
      root.isRecognized = root.isRecognized || root.format != nil
    case .channel:
      startChannel(attributes, uri: uri)
    case .feed:
      root.isRecognized = root.isRecognized || place.depth <= 3
      if feed.format.isEmpty {
        feed.format = FeedFormat.atom(uri: uri.map(ByteText.buffer), version: attributes.text("version"))
      }
      place.scope = .feed
    case .item:
      startItem(vocabulary, attributes, uri: uri)
    case .html where place.depth == 1:
      root.isHTML = true
      stop()
    case .otherRoot where place.depth == 1:
      stop()
    default:
      break
    }
    if place.depth == 1, feed.language == nil, let language = scopedLanguage { feed.language = language }
  }

  /// Handles a channel. Outside a known root element, it is RSS 1.1, CDF (recognized by its attributes), or
  /// RSS whose `rss` element is missing.
  private mutating func startChannel(_ attributes: XMLAttributes, uri: UnsafePointer<UInt8>?) {
    let isRoot = place.depth == 1
    if isRoot || feed.format == "rdf" || !feed.format.isEmpty { root.isRecognized = true }
    place.scope = .feed
    let simple = uri.map { FeedFormat.rdf(uri: ByteText.buffer($0)) } ?? nil
    if feed.format == "rdf" || feed.format == root.format, let simple {
      feed.format = simple
    } else if feed.format.isEmpty {
      feed.format =
        simple == "rss11"
        ? "rss11"
        : ["href", "base", "lastmod"].contains { attributes.raw($0) != nil } ? "cdf" : "rss"
      root.isChannel = isRoot
    }
    readCDFAttributes(attributes)
  }

  /// Reads `href` and `lastmod` of CDF's channels and items.
  private mutating func readCDFAttributes(_ attributes: XMLAttributes) {
    guard attributes.count > 0 else { return }
    if let href = attributes.raw("href"), let url = resolve(attribute: href) {
      addLink(Link(href: url, rel: "alternate", type: "text/html"), rank: 4)
    }
    if let date = attributes.raw("lastmod") { setUpdated(DateParser.parse(date), rank: 3) }
  }

  private mutating func startItem(
    _ vocabulary: Vocabulary,
    _ attributes: XMLAttributes,
    uri: UnsafePointer<UInt8>?
  ) {
    if place.scope == .item {
      guard place.depth > 1, frames[place.depth - 2].rule.pointee.kind == .item else { return }
      suspendItem()
    }
    if place.depth == 1 {
      guard vocabulary == .atom else { return }
      feed.format = FeedFormat.atom(uri: uri.map(ByteText.buffer), version: nil)
    }
    if !feed.format.isEmpty { root.isRecognized = true }
    if feed.format == "rdf", let uri, let format = FeedFormat.rdf(uri: ByteText.buffer(uri)) {
      feed.format = format
    }
    lookAheadForBase()
    place.scope = .item
    if feed.format == "rss", root.isChannel, attributes.raw("href") != nil || attributes.raw("lastmod") != nil
    {
      feed.format = "cdf"
    }
    entry.address = attributes.text("about").flatMap { WebAddress.isWeb($0) ? $0 : nil }
    entry.item.id = attributes.text("about")
    readCDFAttributes(attributes)
    if feed.format == "cdf", entry.item.id == nil { entry.item.id = attributes.text("id") }
    // Elements take precedence, except `dc:identifier`.
    if entry.item.id != nil { entry.ranks[.id] = 1 }
  }

  private mutating func startImage(_ attributes: XMLAttributes) {
    parts.image = FeedImage()
    place.capture = .raw
    if place.scope == .item || place.scope == .feed || place.scope == .outside {
      place.scope = .image
      let raw = attributes.raw("href") ?? attributes.raw("url")
      if let url = raw.flatMap({ resolve(attribute: $0) }) { parts.image.url = url }
    }
  }

  private mutating func startSource(_ attributes: XMLAttributes) {
    guard place.scope == .item else { return }
    parts.source = ItemSource()
    parts.sourceAuthors = PersonIndex()
    parts.sourceContributors = ListIndex()
    place.scope = .source
    place.capture = .raw
    if let url = attributes.raw("url").flatMap({ resolve(attribute: $0) }) { parts.source.url = url }
  }

  // MARK: Text

  private mutating func startContent(_ vocabulary: Vocabulary, _ attributes: XMLAttributes) {
    if place.scope == .item, let src = attributes.raw("src"), let url = resolve(attribute: src) {
      entry.item.contentSource = url
    }
    // Atom 0.3 section 3.1.2: each child is a separate content.
    if let type = attributes.raw("type"), ByteText.hasPrefix(ByteText.trimmed(type), "multipart/") { return }
    startTypedText(vocabulary, attributes, isContent: vocabulary == .atom)
  }

  private mutating func startTypedText(
    _ vocabulary: Vocabulary,
    _ attributes: XMLAttributes,
    isContent: Bool = false
  ) {
    let type = Self.textType(attributes, isContent: isContent)
    // RSS defines no types, so a type there is not reliable.
    open(type: type == .plain && FeedFormat.isRSS(feed.format) && vocabulary == .core ? .unstated : type)
  }

  /// Returns the type of an Atom text construct (RFC 4287 section 3.1). Atom 0.3 has media types and a mode instead.
  static func textType(_ attributes: XMLAttributes, isContent: Bool) -> TextType {
    let type = attributes.raw("type").map(ByteText.trimmed)
    if let mode = attributes.raw("mode") {
      if ByteText.equals(mode, "base64") { return .base64 }
      if ByteText.equals(mode, "xml"), type.map({ !ByteText.equals($0, "text/plain") }) ?? true {
        return .xhtml
      }
    }
    guard let type, !type.isEmpty else { return .unstated }
    if ByteText.equals(type, "text") || ByteText.equals(type, "plain")
      || ByteText.hasPrefix(type, "text/plain")
    {
      return .plain
    }
    if ByteText.equals(type, "html") || ByteText.hasPrefix(type, "text/html") { return .html }
    if ByteText.equals(type, "xhtml") || ByteText.hasSuffix(type, "+xml") || ByteText.hasSuffix(type, "/xml")
    {
      return .xhtml
    }
    if ByteText.hasPrefix(type, "text/") { return .plain }
    // Content of other media types is Base64 (RFC 4287 section 4.1.3.3). Other constructs have no media types.
    return isContent ? .base64 : .unstated
  }

  // MARK: Categories

  /// Returns the identifier unless it is an active URL, such as `javascript:`. Control characters in the scheme are
  /// ignored, as in browsers. A leading `feed:` is ignored, as in some readers.
  private static func harmless(_ identifier: String?) -> String? {
    guard let identifier, !WebAddress.isWeb(identifier), identifier.utf8.contains(UInt8(ascii: ":")) else {
      return identifier
    }
    var bytes = identifier.utf8.filter { $0 > UInt8(ascii: " ") && $0 != 0x7F }
    if bytes.prefix(5).elementsEqual("feed:".utf8) { bytes.removeFirst(5) }
    let isActive = bytes.withUnsafeBufferPointer { URLScheme(of: $0) == .active }
    return isActive ? nil : identifier
  }

  /// Reads `itunes:category`, which has its term in an attribute.
  private mutating func startTextCategory(_ attributes: XMLAttributes) {
    if let term = attributes.text("text") {
      addTag(Category(term: line(ofAttribute: term), scheme: Self.itunesScheme))
    }
  }

  private mutating func startMediaCategory(_ attributes: XMLAttributes) {
    parts.tag = Category(
      term: "",
      scheme: Self.harmless(attributes.text("scheme") ?? Self.mediaScheme),
      label: attributes.text("label").map { line(ofAttribute: $0) }
    )
    open(type: .unstated)
  }

  private mutating func startCategory(_ attributes: XMLAttributes) {
    let scheme = Self.harmless(attributes.text("scheme") ?? attributes.text("domain"))
    let label = attributes.text("label").map { line(ofAttribute: $0) }
    let term = (attributes.text("term") ?? attributes.text("text")).map { line(ofAttribute: $0) } ?? ""
    parts.tag = Category(term: term, scheme: scheme, label: label)
    open(type: .unstated)
  }
}
