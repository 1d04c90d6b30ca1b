import NewsCore

/// What start tags do: open structures, read attributes, begin fields.
extension FeedBuilder {
  mutating func start(
    _ element: FeedElement,
    _ vocabulary: Vocabulary,
    _ attributes: XMLAttributes,
    uri: UnsafePointer<UInt8>?
  ) {
    switch element {
    case .foreign, .container, .contentItem, .markup: break
    case .unknown:
      // The same; but it may stand around items.
      if isWellFormed, scope == .feed { scope = .textInput }
    case .rss, .rdf, .channel, .feed, .item, .html, .opml, .sitemap:
      startStructure(element, vocabulary, attributes, uri: uri)
    case .image: startImage(attributes)
    case .textInput: scope = .textInput
    case .source: startSource(attributes)
    case .title, .subtitle, .summary, .info, .content, .rights:
      startTypedText(element, vocabulary, attributes)
    case .description, .contentEncoded, .contentValue:
      open(type: .html)
    case .xhtmlBody:
      if scope == .item { open(type: .xhtml) }
    case .markdown: open(type: .plain)
    case .dcTitle, .dcDescription, .itunesTitle, .itunesSummary, .itunesSubtitle:
      open(type: .unstated)
    case .mediaTitle, .mediaDescription, .mediaRights:
      open(type: Self.textType(attributes, isContent: false))
    case .author, .contributor, .itunesOwner, .publisher, .creator, .managingEditor, .webMaster:
      person = Author()
      scope = .person
      capture = .raw
    case .link: startLink(attributes)
    case .enclosure: addEnclosure(attributes)
    case .category: startCategory(attributes)
    case .itunesCategory, .mediaCategory: startCategory(element, attributes)
    case .generator, .generatorAgent: startGenerator(element, attributes)
    case .guid:
      draftIsPermalink = attributes.raw("ispermalink").map { !ByteText.equals(ByteText.trimmed($0), "false") }
      open(type: .plain)
    case .itunesImage: startPicture(attributes)
    case .mediaContent, .mediaThumbnail, .mediaPlayer, .mediaCredit:
      startMedia(element, attributes)
    case .chapters, .transcript, .podcastPerson, .inReplyTo, .alternateEnclosure, .podcastSource,
      .podcastImages:
      startExtension(element, attributes)
    case .license: startLicense(attributes)
    case .subjectResource:
      break
    case .skipHours, .skipDays, .latitude, .longitude, .geoPoint, .gmlPosition, .id, .name, .email, .uri,
      .language, .keywords, .comments, .width, .height, .logo, .icon, .published, .updated, .created,
      .expires,
      .dcDate, .ttl, .hour, .day, .updatePeriod, .updateFrequency, .updateBase, .identifier, .itunesAuthor,
      .itunesExplicit, .itunesBlock, .itunesDuration, .itunesKeywords, .episode, .season, .episodeType,
      .podcastGuid, .mediaKeywords, .commentCount, .commentsFeed, .origLink, .origEnclosureLink:
      if element == .skipHours || element == .skipDays { return }
      if element == .logo || element == .icon,
        let url = attributes.raw("href").flatMap({ resolve(attribute: $0) })
      {
        setLogo(element, url)  // CDF
      }
      open(type: .plain)
    case .cloud: break
    }
  }

  private mutating func startGenerator(_ element: FeedElement, _ attributes: XMLAttributes) {
    guard element == .generator else {
      if let resource = attributes.text("resource") {
        setGenerator(Generator(name: resource, url: URLResolver.resolve(resource, base: nil)))
      }
      return
    }
    draftGenerator = Generator(
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
    // The text is then the licence's name.
    if let url = resolve(attribute: raw) { setLicense(url) }
  }

  static let itunesScheme = "http://www.itunes.com/"

  /// Begins a field: text is kept, children are markup.
  mutating func open(type: TextType) {
    frames[depth - 1].isLeaf = true
    frames[depth - 1].type = type
    capture = .raw
    if markupLanguage != nil { markupLanguage = nil }
  }

  // MARK: Structure

  private mutating func startStructure(
    _ element: FeedElement,
    _ vocabulary: Vocabulary,
    _ attributes: XMLAttributes,
    uri: UnsafePointer<UInt8>?
  ) {
    switch element {
    case .rss:
      isRecognised = isRecognised || depth <= 3
      if feed.format.isEmpty { feed.format = FeedFormat.rss(version: attributes.text("version")) }
    case .rdf:
      if feed.format.isEmpty { feed.format = rootFormat ?? "rdf" }
      isRecognised = isRecognised || rootFormat != nil
    case .channel:
      startChannel(attributes, uri: uri)
    case .feed:
      isRecognised = isRecognised || depth <= 3
      if feed.format.isEmpty {
        feed.format = FeedFormat.atom(uri: uri.map(ByteText.buffer), version: attributes.text("version"))
      }
      scope = .feed
    case .item:
      startItem(vocabulary, attributes, uri: uri)
    case .html where depth == 1:
      isHTML = true
      stop()
    case .opml where depth == 1, .sitemap where depth == 1:
      stop()
    default:
      break
    }
    if depth == 1, feed.language == nil, let language = scopedLanguage { feed.language = language }
  }

  /// A channel without anything around it is CDF, where it has an address, RSS 1.1, or RSS whose root was lost.
  private mutating func startChannel(_ attributes: XMLAttributes, uri: UnsafePointer<UInt8>?) {
    let isRoot = depth == 1
    if isRoot || feed.format == "rdf" || !feed.format.isEmpty { isRecognised = true }
    scope = .feed
    let simple = uri.map { FeedFormat.rdf(uri: ByteText.buffer($0)) } ?? nil
    if feed.format == "rdf" || feed.format == rootFormat, let simple {
      feed.format = simple
    } else if feed.format.isEmpty {
      feed.format =
        simple == "rss11"
        ? "rss11"
        : ["href", "base", "lastmod"].contains { attributes.raw($0) != nil } ? "cdf" : "rss"
      isRootChannel = isRoot
    }
    readCDFAttributes(attributes)
  }

  /// `href` and `lastmod` of CDF's channels and items.
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
    if scope == .item {
      guard depth > 1, frames[depth - 2].element == .item else { return }
      suspendItem()
    }
    if depth == 1 {
      guard vocabulary == .atom else { return }
      feed.format = FeedFormat.atom(uri: uri.map(ByteText.buffer), version: nil)
    }
    if !feed.format.isEmpty { isRecognised = true }
    if feed.format == "rdf", let uri, let format = FeedFormat.rdf(uri: ByteText.buffer(uri)) {
      feed.format = format
    }
    lookAheadForBase()
    scope = .item
    if feed.format == "rss", isRootChannel, attributes.raw("href") != nil || attributes.raw("lastmod") != nil
    {
      feed.format = "cdf"
    }
    draftAddress = attributes.text("about").flatMap { WebLink.isWeb($0) ? $0 : nil }
    if let about = attributes.text("about") { item.id = about }
    readCDFAttributes(attributes)
    if feed.format == "cdf", item.id == nil { item.id = attributes.text("id") }
  }

  private mutating func startImage(_ attributes: XMLAttributes) {
    image = FeedImage()
    capture = .raw
    if scope == .item || scope == .feed || scope == .outside {
      scope = .image
      let raw = attributes.raw("href") ?? attributes.raw("url")
      if let url = raw.flatMap({ resolve(attribute: $0) }) { image.url = url }
    }
  }

  private mutating func startSource(_ attributes: XMLAttributes) {
    guard scope == .item else { return }
    source = ItemSource()
    scope = .source
    capture = .raw
    if let url = attributes.raw("url").flatMap({ resolve(attribute: $0) }) { source.url = url }
  }

  // MARK: Text

  private mutating func startTypedText(
    _ element: FeedElement,
    _ vocabulary: Vocabulary,
    _ attributes: XMLAttributes
  ) {
    if element == .content, let src = attributes.raw("src"), let url = resolve(attribute: src) {
      if scope == .item { item.contentSource = url }
    }
    // Atom 0.3 section 3.1.2: alternatives inside, each a content of its own.
    if element == .content, let type = attributes.raw("type"),
      ByteText.hasPrefix(ByteText.trimmed(type), "multipart/")
    {
      return
    }
    let type = Self.textType(attributes, isContent: element == .content && vocabulary == .atom)
    // RSS has no types: what one of its elements says of itself proves nothing.
    open(type: type == .plain && FeedFormat.isRSS(feed.format) && vocabulary == .core ? .unstated : type)
  }

  /// The type that an Atom text construct states (RFC 4287 section 3.1; Atom 0.3 has media types and a mode).
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
    // RFC 4287 section 4.1.3.3: content of any other media type is base64; other constructs have no such types.
    return isContent ? .base64 : .unstated
  }

  // MARK: Categories

  /// An identifier as it is, unless somebody who took it for a link would run a program. Browsers pass over controls in
  /// a scheme, and some readers over a `feed:` before it.
  private static func harmless(_ identifier: String?) -> String? {
    guard let identifier, !WebLink.isWeb(identifier), identifier.utf8.contains(0x3A) else {
      return identifier
    }
    var bytes = identifier.utf8.filter { $0 > 0x20 && $0 != 0x7F }
    if bytes.prefix(5).elementsEqual("feed:".utf8) { bytes.removeFirst(5) }
    let isActive = bytes.withUnsafeBufferPointer { bytes -> Bool in
      guard let start = bytes.baseAddress, let length = URLResolver.schemeLength(start, bytes.count) else {
        return false
      }
      return URLScheme(start, length) == .active
    }
    return isActive ? nil : identifier
  }

  /// Of other vocabularies.
  private mutating func startCategory(_ element: FeedElement, _ attributes: XMLAttributes) {
    guard element == .mediaCategory else {
      if let term = attributes.text("text") {
        addTag(Category(term: line(ofAttribute: term), scheme: Self.itunesScheme))
      }
      return
    }
    draftTag = Category(
      term: "",
      scheme: Self.harmless(attributes.text("scheme")),
      label: attributes.text("label")
    )
    open(type: .unstated)
  }

  private mutating func startCategory(_ attributes: XMLAttributes) {
    let scheme = Self.harmless(attributes.text("scheme") ?? attributes.text("domain"))
    let label = attributes.text("label").map { line(ofAttribute: $0) }
    let term = (attributes.text("term") ?? attributes.text("text")).map { line(ofAttribute: $0) } ?? ""
    draftTag = Category(term: term, scheme: scheme, label: label)
    open(type: .unstated)
  }
}
