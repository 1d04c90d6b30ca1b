/// Field values as strings, without loss: what is not UTF-8 keeps its bytes, so that a validator goes back as it came.
enum HeaderText {
  /// Bytes that are not UTF-8 become scalars of the private use area, `U+F700` plus the byte.
  static func decode(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // Valid UTF-8 comes out as long as it went in; anything repaired grows or differs.
    if text.utf8.elementsEqual(bytes) { return text }
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      scalars.append(Unicode.Scalar(byte < 0x80 ? UInt32(byte) : 0xF700 + UInt32(byte)) ?? "?")
    }
    return String(scalars)
  }

  /// The bytes that `decode` read.
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

  /// Text for a message: at most 200 characters, nothing that steers a terminal, no password.
  static func shown(_ bytes: some Collection<UInt8>) -> String {
    shown(String(decoding: bytes, as: UTF8.self))
  }

  static func shown(_ text: String) -> String {
    var text = text
    if let scheme = text.firstRange(of: "://"),
      let at = text[scheme.upperBound...].prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).lastIndex(
        of: "@"
      )
    {
      text.removeSubrange(scheme.upperBound...at)
    }
    let scalars = text.unicodeScalars.prefix(200).map { $0.properties.generalCategory == .control ? "?" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func isRawByte(_ scalar: Unicode.Scalar) -> Bool {
    (0xF780...0xF7FF).contains(scalar.value)
  }
}
