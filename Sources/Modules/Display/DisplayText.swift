import NewsToolbox
/// Text that is safe to show on a terminal, even if it comes from a feed.
///
/// Text views accept no other type, so that text from a feed cannot move the cursor, change colours or reorder a
/// line. Control characters (C0, DEL, C1) become `U+FFFD`; bidirectional embeddings, overrides and isolates are
/// removed.
public struct DisplayText: Hashable, Sendable {
  public let string: String

  /// One line: a line break or a tab becomes a space; runs of spaces are kept.
  public init(line text: String) {
    string = Self.needsCleaning(text) ? Self.clean(text, keepsLines: false) : text
  }

  /// Several lines: every kind of line break becomes `\n`, a tab becomes four spaces.
  public init(block text: String) {
    string = Self.needsCleaning(text) ? Self.clean(text, keepsLines: true) : text
  }

  /// A literal of the program.
  public init(_ literal: StaticString) {
    string = literal.description
  }

  /// Skips the cleaning. Pass only a part of a `DisplayText` or a literal of the program.
  package init(unchecked string: String) {
    self.string = string
  }

  public var isEmpty: Bool { string.isEmpty }

  /// True if the text has letters of a right-to-left script.
  public var isRightToLeft: Bool { Self.hasRightToLeft(string) }

  static func hasRightToLeft(_ text: String) -> Bool {
    let mayHave = text.withBytes { bytes in
      // First bytes in UTF-8: D6…DF and E0 for Hebrew, Arabic and their neighbours, EF for presentation forms, F0
      // for the rest.
      bytes.contains { (0xD6...0xDF).contains($0) || $0 == 0xE0 || $0 == 0xEF || $0 == 0xF0 }
    }
    guard mayHave else { return false }
    return text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
  }

  private static func needsCleaning(_ text: String) -> Bool {
    text.withBytes { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x20 || byte == 0x7F { return true }
        // C2 80…9F: C1 controls. E2 80 and E2 81: separators and bidirectional controls. EF BB BF: U+FEFF.
        if byte == 0xC2, index + 1 < bytes.count, bytes[index + 1] < 0xA0 { return true }
        if byte == 0xE2, index + 2 < bytes.count, isControl(bytes[index + 1], bytes[index + 2]) {
          return true
        }
        if byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBB, bytes[index + 2] == 0xBF {
          return true
        }
        index += 1
      }
      return false
    }
  }

  /// True if `E2 second third` encodes U+2028…202E or U+2066…2069.
  private static func isControl(_ second: UInt8, _ third: UInt8) -> Bool {
    (second == 0x80 && (0xA8...0xAE).contains(third)) || (second == 0x81 && (0xA6...0xA9).contains(third))
  }

  private static func clean(_ text: String, keepsLines: Bool) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A:
        // CR already produced the line break; skip LF.
        if previous != "\r" { result.append(keepsLines ? "\n" : " ") }
      case 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029:
        result.append(keepsLines ? "\n" : " ")
      case 0x09:
        if keepsLines { result.append(contentsOf: "    ".unicodeScalars) } else { result.append(" ") }
      case 0x00...0x1F, 0x7F...0x9F:
        result.append("\u{FFFD}")
      case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF:
        break
      default:
        result.append(scalar)
      }
      previous = scalar
    }
    // Combining marks that were apart may form one long run now.
    return String(result).streamSafe
  }
}

extension DisplayText {
  /// Wraps right-to-left text in FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, so that it does not reorder its
  /// neighbours on the line (Unicode Standard Annex 9).
  public var isolated: String {
    isRightToLeft ? "\u{2068}\(string)\u{2069}" : string
  }

  public static func + (a: DisplayText, b: DisplayText) -> DisplayText {
    DisplayText(unchecked: a.string + b.string)
  }

  /// Joins the parts with a literal separator.
  public static func joined(_ parts: [DisplayText], by separator: StaticString) -> DisplayText {
    DisplayText(unchecked: parts.map(\.string).joined(separator: separator.description))
  }
}

extension DisplayText {
  /// The text without leading and trailing white space.
  public var trimmed: DisplayText {
    let isSpace = { (scalar: Unicode.Scalar?) in scalar?.properties.isWhitespace == true }
    guard isSpace(string.unicodeScalars.first) || isSpace(string.unicodeScalars.last) else { return self }
    var rest = string.unicodeScalars[...]
    while isSpace(rest.first) { rest.removeFirst() }
    while isSpace(rest.last) { rest.removeLast() }
    return DisplayText(unchecked: String(rest))
  }
}
