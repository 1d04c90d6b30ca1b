import NewsToolbox

/// What interfaces make of a query while it is typed.
public enum TypedQuery {
  /// The query for the typed words; the last one is a prefix, because it may be incomplete.
  public static func completing(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let start = (bytes.lastIndex(of: UInt8(ascii: " ")) ?? -1) + 1
    let word = bytes[start...]
    let quotes = bytes.count { $0 == UInt8(ascii: "\"") }
    // Do not search for a prefix of one letter: too many words begin with it. Fields, quotes and signs have a meaning
    // of their own and get no prefix.
    let isPlain = word.allSatisfy { byte in
      byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard word.count > 1, isPlain, quotes.isMultiple(of: 2) else { return text }
    let last = String(decoding: word, as: UTF8.self)
    return last == "OR" || last == "AND" ? text : text + "*"
  }

  /// Says what is missing at the end of a query: a quotation mark or a parenthesis. Nil: nothing. The query language
  /// reads an open one as punctuation, so such a query is not an error, but it seldom finds what was meant.
  public static func gap(in text: String) -> String? {
    var scanner = GapScanner(Array(text.unicodeScalars))
    return scanner.gap()
  }

  /// The word at the end of a query, without the field before it and an opening quotation mark.
  public static func lastWord(of text: String) -> String {
    let word = text.cut(atLast: " ")?.after ?? text[...]
    let value = word.cut(atLast: ":")?.after ?? word
    return String(value.trimmingPrefix { $0 == "\"" })
  }

  /// True if a query has this word, such as `is:unread`.
  public static func has(_ word: String, in text: String) -> Bool { bounds(of: word, in: text) != nil }

  /// Adds a word before a query, or removes it. The last word stays the last, because it may be incomplete.
  public static func toggling(_ word: String, in text: String) -> String {
    guard let bounds = bounds(of: word, in: text) else {
      return text.isEmpty ? word + " " : word + " " + text
    }
    var bytes = Array(text.utf8)
    bytes.removeSubrange(bounds.lowerBound..<min(bounds.upperBound + 1, bytes.count))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The place of a word between spaces or the ends of a text, in bytes.
  private static func bounds(of word: String, in text: String) -> Range<Int>? {
    let bytes = Array(text.utf8)
    let wanted = Array(word.utf8)
    guard !wanted.isEmpty, wanted.count <= bytes.count else { return nil }
    let space = UInt8(ascii: " ")
    let start = (0...(bytes.count - wanted.count)).first { start in
      let end = start + wanted.count
      return bytes[start..<end].elementsEqual(wanted) && (start == 0 || bytes[start - 1] == space)
        && (end == bytes.count || bytes[end] == space)
    }
    return start.map { $0..<$0 + wanted.count }
  }
}

/// Finds a quotation mark or parenthesis that opens where a term of a query begins, and is not closed.
private struct GapScanner {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// The number of open parentheses.
  private var depth = 0

  private static let closing: [Unicode.Scalar: Set<Unicode.Scalar>] = [
    "\"": ["\""], "“": ["”", "“"], "„": ["“", "”"], "«": ["»"], "»": ["«"], "「": ["」"], "『": ["』"],
  ]

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  mutating func gap() -> String? {
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar.properties.isWhitespace || scalar == "-" {
        index += 1
      } else if scalar == ")" {
        depth = max(0, depth - 1)
        index += 1
      } else if scalar == "(" {
        depth += 1
        index += 1
      } else if let closing = Self.closing[scalar] {
        let end = scalars[(index + 1)...].firstIndex { closing.contains($0) }
        guard let end else { return "the quotation mark \(scalar) is not closed" }
        index = end + 1
      } else {
        skipWord()
      }
    }
    guard depth > 0 else { return nil }
    return depth == 1 ? "the parenthesis is not closed; add ')'" : "\(depth) parentheses are not closed"
  }

  /// Skips a word with its balanced parentheses, or a field up to its value.
  private mutating func skipWord() {
    let start = index
    var open = 0
    while index < scalars.count, !scalars[index].properties.isWhitespace {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case ":":
        let isField = scalars[start..<(index - 1)].allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || $0 == "_")
        }
        if isField, index < scalars.count, scalars[index] == "(" || Self.closing[scalars[index]] != nil {
          return
        }
      case "(": open += 1
      case ")" where open > 0: open -= 1
      case ")" where depth > 0:
        index -= 1
        return
      default: break
      }
    }
  }
}
