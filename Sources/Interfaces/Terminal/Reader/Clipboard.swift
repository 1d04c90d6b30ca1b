import NewsToolbox

/// The terminal's clipboard (OSC 52).
enum Clipboard {
  /// Returns the sequence that copies text. The text is base64, so that nothing in it can end the sequence.
  static func sequence(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{07}".utf8)
  }
}
