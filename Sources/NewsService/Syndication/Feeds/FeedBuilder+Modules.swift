import NewsCore
import NewsToolbox

/// Reads the attributes of podcasts, Media RSS and discussions.
extension FeedBuilder {
  // MARK: Media RSS

  mutating func startMedia(_ kind: ElementRule.Kind, _ attributes: XMLAttributes) {
    guard place.scope == .item || place.scope == .feed else {
      if kind == .mediaCredit { open(type: .plain) }
      return
    }
    switch kind {
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
    case .mediaPlayer:
      guard place.scope == .item, let url = attributes.raw("url").flatMap({ resolve(attribute: $0) }) else {
        return
      }
      Self.append(url, to: &entry.draft.extensions.players, &entry.lists.players)
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
      // Most media without type and medium are pictures.
      if ItemPicture.hasPictureName(url) {
        setImage(url, rank: 1)
      } else if Self.looksLikeRecording(url) {
        addEnclosure(Enclosure(url: url))
      }
      return
    }
    addEnclosure(Enclosure(url: url, mimeType: media.type, size: media.size, duration: media.duration))
  }

  /// Parses a number of pixels: `640` or `640px`, not `50%`.
  private static func pixels(_ raw: UnsafeBufferPointer<UInt8>) -> Int? {
    var text = ByteText.trimmed(raw)
    if ByteText.hasSuffix(text, "px") { text = UnsafeBufferPointer(rebasing: text.dropLast(2)) }
    return text.allSatisfy(ASCII.isDigit) ? ByteText.integer(text) : nil
  }

  private static func looksLikeRecording(_ url: String) -> Bool {
    let path = url.split(ascii: "?", maxSplits: 1).first.map { $0.lowercased() } ?? ""
    return [
      ".mp3", ".m4a", ".ogg", ".oga", ".opus", ".wav", ".flac", ".aac", ".mp4", ".m4v", ".webm", ".mov",
      ".ogv",
    ]
    .contains { path.hasSuffix($0) }
  }

  // MARK: Podcasts

  mutating func startPodcast(_ kind: ElementRule.Kind, _ attributes: XMLAttributes) {
    switch kind {
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
      if kind == .chapters {
        entry.draft.extensions.chapters = entry.draft.extensions.chapters ?? link
      } else {
        Self.append(link, to: &entry.draft.extensions.transcripts, &entry.lists.transcripts)
      }
    case .podcastPerson:
      parts.podcastPerson = PodcastPerson(
        name: attributes.text("name").map { GivenName.cut(line(ofAttribute: $0)) } ?? "",
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
    default: break
    }
  }

  // MARK: Discussions

  mutating func startReply(_ attributes: XMLAttributes) {
    guard place.scope == .item else { return }
    let target = ReplyTarget(
      ref: attributes.text("ref"),
      href: attributes.raw("href").flatMap { resolve(attribute: $0) },
      type: attributes.text("type"),
      source: attributes.raw("source").flatMap { resolve(attribute: $0) }
    )
    Self.append(target, to: &entry.draft.extensions.inReplyTo, &entry.lists.replies)
  }
}
