import Modules
import NewsCore
import NewsText
public import NewsToolbox

extension ByteBuffer {
  /// Appends character data or an attribute value for XML 1.0. Escapes markup, drops characters that XML forbids
  /// (section 2.2), and writes C1 and bidirectional controls as references.
  public mutating func append(xml text: String) {
    text.withBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var start = 0
      var index = 0
      while index < bytes.count {
        guard let (replacement, length) = Self.xmlEscape(base + index, bytes.count - index) else {
          index += 1
          continue
        }
        append(UnsafeBufferPointer(start: base + start, count: index - start))
        append(replacement)
        index += length
        start = index
      }
      append(UnsafeBufferPointer(start: base + start, count: bytes.count - start))
    }
  }

  private static func xmlEscape(_ base: UnsafePointer<UInt8>, _ count: Int) -> (String, Int)? {
    switch base[0] {
    case UInt8(ascii: "&"): return ("&amp;", 1)
    case UInt8(ascii: "<"): return ("&lt;", 1)
    case UInt8(ascii: ">"): return ("&gt;", 1)
    case UInt8(ascii: "\""): return ("&quot;", 1)
    case UInt8(ascii: "'"): return ("&#39;", 1)
    // A parser would normalize a literal carriage return to a line feed.
    case UInt8(ascii: "\r"): return ("&#13;", 1)
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): return nil
    case 0x00...0x1F, 0x7F: return ("", 1)
    case 0xC2:
      guard count > 1, base[1] < 0xA0 else { return nil }
      return ("&#\(base[1]);", 2)
    case 0xE2:
      guard count > 2 else { return nil }
      let scalar = UInt16(base[1] & 0x3F) << 6 | UInt16(base[2] & 0x3F) | 0x2000
      let isControl = (0x202A...0x202E).contains(scalar) || (0x2066...0x2069).contains(scalar)
      return isControl ? ("&#\(scalar);", 3) : nil
    case 0xEF:
      // XML forbids U+FFFE and U+FFFF.
      guard count > 2, base[1] == 0xBF, base[2] >= 0xBE else { return nil }
      return ("", 3)
    default: return nil
    }
  }

  /// Appends text for HTML. Controls become U+FFFD, because HTML reads a reference to a C1 control as another
  /// character.
  package mutating func append(html text: String) {
    append(xml: DisplayText(block: text).string)
  }

  /// Appends the markup of an item without its control characters.
  mutating func append(markup html: String) {
    html.withBytes { append(markup: $0) }
  }

  mutating func append(markup bytes: UnsafeBufferPointer<UInt8>) {
    appendReplacing(bytes) { byte in
      switch byte {
      case UInt8(ascii: "\t"), UInt8(ascii: "\n"): nil
      case UInt8(ascii: "\r"): "\n"
      case 0x00...0x1F, 0x7F: ""
      default: nil
      }
    }
  }

  /// Appends `<name>text</name>`.
  public mutating func element(_ name: StaticString, _ text: String, attributes: StaticString = "") {
    append(literal: "<")
    append(literal: name)
    append(literal: attributes)
    append(literal: ">")
    append(xml: text)
    append(literal: "</")
    append(literal: name)
    append(literal: ">\n")
  }

  /// Appends ` name="text"`; nothing for nil.
  public mutating func attribute(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    append(literal: " ")
    append(literal: name)
    append(literal: "=\"")
    append(xml: text)
    append(literal: "\"")
  }
}

/// Converts text to the grammar of a protocol.
package enum ProtocolText {
  /// Percent-encodes characters that a URL cannot contain, such as spaces, quotes and controls, and `%`, `#`
  /// and brackets where they are not valid.
  package static func url(_ text: String) -> String {
    let isClean = text.utf8.allSatisfy {
      $0 > UInt8(ascii: " ") && $0 != 0x7F && !isForbidden($0) && !isSpecial($0) && $0 != 0xC2 && $0 != 0xE2
    }
    guard !isClean else { return text }
    var result = ""
    for scalar in percentEncodingInvalid(text).unicodeScalars {
      let isControl =
        scalar.value <= 0x20 || (0x7F...0xA0).contains(scalar.value)
        || (0x2028...0x202F).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      if isControl || (scalar.isASCII && isForbidden(UInt8(scalar.value))) {
        result += PercentCoding.encode(String(scalar)) { _ in false }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// True for characters that are valid only in certain places of a URL.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: "#")
  }

  /// Percent-encodes each `%` that begins no escape, brackets outside the host, and every `#` but the first (RFC
  /// 3986 sections 2.1, 3.2.2 and 3.5).
  private static func percentEncodingInvalid(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var hasFragment = false
    let host = hostRange(bytes)
    for (index, byte) in bytes.enumerated() {
      let isWrong: Bool
      switch byte {
      case UInt8(ascii: "%"):
        isWrong = PercentCoding.byte(at: index + 1, of: bytes) == nil
      case UInt8(ascii: "["), UInt8(ascii: "]"):
        isWrong = !host.contains(index)
      case UInt8(ascii: "#"):
        isWrong = hasFragment
        hasFragment = true
      default: isWrong = false
      }
      if isWrong { PercentCoding.append(byte, to: &result) } else { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The range where `[…]` is allowed: after `://`, up to the next `/`, `?` or `#`.
  private static func hostRange(_ bytes: [UInt8]) -> Range<Int> {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 2 < bytes.count,
      bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
    else { return 0..<0 }
    let start = colon + 3
    let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
    return start..<end
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// Returns `tag` if it has the form of a BCP 47 language tag, else nil.
  package static func language(_ tag: String?) -> String? {
    guard let tag, (2...35).contains(tag.utf8.count),
      tag.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }),
      let first = tag.split(ascii: "-", omittingEmptySubsequences: false).first,
      !first.utf8.contains(where: ASCII.isDigit),
      tag.split(ascii: "-", omittingEmptySubsequences: false).allSatisfy({ (1...8).contains($0.utf8.count) })
    else { return nil }
    return tag
  }

  /// Returns `type` if it has the form of a MIME type, else nil.
  static func mimeType(_ type: String?) -> String? {
    guard let type, let (kind, subtype) = type.cut(atFirst: "/"), type.utf8.count < 100 else { return nil }
    let isName = [kind, subtype].allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "!#$&-^_.+".utf8.contains($0) }
    }
    return isName ? type : nil
  }

  /// A date such as `Fri, 20 Nov 2026 08:15:00 +0000` (RFC 5322 section 3.3; RSS 2.0 uses the same form).
  static func mailDate(_ time: Timestamp) -> String {
    let civil = time.civil()
    let day = "\(EnglishNames.weekdays[civil.weekday]), \(civil.day) \(EnglishNames.months[civil.month - 1])"
    return "\(day) \(year(civil)) \(civil.clock) +0000"
  }

  /// A date such as `Fri Nov 20 08:15:00 2026` (asctime), for the line that begins a message in a mailbox file.
  static func mailboxDate(_ time: Timestamp) -> String {
    let civil = time.civil()
    let month = "\(EnglishNames.weekdays[civil.weekday]) \(EnglishNames.months[civil.month - 1])"
    return "\(month) \(String(civil.day).leftPadded(to: 2)) \(civil.clock) \(year(civil))"
  }

  private static func year(_ civil: CivilTime) -> String { min(max(civil.year, 0), 9999).digits(4) }
}
