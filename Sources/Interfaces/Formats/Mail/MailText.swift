import Modules
import NewsToolbox

/// The encodings of mail: RFC 2045 for bodies, RFC 2047 for header fields.
enum MailText {
  // MARK: Headers

  /// Folds the value of an unstructured header field whose name takes `indent` columns.
  static func unstructured(_ text: String, indent: Int) -> String {
    let line = DisplayText(line: text).trimmed.string
    guard isPlain(line), let folded = fold(line, indent: indent) else {
      return encodedWords(line, indent: indent)
    }
    return folded
  }

  /// Encodes a display name: as a quoted string if it is short ASCII, else as encoded words.
  static func phrase(_ text: String, indent: Int) -> String {
    let line = DisplayText(line: text).trimmed.string
    guard isPlain(line), line.utf8.count < 60 else { return encodedWords(line, indent: indent) }
    return "\"" + line.backslashing("\"\\") + "\""
  }

  /// True for printable ASCII without the start of an encoded word (RFC 2047).
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: " ")...UInt8(ascii: "~")).contains($0) }
      && !text.contains(bytesOf: "=?")
  }

  /// Folds at single spaces, so that unfolding restores the text; nil if a space begins, ends or follows
  /// another, or if a word has more than 76 bytes.
  private static func fold(_ text: String, indent: Int) -> String? {
    var result = ""
    var column = indent
    for (index, word) in text.split(ascii: " ", omittingEmptySubsequences: false).enumerated() {
      guard !word.isEmpty || text.isEmpty, word.utf8.count <= 76 else { return nil }
      if index > 0 {
        let breaks = column + 1 + word.utf8.count > 78
        result += breaks ? "\n " : " "
        column = breaks ? 1 : column + 1
      }
      result += word
      column += word.utf8.count
    }
    return result
  }

  /// Converts text to encoded words (RFC 2047) of at most 75 characters, one per line; no word splits a character.
  private static func encodedWords(_ text: String, indent: Int) -> String {
    var words: [String] = []
    var bytes: [UInt8] = []
    // 45 bytes give 60 digits, and 72 characters with `=?utf-8?B?` and `?=`. The first line also contains the
    // field's name.
    var room = max(45 - (indent + 2) / 4 * 3, 15)
    func flush() {
      guard !bytes.isEmpty else { return }
      words.append("=?utf-8?B?\(Base64.encode(bytes))?=")
      bytes = []
      room = 45
    }
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      if bytes.count + next.count > room { flush() }
      bytes += next
    }
    flush()
    return words.joined(separator: "\n ")
  }

  // MARK: Bodies

  /// Returns body text in the shorter of RFC 2045's two encodings, with the name of the encoding.
  ///
  /// Neither encoding produces a line that begins with `From ` or `>`, so that a mailbox file needs no quoting of
  /// lines.
  static func body(_ text: String) -> (encoding: String, lines: String) {
    var odd = 0
    for byte in text.utf8 where byte >= 0x80 || byte == UInt8(ascii: "=") { odd += 1 }
    // Quoted-printable writes three bytes for each of the counted bytes; base64 writes four bytes for any three.
    if odd * 6 > text.utf8.count { return ("base64", base64Lines(Array(text.utf8))) }
    return ("quoted-printable", quotedPrintable(text))
  }

  static func quotedPrintable(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + text.utf8.count / 8)
    var column = 0
    func put(_ piece: [UInt8]) {
      // The last of 76 columns is reserved for a soft line break.
      if column + piece.count > 75 {
        result.append(UInt8(ascii: "="))
        result.append(UInt8(ascii: "\n"))
        column = 0
      }
      result += piece
      column += piece.count
    }
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let endsLine = index + 1 == bytes.count || bytes[index + 1] == UInt8(ascii: "\n")
      switch byte {
      case UInt8(ascii: "\n"):
        result.append(UInt8(ascii: "\n"))
        column = 0
      case UInt8(ascii: "F"), UInt8(ascii: ">"), UInt8(ascii: "."):
        put(column == 0 || column == 75 ? escaped(byte) : [byte])
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        put(endsLine ? escaped(byte) : [byte])
      case UInt8(ascii: "!")...UInt8(ascii: "~") where byte != UInt8(ascii: "="):
        put([byte])
      default:
        put(escaped(byte))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func base64Lines(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 57)
      .map { Base64.encode(Array(bytes[$0..<min($0 + 57, bytes.count)])) }
      .joined(separator: "\n")
  }
}
