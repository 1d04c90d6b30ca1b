/// RFC 4648, with white space anywhere.
enum Base64 {
  /// Nil when anything else stands in it. `isSpent`: nobody reads the text again once it is decoded.
  static func decode(_ text: UnsafeBufferPointer<UInt8>, isSpent: Bool) -> ByteBuffer? {
    guard isWellFormed(text) else { return nil }
    var result = ByteBuffer(capacity: text.count / 4 * 3 + 4)
    var pages = SpentPages(text, isSpent: isSpent)
    var bits: UInt32 = 0
    var count = 0
    for index in 0..<text.count {
      let digit = value(text[index])
      guard digit < 64 else { continue }
      bits = bits << 6 | digit
      count += 1
      if count == 4 {
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
        count = 0
        pages.giveBack(upTo: index)
      }
    }
    if count == 2 { result.append(UInt8(truncatingIfNeeded: bits >> 4)) }
    if count == 3 {
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    }
    return result
  }

  private static let padding: UInt32 = 64
  private static let space: UInt32 = 65
  private static let other: UInt32 = 66

  @inline(__always)
  private static func value(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0x41...0x5A: UInt32(byte - 0x41)
    case 0x61...0x7A: UInt32(byte - 0x47)
    case 0x30...0x39: UInt32(byte + 4)
    case 0x2B, 0x2D: 62
    case 0x2F, 0x5F: 63
    case 0x3D: padding
    case ...0x20: space
    default: other
    }
  }

  private static func isWellFormed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var count = 0
    var isPadded = false
    for byte in text {
      switch value(byte) {
      case space: continue
      case padding: isPadded = true
      case other: return false
      default:
        if isPadded { return false }
        count += 1
      }
    }
    return count % 4 != 1
  }
}
