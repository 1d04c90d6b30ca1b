import NewsCore
import NewsText
import NewsFormats
import NewsToolbox

/// The parts of an item that sync clients show.
enum ItemMarkup {
  /// The item's text as HTML: its sanitized HTML, else its plain text with line breaks, else its summary.
  static func html(_ item: NewsItem) -> String {
    if let html = item.contentHTML, !html.isEmpty { return html }
    return html(ofText: item.contentText.isEmpty ? item.summary ?? "" : item.contentText)
  }

  /// The HTML with the pictures that the feed has outside it, for clients that know no enclosures.
  static func htmlWithPictures(_ item: NewsItem) -> String {
    var markup = ByteBuffer()
    for picture in item.picturesAboveText where WebAddress.isWeb(picture.url) {
      markup.append(literal: "<p><img")
      markup.attribute("src", picture.url)
      markup.attribute("alt", picture.alt ?? "")
      markup.append(literal: "></p>\n")
    }
    return markup.string() + html(item)
  }

  /// The pictures that the feed has outside the text and that are no enclosures, for clients that know only enclosures.
  static func unattachedPictures(_ item: NewsItem) -> [ItemPicture] {
    let attached = Set(item.enclosures.map(\.url))
    return item.picturesBesideText.filter { !attached.contains($0.url) && WebAddress.isWeb($0.url) }
  }

  /// The type of these pictures. Clients take pictures by the beginning of the type; the feed rarely names the rest.
  static let pictureType = "image/jpeg"

  /// Plain text as HTML.
  static func html(ofText text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 64)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "\n"): bytes += "<br>\n".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names of the authors.
  static func author(_ item: NewsItem) -> String {
    item.authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The item's URL; for an item without one, its page at newsd.
  static func link(_ item: NewsItem, _ site: WebSite) -> String {
    item.url ?? site.url("/item/\(item.id.rawValue)")
  }

  /// The time of publication, clamped for clients with 32-bit numbers.
  static func published(_ item: NewsItem) -> Int64 { clamped(item.published ?? item.stored) }

  static func updated(_ item: NewsItem) -> Int64 { clamped(item.updated ?? item.published ?? item.stored) }

  private static func clamped(_ time: Timestamp) -> Int64 { min(max(time.seconds, 1), Int64(Int32.max)) }
}

extension Feed {
  /// The title and address that clients see, without a password.
  var visibleTitle: String { WebAddress.redacted(title) }
  var visibleURL: String { WebAddress.redacted(url) }
}
