import NewsCore

/// Links, enclosures and pictures.
extension FeedBuilder {
  // MARK: Links

  mutating func startLink(_ attributes: XMLAttributes) {
    open(type: .plain)
    // RSS: the URL is the element's text, whatever else an attribute says.
    guard attributes.count > 0, let raw = attributes.raw("href") ?? attributes.raw("url") else { return }
    capture = .ignore
    guard let href = resolve(attribute: raw) ?? ownAddress(raw) else { return }
    var link = Link(href: href)
    link.rel = attributes.raw("rel").map(Self.relation) ?? "alternate"
    link.type = attributes.text("type")
    link.title = attributes.text("title").map { line(ofAttribute: $0) }
    link.hreflang = attributes.text("hreflang")
    link.length = attributes.text("length")
    if link.rel == "replies", scope == .item, let count = attributes.integer("count"), count >= 0 {
      draft.extensions.commentCount = draft.extensions.commentCount ?? count
      draft.hasExtensions = true
    }
    let isHTML = attributes.raw("type").map(Self.isHTMLType)
    if link.rel == "replies", scope == .item {
      if isHTML ?? false {
        item.commentsURL = item.commentsURL ?? href
      } else {
        draft.extensions.commentsFeedURL = draft.extensions.commentsFeedURL ?? href
        draft.hasExtensions = true
      }
    }
    addLink(link, rank: isHTML ?? true ? 4 : 2)
  }

  /// What an empty reference stands for: the base (RFC 3986 section 4.4).
  private func ownAddress(_ raw: UnsafeBufferPointer<UInt8>) -> String? {
    // An item is not the document it stands in.
    guard scope != .item, ByteText.trimmed(raw).isEmpty, let base else { return nil }
    return URLResolver.resolve("", against: base)
  }

  mutating func endLink(_ frame: Frame) {
    guard let href = url(of: frame) else { return }
    if frame.scope == .image {
      image.link = image.link ?? href
      return
    }
    addLink(Link(href: href, rel: "alternate", type: "text/html"), rank: 5)
  }

  /// The registered name, lower case; RFC 4287 section 4.2.7.2 allows its URI too. Absent means `alternate`.
  private static func relation(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    var name = ByteText.trimmed(raw)
    if name.isEmpty { return "alternate" }
    for prefix: StaticString in [
      "http://www.iana.org/assignments/relation/", "http://www.iana.org/assignments/link-relations/",
    ] where ByteText.hasPrefix(name, prefix) {
      name = UnsafeBufferPointer(rebasing: name[prefix.utf8CodeUnitCount...])
    }
    let isLowercase = name.allSatisfy { $0 &- 0x41 >= 26 && $0 != 0x26 }
    return isLowercase ? String(decoding: name, as: UTF8.self) : XMLAttributes.unescaped(name).lowercased()
  }

  /// `text/html`, `application/xhtml+xml` and their abbreviations.
  private static func isHTMLType(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
    let type = ByteText.trimmed(raw)
    return ByteText.hasPrefix(type, "text/html") || ByteText.hasPrefix(type, "application/xhtml")
      || ByteText.hasPrefix(type, "html") || ByteText.hasPrefix(type, "xhtml")
      || ByteText.equals(type, "text")
      || type.isEmpty
  }

  mutating func addLink(_ link: Link, rank: UInt8) {
    switch scope {
    case .item, .media:
      guard hasRoom(item.links.count) else { return }
      item.links.append(link)
      applyToItem(link, rank: rank)
    case .feed, .outside:
      guard hasRoom(feed.links.count) else { return }
      feed.links.append(link)
      applyToFeed(link, rank: rank)
    case .source:
      guard hasRoom(source.links.count) else { return }
      source.links.append(link)
      if link.rel == "alternate" || source.url == nil && link.rel == "self" { source.url = link.href }
    case .image, .textInput, .person: break
    }
  }

  private mutating func applyToItem(_ link: Link, rank: UInt8) {
    switch link.rel {
    case "alternate":
      guard rank > itemRank.link else { return }
      item.url = link.href
      itemRank.link = rank
    case "enclosure":
      addEnclosure(
        Enclosure(
          url: link.href,
          mimeType: link.type,
          title: link.title,
          size: link.length.flatMap(Self.size)
        )
      )
    case "license": item.license = item.license ?? link.href
    default: break
    }
  }

  private mutating func applyToFeed(_ link: Link, rank: UInt8) {
    switch link.rel {
    case "alternate":
      guard rank > feedRank.link else { return }
      feed.homePageURL = link.href
      feedRank.link = rank
      if FeedFormat.isRSS(feed.format) {
        channelBase = makeBase(link.href)
        updateBase()
      }
    case "self":
      feed.feedURL = feed.feedURL ?? link.href
      // Where nobody says where the document came from, it says so itself.
      if documentBase == nil {
        documentBase = BaseURL(link.href)
        updateBase()
      }
    case "hub": Self.append(link.href, to: &feed.hubs)
    default: break
    }
  }

  static func size(_ text: String) -> Int64? {
    var text = text
    guard let value = text.withUTF8(ByteText.byteCount), value > 0 else { return nil }
    return Int64(value)
  }

  // MARK: Enclosures

  mutating func addEnclosure(_ attributes: XMLAttributes) {
    guard scope == .item || scope == .media, let raw = attributes.raw("url") ?? attributes.raw("href"),
      let url = resolve(attribute: raw)
    else { return }
    let type = attributes.text("type")
    let length = attributes.text("length")
    let title = attributes.text("title").map { line(ofAttribute: $0) }
    if hasRoom(item.links.count) {
      item.links.append(Link(href: url, rel: "enclosure", type: type, title: title, length: length))
    }
    addEnclosure(Enclosure(url: url, mimeType: type, title: title, size: length.flatMap(Self.size)))
  }

  /// A file that several vocabularies name is one enclosure, with what each of them knows.
  mutating func addEnclosure(_ enclosure: Enclosure) {
    if let index = item.enclosures.firstIndex(where: { $0.url == enclosure.url }) {
      item.enclosures[index].mimeType = item.enclosures[index].mimeType ?? enclosure.mimeType
      item.enclosures[index].title = item.enclosures[index].title ?? enclosure.title
      item.enclosures[index].size = item.enclosures[index].size ?? enclosure.size
      item.enclosures[index].duration = item.enclosures[index].duration ?? enclosure.duration
      return
    }
    guard hasRoom(item.enclosures.count) else { return }
    item.enclosures.append(enclosure)
  }

  // MARK: Pictures

  mutating func setImage(_ url: String, rank: UInt8) {
    switch scope {
    case .item, .media:
      guard rank > itemRank.image else { return }
      item.image = url
      itemRank.image = rank
    case .feed, .outside:
      guard rank > feedRank.image else { return }
      feed.icon = url
      feedRank.image = rank
    case .source, .image, .textInput, .person: break
    }
  }

  mutating func setLogo(_ element: FeedElement, _ url: String) {
    switch scope {
    case .source:
      if element == .logo { source.logo = url } else { source.icon = url }
    case .feed, .outside:
      if element == .icon {
        feed.favicon = feed.favicon ?? url
      } else {
        setImage(url, rank: 5)
      }
    case .item:
      if element == .logo { setImage(url, rank: 2) }
    case .media, .image, .textInput, .person: break
    }
  }

  mutating func endImage(_ frame: Frame) {
    if image.url == nil { image.url = url(of: frame, policy: .resource) }
    let isEmpty = image == FeedImage()
    guard !isEmpty else { return }
    scope = frame.scope
    if let url = image.url { setImage(url, rank: 3) }
    if frame.scope != .item, feed.image == nil || feed.image?.url == nil { feed.image = image }
    image = FeedImage()
  }

  mutating func endImageSize(_ frame: Frame) {
    guard frame.scope == .image, let value = ByteText.integer(text(of: frame)), value >= 0 else { return }
    if frame.element == .width { image.width = value } else { image.height = value }
  }
}
