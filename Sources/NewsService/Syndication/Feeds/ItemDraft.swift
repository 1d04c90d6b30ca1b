import NewsCore

/// Values read from the open item, evaluated when the item ends.
struct ItemDraft {
  /// `itunes:author` or `googleplay:author`.
  var fallbackAuthor: Author?
  var latitude: Double?
  var longitude: Double?
  /// Index of the open `media:content` in `media`.
  var openMedia: Int?
  var origEnclosureLink: String?
  var extensions = ItemExtensions() {
    didSet { hasExtensions = true }
  }
  private(set) var hasExtensions = false
  /// True if the item's HTML links to anchors in itself.
  var hasFragments = false
  /// The summary, which becomes the content if the item has no other content.
  var summary = Rendition()
  /// `xml:lang` of the summary.
  var summaryLanguage: String?
}

extension ParsedItem {
  /// True if the item's sanitized text has neither words, pictures nor recordings. Links to frames do not count.
  var showsNothing: Bool {
    if var text = contentText, !text.withUTF8({ Self.showsNothing($0, isHTML: false) }) { return false }
    guard var html = contentHTML.map(KeptMarkup.removed) else { return true }
    return html.withUTF8 { Self.showsNothing($0, isHTML: true) }
  }

  private static func showsNothing(_ html: UnsafeBufferPointer<UInt8>, isHTML: Bool) -> Bool {
    var index = 0
    while index < html.count {
      switch html[index] {
      case UInt8(ascii: "<") where isHTML:
        let rest = UnsafeBufferPointer(rebasing: html[(index + 1)...])
        for name: StaticString in ["img", "audio", "video", "picture"] where ByteText.hasPrefix(rest, name) {
          return false
        }
        guard let end = ByteText.firstIndex(of: UInt8(ascii: ">"), in: html, from: index) else { return true }
        index = end + 1
      case ...UInt8(ascii: " "): index += 1
      case 0xC2 where index + 1 < html.count && html[index + 1] == 0xA0: index += 2
      default: return false
      }
    }
    return true
  }
}

/// HTML and plain text of a field.
struct Rendition {
  /// The HTML; nil if the field is plain text.
  var html: String?
  /// The plain text; nil if it was not requested.
  var text: String?
  var isEmpty: Bool { html == nil && text == nil }
  /// True if the field has neither HTML nor text, for example because the sanitizer removed a lone `<!DOCTYPE html>`.
  var saysNothing: Bool { html == nil && text?.isEmpty ?? true }
}
