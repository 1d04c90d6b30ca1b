import NewsCore
import NewsToolbox

/// Elements of podcasts, Media RSS, discussions and places.
extension FeedBuilder {
  // MARK: Media RSS

  mutating func startMedia(_ element: FeedElement, _ attributes: XMLAttributes) {
    guard place.scope == .item || place.scope == .feed else {
      if element == .mediaCredit { open(type: .plain) }
      return
    }
    switch element {
    case .mediaContent: startMediaContent(attributes)
    case .mediaThumbnail:
      guard let url = attributes.raw("url").flatMap({ resolve(attribute: $0, policy: .resource) }) else {
        return
      }
      setImage(url, rank: 2)
      guard place.scope == .item, entry.draft.extensions.thumbnails.count < Self.maximumListLength else {
        return
      }
      let thumbnail = MediaThumbnail(
        url: url,
        width: attributes.raw("width").flatMap(Self.pixels),
        height: attributes.raw("height").flatMap(Self.pixels)
      )
      entry.draft.extensions.thumbnails.append(thumbnail)
      entry.draft.hasExtensions = true
    case .mediaPlayer:
      guard place.scope == .item, let url = attributes.raw("url").flatMap({ resolve(attribute: $0) }) else {
        return
      }
      Self.append(url, to: &entry.draft.extensions.players)
      entry.draft.hasExtensions = true
    case .mediaCredit:
      parts.credit = MediaCredit(name: "", role: attributes.text("role"), scheme: attributes.text("scheme"))
      open(type: .plain)
    default: break
    }
  }

  private mutating func startMediaContent(_ attributes: XMLAttributes) {
    guard place.scope == .item, let url = attributes.raw("url").flatMap({ resolve(attribute: $0) }) else {
      return
    }
    var media = MediaObject(url: url)
    media.type = attributes.text("type")
    media.medium = attributes.text("medium")?.lowercased()
    media.width = attributes.raw("width").flatMap(Self.pixels)
    media.height = attributes.raw("height").flatMap(Self.pixels)
    media.duration = attributes.raw("duration").flatMap(DurationText.seconds)
    media.size = attributes.text("filesize").flatMap(Self.size)
    entry.draft.hasExtensions = true
    if entry.draft.extensions.media.count < Self.maximumListLength {
      entry.draft.openMedia = entry.draft.extensions.media.count
      entry.draft.extensions.media.append(media)
    }
    let type = media.type?.lowercased() ?? ""
    if media.medium == "image" || type.hasPrefix("image/") {
      setImage(url, rank: 1)
      return
    }
    let isFile = media.medium != nil || !type.isEmpty || media.size != nil || media.duration != nil
    guard isFile else {
      // Without type or medium, most are pictures.
      if Self.looksLikeImage(url) {
        setImage(url, rank: 1)
      } else if Self.looksLikeRecording(url) {
        addEnclosure(Enclosure(url: url))
      }
      return
    }
    addEnclosure(Enclosure(url: url, mimeType: media.type, size: media.size, duration: media.duration))
  }

  /// `640` or `640px`, not `50%`.
  private static func pixels(_ raw: UnsafeBufferPointer<UInt8>) -> Int? {
    var text = ByteText.trimmed(raw)
    if ByteText.hasSuffix(text, "px") { text = UnsafeBufferPointer(rebasing: text.dropLast(2)) }
    return text.allSatisfy(ASCII.isDigit) ? ByteText.integer(text) : nil
  }

  private static func looksLikeRecording(_ url: String) -> Bool {
    let path = url.split(separator: "?", maxSplits: 1).first.map { $0.lowercased() } ?? ""
    return [
      ".mp3", ".m4a", ".ogg", ".oga", ".opus", ".wav", ".flac", ".aac", ".mp4", ".m4v", ".webm", ".mov",
      ".ogv",
    ]
    .contains { path.hasSuffix($0) }
  }

  private static func looksLikeImage(_ url: String) -> Bool {
    let path = url.split(separator: "?", maxSplits: 1).first.map { $0.lowercased() } ?? ""
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains { path.hasSuffix($0) }
  }

  // MARK: Elements with attributes

  mutating func startExtension(_ element: FeedElement, _ attributes: XMLAttributes) {
    switch element {
    case .chapters, .transcript:
      guard place.scope == .item, let url = attributes.raw("url").flatMap({ resolve(attribute: $0) }) else {
        return
      }
      let link = Link(
        href: url,
        rel: attributes.text("rel"),
        type: attributes.text("type"),
        hreflang: attributes.text("language")
      )
      if element == .chapters {
        entry.draft.extensions.chapters = entry.draft.extensions.chapters ?? link
      } else {
        Self.append(link, to: &entry.draft.extensions.transcripts)
      }
      entry.draft.hasExtensions = true
    case .podcastPerson:
      parts.podcastPerson = PodcastPerson(
        name: attributes.text("name").map { line(ofAttribute: $0) } ?? "",
        role: attributes.text("role")?.lowercased(),
        group: attributes.text("group")?.lowercased(),
        image: attributes.raw("img").flatMap { resolve(attribute: $0, policy: .resource) },
        url: attributes.raw("href").flatMap { resolve(attribute: $0) }
      )
      open(type: .unstated)
    case .alternateEnclosure:
      parts.alternate = Enclosure(
        url: "",
        mimeType: attributes.text("type"),
        title: attributes.text("title").map { line(ofAttribute: $0) },
        size: attributes.text("length").flatMap(Self.size)
      )
    case .podcastSource:
      guard place.scope == .item, let url = attributes.raw("uri").flatMap({ resolve(attribute: $0) }) else {
        return
      }
      var enclosure = parts.alternate
      enclosure.url = url
      enclosure.mimeType = attributes.text("contenttype") ?? enclosure.mimeType
      addEnclosure(enclosure)
    case .podcastImages:
      // Use the first of several sizes.
      let first = attributes.text("srcset")?.split { $0 == " " || $0 == "," || $0 == "\n" }.first
      guard var address = first.map(String.init) else { return }
      if let url = address.withUTF8({ resolve($0, policy: .resource) }) { setImage(url, rank: 3) }
    case .inReplyTo:
      guard place.scope == .item else { return }
      let target = ReplyTarget(
        ref: attributes.text("ref"),
        href: attributes.raw("href").flatMap { resolve(attribute: $0) },
        type: attributes.text("type"),
        source: attributes.raw("source").flatMap { resolve(attribute: $0) }
      )
      Self.append(target, to: &entry.draft.extensions.inReplyTo)
      entry.draft.hasExtensions = true
    default: break
    }
  }

  // MARK: Ends

  mutating func endExtension(_ frame: Frame) {
    let isItem = frame.scope == .item
    switch frame.element {
    case .itunesExplicit: endExplicit(frame)
    case .itunesBlock:
      let text = text(of: frame)
      let isBlocked = ByteText.equals(text, "yes") || ByteText.equals(text, "true")
      if isItem { entry.item.itunesBlock = isBlocked } else { feed.itunesBlock = isBlocked }
    case .itunesDuration:
      guard isItem, let seconds = DurationText.seconds(text(of: frame)) else { return }
      entry.item.itunesDuration = entry.item.itunesDuration ?? seconds
    case .mediaContent:
      entry.draft.openMedia = nil
    case .mediaTitle:
      guard isItem, let title = line(of: frame) else { return }
      // Inside `media:content` it is the caption of that medium, and the title of the item if no other is given.
      let rank: UInt8 = entry.draft.openMedia == nil ? 2 : 1
      if let open = entry.draft.openMedia { entry.draft.extensions.media[open].title = title }
      if rank > entry.rank.mediaTitle {
        entry.draft.extensions.mediaTitle = title
        entry.rank.mediaTitle = rank
      }
      entry.draft.hasExtensions = true
      if rank > entry.rank.title {
        entry.item.title = title
        entry.rank.title = rank
      }
    case .mediaDescription:
      let rank: UInt8 = entry.draft.openMedia == nil ? 2 : 1
      guard isItem, rank > entry.rank.mediaDescription, let text = mediaText(frame) else { return }
      entry.draft.extensions.mediaDescription = text
      entry.rank.mediaDescription = rank
      entry.draft.hasExtensions = true
    case .license:
      if let url = address(of: frame) { setLicense(url) }
    case .origLink:
      // Only an absolute address of the article.
      guard isItem, ByteText.hasPrefix(text(of: frame), "http"), let url = url(of: frame), WebLink.isWeb(url)
      else { return }
      entry.item.url = url
      entry.rank.link = 9
    case .origEnclosureLink:
      if isItem { entry.draft.origEnclosureLink = url(of: frame) }
    case .podcastGuid:
      if frame.scope == .feed, feed.id == nil { feed.id = verbatim(frame) }
    default:
      if isItem { endItemExtension(frame) }
    }
  }

  private mutating func endItemExtension(_ frame: Frame) {
    switch frame.element {
    case .episode: entry.draft.extensions.episode = entry.draft.extensions.episode ?? line(of: frame)
    case .season: entry.draft.extensions.season = entry.draft.extensions.season ?? line(of: frame)
    case .episodeType: entry.draft.extensions.episodeType = line(of: frame)?.lowercased()
    case .podcastPerson:
      if let name = line(of: frame) { parts.podcastPerson.name = name }
      guard !parts.podcastPerson.name.isEmpty else { return }
      Self.append(parts.podcastPerson, to: &entry.draft.extensions.persons)
    case .mediaCredit:
      guard let name = line(of: frame) else { return }
      parts.credit.name = name
      Self.append(parts.credit, to: &entry.draft.extensions.credits)
    case .commentCount:
      guard let count = ByteText.byteCount(text(of: frame)), count >= 0 else { return }
      entry.draft.extensions.commentCount = count
    case .commentsFeed: entry.draft.extensions.commentsFeedURL = url(of: frame)
    case .markdown: entry.draft.extensions.markdown = verbatim(frame).map(SafeMarkdown.disarmed)
    case .latitude:
      entry.draft.latitude = Self.number(text(of: frame))
      return
    case .longitude:
      entry.draft.longitude = Self.number(text(of: frame))
      return
    case .geoPoint, .gmlPosition:
      let parts = text(of: frame).split { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
      guard (2...3).contains(parts.count),
        let latitude = Self.number(UnsafeBufferPointer(rebasing: parts[0])),
        let longitude = Self.number(UnsafeBufferPointer(rebasing: parts[1]))
      else { return }
      setPoint(latitude: latitude, longitude: longitude)
      return
    default: return
    }
    entry.draft.hasExtensions = true
  }

  mutating func setPoint(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return }
    entry.draft.extensions.point = GeoPoint(latitude: latitude, longitude: longitude)
    entry.draft.hasExtensions = true
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count <= 40 else { return nil }
    return Double(String(decoding: ByteText.trimmed(bytes), as: UTF8.self))
  }

  private mutating func endExplicit(_ frame: Frame) {
    let text = text(of: frame)
    let isExplicit: Bool
    if ByteText.equals(text, "yes") || ByteText.equals(text, "true") || ByteText.equals(text, "explicit") {
      isExplicit = true
    } else if ByteText.equals(text, "no") || ByteText.equals(text, "false") || ByteText.equals(text, "clean")
    {
      isExplicit = false
    } else {
      return
    }
    if frame.scope == .item {
      entry.item.itunesExplicit = isExplicit
    } else {
      feed.itunesExplicit = isExplicit
    }
  }

  /// Line breaks are kept, because descriptions of videos rely on them.
  private mutating func mediaText(_ frame: Frame) -> String? {
    let text = rendition(of: frame, makesText: true)
    let plain = text.text ?? text.html
    return plain.flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func setLicense(_ url: String) {
    switch place.scope {
    case .item, .media: entry.item.license = entry.item.license ?? url
    case .feed, .outside: Self.append(Link(href: url, rel: "license"), to: &feed.links)
    case .source, .image, .textInput, .person: break
    }
  }
}
