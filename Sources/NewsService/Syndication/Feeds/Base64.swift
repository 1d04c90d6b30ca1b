import NewsToolbox

/// Base64 (RFC 4648) with white space anywhere.
enum Base64 {
  /// Nil for any other character. With `isSpent`, pages of the text are released while it is decoded.
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
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte + 4)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    case UInt8(ascii: "="): padding
    case ...UInt8(ascii: " "): space
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
