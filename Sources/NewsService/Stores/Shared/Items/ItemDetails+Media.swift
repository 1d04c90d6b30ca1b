import NewsCore
import NewsToolbox

/// The JSON text of an item's media.
extension ItemDetails {
  static func json(_ media: ItemMedia) -> JSONValue {
    .object(of: [
      "pictures": media.pictures.isEmpty ? nil : .array(media.pictures.map(json)),
      "thumbnail": media.thumbnail.map(json), "duration": media.duration.map(JSONValue.integer),
      "episode": media.episode.map(JSONValue.string), "season": media.season.map(JSONValue.string),
      "chapters": media.chapters.map(json),
      "transcripts": media.transcripts.isEmpty ? nil : .array(media.transcripts.map(json)),
    ])
  }

  private static func json(_ picture: ItemPicture) -> JSONValue {
    .object(of: [
      "url": .string(picture.url), "alt": picture.alt.map(JSONValue.string),
      "width": picture.width.map { .integer(Int64($0)) },
      "height": picture.height.map { .integer(Int64($0)) },
    ])
  }

  private static func json(_ link: Link) -> JSONValue {
    .object(of: [
      "url": .string(link.href), "rel": link.rel.map(JSONValue.string),
      "type": link.type.map(JSONValue.string),
      "language": link.hreflang.map(JSONValue.string),
    ])
  }

  static func media(_ value: JSONValue) -> ItemMedia {
    var media = ItemMedia()
    media.pictures = value["pictures"]?.array?.compactMap(picture) ?? []
    media.thumbnail = value["thumbnail"].flatMap(picture)
    media.duration = value["duration"]?.integer
    media.episode = value["episode"]?.string
    media.season = value["season"]?.string
    media.chapters = value["chapters"].flatMap(link)
    media.transcripts = value["transcripts"]?.array?.compactMap(link) ?? []
    return media
  }

  private static func picture(_ value: JSONValue) -> ItemPicture? {
    guard let url = value["url"]?.string else { return nil }
    return ItemPicture(
      url: url,
      alt: value["alt"]?.string,
      width: value["width"]?.integer.flatMap(Int.init(exactly:)),
      height: value["height"]?.integer.flatMap(Int.init(exactly:))
    )
  }

  private static func link(_ value: JSONValue) -> Link? {
    guard let url = value["url"]?.string else { return nil }
    return Link(
      href: url,
      rel: value["rel"]?.string,
      type: value["type"]?.string,
      hreflang: value["language"]?.string
    )
  }
}

extension ItemMedia {
  /// All values that must not contain control characters.
  var addresses: [String?] {
    let files = transcripts + [chapters].compactMap(\.self)
    let shown = pictures + [thumbnail].compactMap(\.self)
    return shown.map { $0.url } + files.flatMap { [$0.href, $0.rel, $0.type, $0.hreflang] as [String?] }
  }

  /// The bytes of all texts, and those of the names around them.
  var size: Int {
    let texts = addresses + pictures.map(\.alt) + [thumbnail?.alt, episode, season]
    return texts.reduce(0) { $0 + 100 + ($1?.utf8.count ?? 0) }
  }
}
