/// The references that XML knows without a DTD (XML 1.0 sections 4.1 and 4.6).
enum XMLReference {
  /// The character and the reference's length; a length of 0: it is none, or stands for what XML does not allow.
  @inline(__always)
  static func read(
    _ ampersand: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> (character: UInt32, length: Int) {
    let rest = end - ampersand
    guard rest >= 4 else { return (0, 0) }
    switch ampersand[1] {
    case 0x6C where ampersand[2] == 0x74 && ampersand[3] == 0x3B: return (0x3C, 4)
    case 0x67 where ampersand[2] == 0x74 && ampersand[3] == 0x3B: return (0x3E, 4)
    case 0x61:
      if rest >= 5, ampersand[2] == 0x6D, ampersand[3] == 0x70, ampersand[4] == 0x3B { return (0x26, 5) }
      if rest >= 6, ampersand[2] == 0x70, ampersand[3] == 0x6F, ampersand[4] == 0x73, ampersand[5] == 0x3B {
        return (0x27, 6)
      }
      return (0, 0)
    case 0x71:
      guard rest >= 6, ampersand[2] == 0x75, ampersand[3] == 0x6F, ampersand[4] == 0x74, ampersand[5] == 0x3B
      else { return (0, 0) }
      return (0x22, 6)
    case 0x23: return numeric(ampersand, rest)
    default: return (0, 0)
    }
  }

  private static func numeric(
    _ ampersand: UnsafePointer<UInt8>,
    _ rest: Int
  ) -> (character: UInt32, length: Int) {
    let isHexadecimal = ampersand[2] == 0x78
    let first = isHexadecimal ? 3 : 2
    var index = first
    var value: UInt32 = 0
    // Longer numbers are mostly zeros or no characters; the mender reads them.
    let limit = min(rest, 16)
    while index < limit {
      let byte = ampersand[index]
      if byte == 0x3B { break }
      if isHexadecimal {
        guard let digit = ASCII.hexValue(byte) else { return (0, 0) }
        value = value &* 16 &+ digit
      } else {
        guard ASCII.isDigit(byte) else { return (0, 0) }
        value = value &* 10 &+ UInt32(byte &- 0x30)
      }
      if value > 0x10FFFF { return (0, 0) }
      index += 1
    }
    guard index < limit, index > first, isAllowed(value) else { return (0, 0) }
    return (value, index + 1)
  }

  /// Char of XML 1.0 section 2.2.
  static func isAllowed(_ value: UInt32) -> Bool {
    value == 9 || value == 10 || value == 13 || (0x20...0xD7FF).contains(value)
      || (0xE000...0xFFFD).contains(value) || (0x10000...0x10FFFF).contains(value)
  }
}
