import NewsCore
import NewsToolbox

/// Reads and writes the ids of items in the forms of the Google Reader API.
enum ItemIdentifier {
  static let prefix = "tag:google.com,2005:reader/item/"

  /// The long form: the prefix and 16 hexadecimal digits.
  static func long(_ number: Int64) -> String { prefix + UInt64(bitPattern: number).hexDigits(16) }

  /// Reads an id. Digits after the prefix are hexadecimal, and so are 16 digits that begin with 0 or contain
  /// a letter; anything else is a decimal number, which may be negative. Returns nil for other text.
  static func read(_ text: String) -> NewsItem.ID? {
    if text.hasPrefix(bytesOf: prefix) { return hexadecimal(text.utf8.dropFirst(prefix.utf8.count)) }
    let hasLetter = text.utf8.contains { ASCII.isLetter($0) }
    if text.utf8.count == 16, text.utf8.first == UInt8(ascii: "0") || hasLetter {
      return hexadecimal(text.utf8)
    }
    guard text.utf8.count <= 20, text.utf8.first != UInt8(ascii: "+") else { return nil }
    return Int64(text).map(ItemNumbers.id)
  }

  private static func hexadecimal(_ digits: some Collection<UInt8>) -> NewsItem.ID? {
    guard (1...16).contains(digits.count) else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      guard let digit = ASCII.hexValue(digit) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return ItemNumbers.id(Int64(bitPattern: value))
  }
}
