import NewsToolbox

/// References that are valid without a DTD (XML 1.0 sections 4.1 and 4.6).
enum XMLReference {
  /// Decodes a reference to its character, and returns its length. The length is 0 if there is no reference, or if
  /// XML does not allow the character.
  @inline(__always)
  static func read(
    _ ampersand: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> (character: UInt32, length: Int) {
    let rest = end - ampersand
    guard rest >= 4 else { return none }
    let name = UnsafeBufferPointer(start: ampersand + 1, count: min(rest - 1, 5))
    switch ampersand[1] {
    case UInt8(ascii: "#"): return numeric(ampersand, rest)
    case UInt8(ascii: "l"): return begins(name, "lt;") ? (character("<"), 4) : none
    case UInt8(ascii: "g"): return begins(name, "gt;") ? (character(">"), 4) : none
    case UInt8(ascii: "q"): return begins(name, "quot;") ? (character("\""), 6) : none
    case UInt8(ascii: "a"):
      if begins(name, "amp;") { return (character("&"), 5) }
      return begins(name, "apos;") ? (character("'"), 6) : none
    default: return none
    }
  }

  private static let none: (character: UInt32, length: Int) = (0, 0)

  @inline(__always)
  private static func character(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value }

  @inline(__always)
  private static func begins(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard text.count >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where text[index] != word.utf8Start[index] { return false }
    return true
  }

  private static func numeric(
    _ ampersand: UnsafePointer<UInt8>,
    _ rest: Int
  ) -> (character: UInt32, length: Int) {
    let isHexadecimal = ampersand[2] == UInt8(ascii: "x")
    let first = isHexadecimal ? 3 : 2
    var index = first
    var value: UInt32 = 0
    // The repairer handles longer numbers.
    let limit = min(rest, 16)
    while index < limit {
      let byte = ampersand[index]
      if byte == UInt8(ascii: ";") { break }
      if isHexadecimal {
        guard let digit = ASCII.hexValue(byte) else { return none }
        value = value &* 16 &+ UInt32(digit)
      } else {
        guard ASCII.isDigit(byte) else { return none }
        value = value &* 10 &+ UInt32(byte &- UInt8(ascii: "0"))
      }
      if value > 0x10FFFF { return none }
      index += 1
    }
    guard index < limit, index > first, isAllowed(value) else { return none }
    return (value, index + 1)
  }

  /// True for the characters that XML allows (`Char`, XML 1.0 section 2.2).
  static func isAllowed(_ value: UInt32) -> Bool {
    value == 9 || value == 10 || value == 13 || (0x20...0xD7FF).contains(value)
      || (0xE000...0xFFFD).contains(value) || (0x10000...0x10FFFF).contains(value)
  }
}
