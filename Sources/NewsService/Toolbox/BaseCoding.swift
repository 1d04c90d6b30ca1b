/// Converts between bytes and hexadecimal digits.
public enum Hex {
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Decodes hexadecimal digits. Returns nil if the number of digits is odd or the text contains other characters.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = ASCII.hexValue(text[index]), let low = ASCII.hexValue(text[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

/// Base32 (RFC 4648 section 6).
public enum Base32 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// Encodes bytes, without padding.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(digits[Int(bits >> count & 31)])
      }
    }
    if count > 0 { text.append(digits[Int(bits << (5 - count) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Base64 (RFC 4648 sections 4 and 5).
public enum Base64 {
  /// Decodes text, padded or not, with white space anywhere; returns nil for ill-formed text.
  public static func decode(_ text: UnsafeBufferPointer<UInt8>) -> ByteBuffer? {
    guard isWellFormed(text) else { return nil }
    var result = ByteBuffer(capacity: text.count / 4 * 3 + 4)
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
      }
    }
    if count == 2 { result.append(UInt8(truncatingIfNeeded: bits >> 4)) }
    if count == 3 {
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    }
    return result
  }

  /// Encodes with padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = 0
      for offset in 0..<3 { group = group << 8 | (offset < count ? Int(bytes[start + offset]) : 0) }
      for place in 0..<4 {
        result.append(place <= count ? digits[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes for URLs and file names (section 5), without padding.
  public static func encodeForURL(_ bytes: [UInt8]) -> String {
    let text = encode(bytes).utf8.compactMap { (byte) -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
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
