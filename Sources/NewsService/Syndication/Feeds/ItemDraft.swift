import NewsCore

/// How good the value is that a field has so far: a later element replaces it only with a better one.
struct Ranks {
  var title: UInt8 = 0
  var id: UInt8 = 0
  var link: UInt8 = 0
  var summary: UInt8 = 0
  var content: UInt8 = 0
  var image: UInt8 = 0
  var published: UInt8 = 0
  var updated: UInt8 = 0
  var language: UInt8 = 0
  var rights: UInt8 = 0
  var mediaTitle: UInt8 = 0
  var mediaDescription: UInt8 = 0
}

/// What an item has said that is decided only at its end.
struct ItemDraft {
  /// Used when nobody else is named.
  var fallbackAuthor: Author?
  var latitude: Double?
  var longitude: Double?
  /// Index into `media` of the open `media:content`.
  var openMedia: Int?
  var origEnclosureLink: String?
  var extensions = ItemExtensions()
  var hasExtensions = false
  /// Its HTML links to places in itself.
  var hasFragments = false
  /// The summary as found; it becomes the content when there is none.
  var summary = Rendition()
  /// The language it says it is in.
  var summaryLanguage: String?
}

/// An item that goes on when the one inside it has ended.
struct SuspendedItem {
  /// Where the inner item's element stands among the open ones.
  var frame: Int
  var item = ParsedItem()
  var rank = Ranks()
  var draft = ItemDraft()
  var address: String?
  /// Nobody takes what it says any more.
  var isHandedOver = false
}

extension ParsedItem {
  /// There is neither text nor a picture or recording in the item's own text, which is sanitised.
  var showsNothing: Bool {
    if var text = contentText, !text.withUTF8({ Self.showsNothing($0, isHTML: false) }) { return false }
    guard var html = contentHTML else { return true }
    return html.withUTF8 { Self.showsNothing($0, isHTML: true) }
  }

  private static func showsNothing(_ html: UnsafeBufferPointer<UInt8>, isHTML: Bool) -> Bool {
    var index = 0
    while index < html.count {
      switch html[index] {
      case 0x3C where isHTML:
        let rest = UnsafeBufferPointer(rebasing: html[(index + 1)...])
        for name: StaticString in ["img", "audio", "video", "picture"] where ByteText.hasPrefix(rest, name) {
          return false
        }
        guard let end = ByteText.firstIndex(of: 0x3E, in: html, from: index) else { return true }
        index = end + 1
      case ...0x20: index += 1
      case 0xC2 where index + 1 < html.count && html[index + 1] == 0xA0: index += 2
      default: return false
      }
    }
    return true
  }
}

/// HTML and plain text of one field.
struct Rendition {
  /// Nil: the field is plain text.
  var html: String?
  /// Nil: not asked for.
  var text: String?
  var isEmpty: Bool { html == nil && text == nil }
}
