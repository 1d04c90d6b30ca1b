import NewsCore
import NewsToolbox

/// Converts field values to strings and back without loss. Bytes that are not UTF-8 are preserved, so that a validator
/// round-trips unchanged.
enum HeaderText {
  /// Decodes field bytes. If they are not valid UTF-8, each non-ASCII byte becomes the private-use scalar U+F700 plus
  /// the byte.
  static func decode(_ bytes: some Collection<UInt8>) -> String {
    let text = String(streamSafe: bytes)
    // Valid UTF-8 re-encodes to the same bytes.
    if text.utf8.elementsEqual(bytes) { return text }
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      scalars.append(Unicode.Scalar(byte < 0x80 ? UInt32(byte) : 0xF700 + UInt32(byte)) ?? "?")
    }
    return String(scalars)
  }

  /// Returns the bytes from which `decode` made the text.
  static func encode(_ text: String) -> [UInt8] {
    guard text.unicodeScalars.contains(where: isRawByte) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if isRawByte(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: Array(String(scalar).utf8))
      }
    }
    return bytes
  }

  /// Returns text for a message: at most 200 scalars, without terminal control characters or user information.
  static func shown(_ bytes: some Collection<UInt8>) -> String {
    shown(String(streamSafe: bytes))
  }

  static func shown(_ text: String) -> String {
    let text = String(streamSafe: withoutUserInformation(Array(text.utf8)))
    return MessageText.printable(String(text.unicodeScalars.prefix(200)))
  }

  /// Removes user information: the text from each `//` to the last `@` before the next `/`, `?`, `#`, backslash or
  /// space.
  private static func withoutUserInformation(_ bytes: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let ends = Set("/?#\\ ".utf8)
    var result: [UInt8] = []
    var rest = bytes[...]
    while let start = rest.indices.first(where: { rest[$0...].starts(with: [slash, slash]) }) {
      let authority = rest[(start + 2)...].prefix { !ends.contains($0) }
      result += rest[...(start + 1)]
      rest = rest[(authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start + 2)...]
      // The authority contains no `//`, so continue after it.
      let host = rest.prefix { !ends.contains($0) }
      result += host
      rest = rest[host.endIndex...]
    }
    return result + rest
  }

  private static func isRawByte(_ scalar: Unicode.Scalar) -> Bool {
    (0xF780...0xF7FF).contains(scalar.value)
  }
}
