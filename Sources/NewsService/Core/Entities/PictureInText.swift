import NewsToolbox

/// Finds the pictures in the HTML of an item.
package enum PictureInText {
  /// Maximum number of bytes of the HTML that are searched.
  package static let searchedBytes = 30_000
  /// Pictures that are at most so wide or high, such as smileys, represent no item.
  private static let smallest = 48

  /// Returns the address of the first picture in sanitized HTML that is large enough; nil if there is none on the web.
  package static func url(in html: String) -> String? {
    html.withBytes { bytes in
      urls(UnsafeBufferPointer(rebasing: bytes.prefix(searchedBytes)), limit: 1, takesSmall: false).first
    }
  }

  /// Returns the addresses of the first pictures in sanitized HTML.
  package static func urls(in html: String, limit: Int) -> [String] {
    html.withBytes { urls($0, limit: limit, takesSmall: true) }
  }

  private static func urls(
    _ text: UnsafeBufferPointer<UInt8>,
    limit: Int,
    takesSmall: Bool
  ) -> [String] {
    var found: [String] = []
    var index = text.startIndex
    while found.count < limit, let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      guard text[start...].starts(with: "<img ".utf8) else { continue }
      guard let close = text[start...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let tag = String(decoding: text[start..<close], as: UTF8.self)
      if let url = value("src", of: tag), WebAddress.isWeb(url), takesSmall || !isSmall(tag) {
        found.append(url)
      }
      index = close
    }
    return found
  }

  private static func isSmall(_ tag: String) -> Bool {
    ["width", "height"].contains { name in
      value(name, of: tag).flatMap { Int($0) }.map { $0 <= smallest } ?? false
    }
  }

  /// The value of an attribute as the sanitizer writes it.
  private static func value(_ name: String, of tag: String) -> String? {
    let start = " \(name)=\""
    let bytes = Array(tag.utf8)
    let sought = Array(start.utf8)
    guard bytes.count > sought.count,
      let place = (0...(bytes.count - sought.count)).first(where: {
        bytes[$0..<$0 + sought.count].elementsEqual(sought)
      })
    else { return nil }
    let rest = bytes[(place + sought.count)...]
    return unescaped(String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
  }

  /// The value without the references that the sanitizer writes.
  private static func unescaped(_ value: String) -> String {
    let parts = value.split(ascii: "&", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(parts.first.map { String($0) } ?? "") { text, part in
      let references = [("quot;", "\""), ("lt;", "<"), ("gt;", ">"), ("amp;", "&")]
      guard let (name, sign) = references.first(where: { part.hasPrefix(bytesOf: $0.0) }) else {
        return text + "&" + part
      }
      return text + sign + part.slice(name.utf8.count...)
    }
  }
}
