import NewsCore
import NewsToolbox

/// Links, enclosures and pictures.
extension FeedBuilder {
  // MARK: Links

  mutating func startLink(_ attributes: XMLAttributes) {
    open(type: .plain)
    // In RSS, the text of the element is the URL.
    guard attributes.count > 0, let raw = attributes.raw("href") ?? attributes.raw("url") else { return }
    place.capture = .ignore
    guard let href = resolve(attribute: raw) ?? ownAddress(raw) else { return }
    var link = Link(href: href)
    link.rel = attributes.raw("rel").map(Self.relation) ?? "alternate"
    link.type = attributes.text("type")
    link.title = attributes.text("title").map { line(ofAttribute: $0) }
    link.hreflang = attributes.text("hreflang")
    link.length = attributes.text("length")
    if link.rel == "replies", place.scope == .item, let count = attributes.integer("count"), count >= 0 {
      entry.draft.extensions.commentCount = entry.draft.extensions.commentCount ?? count
    }
    let isHTML = attributes.raw("type").map(Self.isHTMLType)
    if link.rel == "replies", place.scope == .item {
      if isHTML ?? false {
        entry.item.commentsURL = entry.item.commentsURL ?? href
      } else {
        entry.draft.extensions.commentsFeedURL = entry.draft.extensions.commentsFeedURL ?? href
      }
    }
    addLink(link, rank: isHTML ?? true ? 4 : 2)
  }

  /// Resolves an empty reference to the base (RFC 3986 section 4.4); nil for any other reference.
  private mutating func ownAddress(_ raw: UnsafeBufferPointer<UInt8>) -> String? {
    // The base is not the address of an item.
    guard place.scope != .item, ByteText.trimmed(raw).isEmpty, let base = inherited.base,
      let address = URLResolver.resolve("", against: base), admitsGrowth(address.utf8.count)
    else { return nil }
    return address
  }

  mutating func endLink(_ frame: Frame) {
    guard let href = url(of: frame) else { return }
    if frame.scope == .image {
      parts.image.link = parts.image.link ?? href
      return
    }
    addLink(Link(href: href, rel: "alternate", type: "text/html"), rank: 5)
  }

  /// Returns a link relation in lower case, without the prefix of its registry URI (RFC 4287 section 4.2.7.2);
  /// `alternate` if it is empty.
  private static func relation(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    var name = ByteText.trimmed(raw)
    if name.isEmpty { return "alternate" }
    for prefix: StaticString in [
      "http://www.iana.org/assignments/relation/", "http://www.iana.org/assignments/link-relations/",
    ] where ByteText.hasPrefix(name, prefix) {
      name = UnsafeBufferPointer(rebasing: name[prefix.utf8CodeUnitCount...])
    }
    let isLowercase = name.allSatisfy { $0 &- UInt8(ascii: "A") >= 26 && $0 != UInt8(ascii: "&") }
    return isLowercase ? String(streamSafe: name) : XMLAttributes.unescaped(name).lowercased()
  }

  /// True for `text/html`, `application/xhtml+xml`, their abbreviations, and an empty type.
  private static func isHTMLType(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
    let type = ByteText.trimmed(raw)
    return ByteText.hasPrefix(type, "text/html") || ByteText.hasPrefix(type, "application/xhtml")
      || ByteText.hasPrefix(type, "html") || ByteText.hasPrefix(type, "xhtml")
      || ByteText.equals(type, "text")
      || type.isEmpty
  }

  mutating func addLink(_ link: Link, rank: UInt8) {
    switch place.scope {
    case .item:
      guard hasRoom(entry.item.links.count) else { return }
      entry.item.links.append(link)
      applyToItem(link, rank: rank)
    case .feed, .outside:
      guard hasRoom(feed.links.count) else { return }
      feed.links.append(link)
      applyToFeed(link, rank: rank)
    case .source:
      guard hasRoom(parts.source.links.count) else { return }
      parts.source.links.append(link)
      if link.rel == "alternate" || parts.source.url == nil && link.rel == "self" {
        parts.source.url = link.href
      }
    case .image, .textInput, .person: break
    }
  }

  private mutating func applyToItem(_ link: Link, rank: UInt8) {
    switch link.rel {
    case "alternate":
      guard rank > entry.ranks[.url] else { return }
      entry.item.url = link.href
      entry.ranks[.url] = rank
    case "enclosure":
      addEnclosure(
        Enclosure(
          url: link.href,
          mimeType: link.type,
          title: link.title,
          size: link.length.flatMap(Self.size)
        )
      )
    case "license": entry.item.license = entry.item.license ?? link.href
    default: break
    }
  }

  private mutating func applyToFeed(_ link: Link, rank: UInt8) {
    switch link.rel {
    case "alternate":
      guard rank > channel.ranks[.url] else { return }
      feed.homePageURL = link.href
      channel.ranks[.url] = rank
      if FeedFormat.isRSS(feed.format) {
        inherited.channelBase = makeBase(link.href)
        updateBase()
      }
    case "self":
      feed.feedURL = feed.feedURL ?? link.href
      // Without a known document address, the self link is the base.
      if inherited.documentBase == nil {
        inherited.documentBase = BaseURL(link.href)
        updateBase()
      }
    case "hub": Self.append(link.href, to: &feed.hubs, &channel.hubs)
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
    guard place.scope == .item, let raw = attributes.raw("url") ?? attributes.raw("href"),
      let url = resolve(attribute: raw)
    else { return }
    let type = attributes.text("type")
    let length = attributes.text("length")
    let title = attributes.text("title").map { line(ofAttribute: $0) }
    if hasRoom(entry.item.links.count) {
      entry.item.links.append(Link(href: url, rel: "enclosure", type: type, title: title, length: length))
    }
    addEnclosure(Enclosure(url: url, mimeType: type, title: title, size: length.flatMap(Self.size)))
  }

  /// Adds an enclosure, or merges it with an earlier enclosure of the same address.
  mutating func addEnclosure(_ enclosure: Enclosure) {
    if let index = enclosureIndex(of: enclosure.url) {
      entry.item.enclosures[index].mimeType = entry.item.enclosures[index].mimeType ?? enclosure.mimeType
      entry.item.enclosures[index].title = entry.item.enclosures[index].title ?? enclosure.title
      entry.item.enclosures[index].size = entry.item.enclosures[index].size ?? enclosure.size
      entry.item.enclosures[index].duration = entry.item.enclosures[index].duration ?? enclosure.duration
      return
    }
    guard hasRoom(entry.item.enclosures.count) else { return }
    entry.item.enclosures.append(enclosure)
  }

  private mutating func enclosureIndex(of url: String) -> Int? {
    let list = entry.item.enclosures
    guard list.count >= ListIndex.shortest else { return list.firstIndex { $0.url == url } }
    return entry.lists.enclosures.place(of: Array(url.utf8), in: list) { Array($0.url.utf8) }
  }

  // MARK: Pictures

  mutating func setImage(_ url: String, rank: UInt8) {
    switch place.scope {
    case .item:
      guard rank > entry.ranks[.image] else { return }
      entry.item.image = url
      entry.ranks[.image] = rank
    case .feed, .outside:
      guard rank > channel.ranks[.image] else { return }
      feed.icon = url
      channel.ranks[.image] = rank
    case .source, .image, .textInput, .person: break
    }
  }

  /// Stores a picture's address in the field of `target`.
  mutating func setPicture(_ url: String, _ target: ElementRule.Target) {
    switch (target.field, place.scope) {
    case (.image, _): setImage(url, rank: target.rank)
    case (.icon, .feed), (.icon, .outside): feed.favicon = feed.favicon ?? url
    case (.icon, .source): parts.source.icon = url
    case (.logo, .source): parts.source.logo = url
    default: break
    }
  }

  mutating func endImage(_ frame: Frame) {
    if parts.image.url == nil { parts.image.url = url(of: frame, policy: .resource) }
    let isEmpty = parts.image == FeedImage()
    guard !isEmpty else { return }
    if let url = parts.image.url { setImage(url, rank: 3) }
    if frame.scope != .item, feed.image == nil || feed.image?.url == nil { feed.image = parts.image }
    parts.image = FeedImage()
  }
}
