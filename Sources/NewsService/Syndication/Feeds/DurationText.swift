import NewsToolbox

/// Parses playing times in the forms that podcasts use.
enum DurationText {
  /// Converts forms such as `3600`, `90.5`, `1:30:00`, `12:34`, `1h 30m`, `90 min` and `PT1H30M` to whole
  /// seconds; nil for other text.
  static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    let text = ByteText.trimmed(bytes)
    guard !text.isEmpty, text.count <= 32 else { return nil }
    // `1,800` consists of groups of digits; it is not a fraction.
    if text.contains(UInt8(ascii: ",")), let seconds = ByteText.byteCount(text) { return Int64(seconds) }
    if let seconds = clock(text) { return seconds }
    return units(text)
  }

  /// Parses numbers separated by colons. The last number is seconds and may have a fraction.
  private static func clock(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var total: Int64 = 0
    var field: Int64 = 0
    var digits = 0
    var fields = 1
    var index = 0
    while index < text.count {
      let byte = text[index]
      if ASCII.isDigit(byte) {
        field = field * 10 + Int64(byte - UInt8(ascii: "0"))
        digits += 1
        guard digits <= 9 else { return nil }
      } else if byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";") {
        guard fields < 4 else { return nil }
        // An empty part counts as 0: `:30`, `1::30`.
        total = (total + field) * 60
        field = 0
        digits = 0
        fields += 1
      } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
        index += 1
        while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
        guard index == text.count else { return nil }
        break
      } else {
        return nil
      }
      index += 1
    }
    guard fields > 1 || digits > 0, fields <= 3 else { return nil }
    return total + field
  }

  private static func units(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var total: Int64 = 0
    var number: Int64?
    var found = false
    var index = 0
    while index < text.count {
      let byte = ASCII.lowercase(text[index])
      if ASCII.isDigit(byte) {
        let value = (number ?? 0) * 10 + Int64(byte - UInt8(ascii: "0"))
        guard value < 1_000_000_000 else { return nil }
        number = value
        index += 1
        continue
      }
      if ASCII.isLetter(byte) {
        var end = index
        while end < text.count, ASCII.isLetter(text[end]) { end += 1 }
        if let value = number {
          switch byte {
          case UInt8(ascii: "d"): total += value * 86_400
          case UInt8(ascii: "h"): total += value * 3600
          case UInt8(ascii: "m"): total += value * 60
          case UInt8(ascii: "s"): total += value
          default: return nil
          }
          found = true
          number = nil
        } else if byte != UInt8(ascii: "p"), byte != UInt8(ascii: "t") {  // P and T of ISO 8601
          return nil
        }
        index = end
        continue
      }
      guard byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ".") else {
        return nil
      }
      index += 1
    }
    return found && number == nil ? total : nil
  }
}
