/// The terminal's clipboard (OSC 52).
enum Clipboard {
  /// Returns the sequence that copies text. The text is base64, so that nothing in it can end the sequence.
  static func sequence(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = Array(text.utf8)
    var coded = Array("\u{1B}]52;c;".utf8)
    var index = 0
    while index < bytes.count {
      let part = bytes[index..<min(index + 3, bytes.count)]
      let value = part.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
      for place in 0..<4 {
        coded.append(place <= part.count ? alphabet[value >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
      index += 3
    }
    return coded + [0x07]
  }
}
