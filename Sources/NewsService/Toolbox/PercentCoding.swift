/// Percent-encoding (RFC 3986 section 2.1), by bytes.
public enum PercentCoding {
  /// Appends a byte as `%` and two upper-case hexadecimal digits.
  @inlinable
  public static func append<Sink: ByteSink & ~Copyable>(_ byte: UInt8, to sink: inout Sink) {
    sink.append(UInt8(ascii: "%"))
    sink.append(ASCII.hexDigit(byte >> 4))
    sink.append(ASCII.hexDigit(byte & 15))
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

  /// True for letters, digits, `-`, `.`, `_` and `~`, which mean the same encoded or not (RFC 3986 section 2.3).
  @inlinable
  public static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: ASCII.isAlphanumeric(byte)
    }
  }

  /// Returns the byte encoded by the two digits at `index` (after a `%`); nil when they are not hexadecimal digits.
  @inlinable
  public static func byte<Bytes: RandomAccessCollection<UInt8>>(
    at index: Bytes.Index,
    of bytes: Bytes
  ) -> UInt8? {
    guard index < bytes.endIndex, let high = ASCII.hexValue(bytes[index]) else { return nil }
    let next = bytes.index(after: index)
    guard next < bytes.endIndex, let low = ASCII.hexValue(bytes[next]) else { return nil }
    return high << 4 | low
  }

  /// Decodes `text`; nil for a `%` without two digits, and for bytes that are not UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var isWellFormed = true
    let decoded = mapEscapes(of: text.utf8) { byte, isEscaped, decoded in
      if !isEscaped, byte == UInt8(ascii: "%") { isWellFormed = false }
      decoded.append(byte)
    }
    return isWellFormed ? String(validating: decoded, as: UTF8.self)?.streamSafe : nil
  }

  /// `text` decoded as browsers do: a `%` without two digits stays, and bytes that are not UTF-8 become U+FFFD.
  public static func decodeLeniently(_ text: some Collection<UInt8>) -> String {
    String(streamSafe: mapEscapes(of: text) { byte, _, decoded in decoded.append(byte) })
  }

  /// Normalizes text (RFC 3986 section 6.2.2): decodes unreserved bytes and writes the other escapes in
  /// capitals. `mustEncode` returns true for a byte that must be encoded; not called for unreserved bytes.
  public static func normalize(
    _ text: some Collection<UInt8>,
    encoding mustEncode: (UInt8) -> Bool = { _ in false }
  )
    -> String
  {
    let bytes = mapEscapes(of: text) { byte, isEscaped, normal in
      if !isUnreserved(byte), isEscaped || mustEncode(byte) {
        append(byte, to: &normal)
      } else {
        normal.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Calls `write` for each byte, with escapes decoded.
  private static func mapEscapes(
    of text: some Collection<UInt8>,
    _ write: (_ byte: UInt8, _ isEscaped: Bool, _ output: inout [UInt8]) -> Void
  ) -> [UInt8] {
    let bytes = Array(text)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), let byte = byte(at: index + 1, of: bytes) {
        write(byte, true, &output)
        index += 3
      } else {
        write(bytes[index], false, &output)
        index += 1
      }
    }
    return output
  }
}
