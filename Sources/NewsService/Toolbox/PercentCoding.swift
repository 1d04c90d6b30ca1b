/// Percent-encoding (RFC 3986 section 2.1), by bytes.
public enum PercentCoding {
  @usableFromInline static let digits = Array("0123456789ABCDEF".utf8)

  /// Appends `%` and two upper-case digits.
  @inlinable
  public static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(digits[Int(byte >> 4)])
    bytes.append(digits[Int(byte & 15)])
  }

  /// Encodes every byte of `text` for which `isKept` returns false.
  public static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      if isKept(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True for letters, digits, `-`, `.`, `_` and `~`, which are equivalent encoded and unencoded (RFC 3986 section
  /// 2.3).
  @inlinable
  public static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The byte encoded by the two digits at `index` (after a `%`); nil when they are not hexadecimal digits.
  @inlinable
  public static func byte<Bytes: RandomAccessCollection<UInt8>>(
    at index: Bytes.Index,
    of bytes: Bytes
  ) -> UInt8? {
    guard index < bytes.endIndex, let high = value(ofDigit: bytes[index]) else { return nil }
    let next = bytes.index(after: index)
    guard next < bytes.endIndex, let low = value(ofDigit: bytes[next]) else { return nil }
    return high << 4 | low
  }

  /// The value of a hexadecimal digit; nil for any other byte.
  @inlinable
  public static func value(ofDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Decodes `text`; nil for a `%` without two digits, and for bytes that are not UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        guard let byte = byte(at: index + 1, of: bytes) else { return nil }
        decoded.append(byte)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(validating: decoded, as: UTF8.self)
  }
}
