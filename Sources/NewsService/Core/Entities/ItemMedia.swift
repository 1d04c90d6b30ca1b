import NewsToolbox

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

  /// Maximum number of pictures and of transcripts that are kept.
  private static let listLength = 20
  /// Maximum number of Unicode scalars of an alternative text.
  private static let alternativeLength = 1500
  /// Maximum number of Unicode scalars of an episode's or season's number.
  private static let numberLength = 40

  /// Returns nil if the item has nothing of this.
  public init?(_ item: ParsedItem) {
    let extensions = item.extensions
    duration = (item.itunesDuration ?? item.enclosures.lazy.compactMap(\.duration).first).flatMap {
      $0 > 0 ? $0 : nil
    }
    if let extensions {
      pictures = extensions.media.lazy.filter(\.isPicture).prefix(Self.listLength).map {
        ItemPicture(
          url: $0.url,
          alt: $0.alt.map { Self.cut($0, to: Self.alternativeLength) },
          width: $0.width,
          height: $0.height
        )
      }
      thumbnail = extensions.thumbnails.first.map {
        ItemPicture(url: $0.url, width: $0.width, height: $0.height)
      }
      episode = extensions.episode.map { Self.cut($0, to: Self.numberLength) }
      season = extensions.season.map { Self.cut($0, to: Self.numberLength) }
      chapters = extensions.chapters
      transcripts = Array(extensions.transcripts.prefix(Self.listLength))
    }
    if self == ItemMedia() { return nil }
  }

  private static func cut(_ text: String, to length: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
  }

  /// The values in the form in which a parser delivers them.
  public var extensions: ItemExtensions {
    var extensions = ItemExtensions()
    extensions.media = pictures.map {
      var media = MediaObject(url: $0.url)
      media.medium = "image"
      media.alt = $0.alt
      media.width = $0.width
      media.height = $0.height
      return media
    }
    extensions.thumbnails = [thumbnail].compactMap {
      $0.map { MediaThumbnail(url: $0.url, width: $0.width, height: $0.height) }
    }
    extensions.episode = episode
    extensions.season = season
    extensions.chapters = chapters
    extensions.transcripts = transcripts
    return extensions
  }
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

  /// The last part of the address's path, without the size that some programs append to the name: `dune` of
  /// `/2026/dune-300x200.jpg?w=140`. Addresses of one picture in several sizes mostly have the same name.
  var name: Substring {
    let file = url.prefix(upToAny: "?#").split(ascii: "/").last ?? ""
    let name = file.prefix(upToAny: ".")
    guard let (before, after) = name.cut(atLast: "-") else { return name }
    let sides = after.split(ascii: "x", omittingEmptySubsequences: false)
    let isSize = sides.count == 2 && sides.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }
    return isSize ? before : name
  }
}

extension MediaObject {
  fileprivate var isPicture: Bool {
    medium == "image" || type?.lowercased().hasPrefix(bytesOf: "image/") == true
      || medium == nil && type == nil && ItemPicture.hasPictureName(url)
  }
}

extension ItemPicture {
  /// True if the path of the address ends like the name of a picture.
  public static func hasPictureName(_ url: String) -> Bool {
    let path = url.prefix(upToAny: "?#").lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains { path.hasSuffix(bytesOf: $0) }
  }
}

extension NewsItem {
  /// The pictures to show above the text: those of the feed that the text does not contain, each in its largest size.
  ///
  /// The item must have been read with `ItemParts.details` and its HTML.
  public var picturesBesideText: [ItemPicture] {
    var found: [ItemPicture] = []
    func add(_ picture: ItemPicture) {
      guard let index = found.firstIndex(where: { $0.url == picture.url || $0.isVariant(of: picture) }) else {
        return found.append(picture)
      }
      let alt = found[index].alt ?? picture.alt
      if picture.url == found[index].url || picture.width ?? 0 > found[index].width ?? 0 {
        found[index] = picture
      }
      found[index].alt = alt
    }
    if let image { add(ItemPicture(url: image)) }
    for picture in media?.pictures ?? [] { add(picture) }
    for enclosure in enclosures where enclosure.isPicture {
      add(ItemPicture(url: enclosure.url, alt: enclosure.title))
    }
    guard let contentHTML, contentHTML.contains(bytesOf: "<img") else { return found }
    return found.filter { !$0.isShown(in: contentHTML) }
  }

  /// The picture for a row of a list: the thumbnail, else the first picture.
  public var thumbnail: String? {
    media?.thumbnail?.url ?? image ?? media?.pictures.first?.url ?? enclosures.first(where: \.isPicture)?.url
  }
}

extension Enclosure {
  public var isPicture: Bool {
    mimeType.map { $0.lowercased().hasPrefix(bytesOf: "image/") } ?? ItemPicture.hasPictureName(url)
  }
}

extension Enclosure {
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

extension ItemPicture {
  /// True for two sizes of one picture. Only addresses that differ in nothing but the size have the same name and
  /// different widths.
  fileprivate func isVariant(of other: ItemPicture) -> Bool {
    name.utf8.count >= Self.distinctLength && name == other.name && (width != other.width || width == nil)
  }

  /// Minimum bytes of a name that is unlikely to name two pictures.
  private static var distinctLength: Int { 4 }

  /// True if the HTML shows this picture, perhaps in another size.
  fileprivate func isShown(in html: String) -> Bool {
    if html.contains(bytesOf: url) || html.contains(bytesOf: url.replacing(ascii: "&", with: "&amp;")) {
      return true
    }
    return name.utf8.count >= 2 * Self.distinctLength && html.contains(bytesOf: name)
  }
}
