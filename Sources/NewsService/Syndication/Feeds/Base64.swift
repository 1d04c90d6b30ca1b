/// RFC 4648, with white space anywhere.
enum Base64 {
  /// Nil when anything else stands in it.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    var isPadded = false
    for byte in text {
      let value: UInt32
      switch byte {
      case 0x41...0x5A: value = UInt32(byte - 0x41)
      case 0x61...0x7A: value = UInt32(byte - 0x47)
      case 0x30...0x39: value = UInt32(byte + 4)
      case 0x2B, 0x2D: value = 62
      case 0x2F, 0x5F: value = 63
      case 0x3D:
        isPadded = true
        continue
      case ...0x20: continue
      default: return nil
      }
      guard !isPadded else { return nil }
      bits = bits << 6 | value
      count += 1
      if count == 4 {
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
        count = 0
      }
    }
    switch count {
    case 0: break
    case 2: result.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return result
  }
}
