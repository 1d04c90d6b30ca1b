import NewsToolbox

/// A file attached to an item, such as a podcast episode or a picture.
public struct Enclosure: Hashable, Sendable {
  public var url: String
  public var mimeType: String?
  public var title: String?
  /// The size in bytes.
  public var size: Int64?
  /// The playing time in seconds.
  public var duration: Int64?

  public init(
    url: String,
    mimeType: String? = nil,
    title: String? = nil,
    size: Int64? = nil,
    duration: Int64? = nil
  ) {
    self.url = url
    self.mimeType = mimeType
    self.title = title
    self.size = size
    self.duration = duration
  }

  public var isPicture: Bool {
    mimeType.map { $0.lowercased().hasPrefix(bytesOf: "image/") } ?? ItemPicture.hasPictureName(url)
  }

  public enum RecordingKind: Sendable { case sound, video }

  /// Whether the file is sound or video, from its type or the end of its address; nil: neither.
  public var recordingKind: RecordingKind? {
    let type = mimeType?.lowercased() ?? ""
    if type.hasPrefix(bytesOf: "audio/") { return .sound }
    if type.hasPrefix(bytesOf: "video/") { return .video }
    guard type.isEmpty || ["application/octet-stream", "application/ogg"].contains(type) else { return nil }
    let path = url.prefix(upToAny: "?#").lowercased()
    func ends(_ names: [String]) -> Bool { names.contains { path.hasSuffix(bytesOf: $0) } }
    if ends([".mp3", ".m4a", ".m4b", ".ogg", ".oga", ".opus", ".wav", ".flac", ".aac"]) { return .sound }
    return ends([".mp4", ".m4v", ".webm", ".mov", ".ogv"]) ? .video : nil
  }
}

/// What a feed says about an item's pictures and recordings outside the item's text.
public struct ItemMedia: Hashable, Sendable {
  /// The pictures among the item's media (Media RSS `media:content`), in document order.
  public var pictures: [ItemPicture] = []
  /// A small picture that represents the item (Media RSS `media:thumbnail`).
  public var thumbnail: ItemPicture?
  /// The playing time in seconds.
  public var duration: Int64?
  /// The episode's number. A text, because fractions such as `3.5` are allowed.
  public var episode: String?
  public var season: String?
  /// The document with the chapters (`podcast:chapters`).
  public var chapters: Link?
  /// The spoken text, one link for each format and language (`podcast:transcript`).
  public var transcripts: [Link] = []

  public init() {}
}

/// A picture of an item.
public struct ItemPicture: Hashable, Sendable {
  public var url: String
  /// The text that replaces the picture for people who do not see it.
  public var alt: String?
  /// In pixels.
  public var width: Int?
  public var height: Int?

  public init(url: String, alt: String? = nil, width: Int? = nil, height: Int? = nil) {
    self.url = url
    self.alt = alt
    self.width = width
    self.height = height
  }

  /// True if the path of the address ends like the name of a picture.
  public static func hasPictureName(_ url: String) -> Bool {
    let path = url.prefix(upToAny: "?#").lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains { path.hasSuffix(bytesOf: $0) }
  }
}
