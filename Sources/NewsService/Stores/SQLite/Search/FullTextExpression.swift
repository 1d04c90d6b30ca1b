import NewsSearch
import NewsCore

/// A query, or a part of one, as an FTS5 expression that the full-text index can answer alone.
struct FullTextExpression {
  let text: String

  private init(_ text: String) { self.text = text }

  /// Translates a query. Returns nil if the query contains anything but words, or requires no word.
  init?(_ query: Query) {
    switch query {
    case .text(let match): self.init(Self.term(match))
    case .and(let parts): self.init(all: parts)
    case .or(let parts):
      var alternatives: [String] = []
      for part in parts {
        guard let expression = FullTextExpression(part) else { return nil }
        alternatives.append(expression.text)
      }
      guard !alternatives.isEmpty else { return nil }
      self.init(Self.joined(alternatives, " OR "))
    default: return nil
    }
  }

  /// Combines required and excluded words. Returns nil without required words, because FTS5 cannot express pure
  /// exclusion.
  init?(all parts: [Query]) {
    var wanted: [String] = []
    var unwanted: [String] = []
    for part in parts {
      if case .not(let inner) = part {
        guard let expression = FullTextExpression(inner) else { return nil }
        unwanted.append(expression.text)
      } else {
        guard let expression = FullTextExpression(part) else { return nil }
        wanted.append(expression.text)
      }
    }
    guard !wanted.isEmpty else { return nil }
    let all = Self.joined(wanted, " AND ")
    self.init(unwanted.isEmpty ? all : "(\(all) NOT \(Self.joined(unwanted, " OR ")))")
  }

  private static func joined(_ parts: [String], _ separator: String) -> String {
    parts.count == 1 ? parts[0] : "(" + parts.joined(separator: separator) + ")"
  }

  /// Quotes the words, so that FTS5 treats none of them as an operator.
  private static func term(_ match: TextMatch) -> String {
    let column =
      switch match.field {
      case .any: ""
      case .title: "title : "
      case .author: "author : "
      }
    let spellings = match.spellings.map { spelling in
      let pattern = TermPattern(spelling, isPrefix: match.kind == .prefix)
      // Return an empty phrase, which matches nothing, such as for a search for punctuation.
      guard !pattern.isEmpty else { return column + "\"\"" }
      // In scripts without spaces, a single character matches the character pairs that start with it.
      return column + quoted(spelling) + (pattern.endsOpen ? " *" : "")
    }
    return joined(spellings, " OR ")
  }

  /// Returns an FTS5 string literal. Iterates over scalars because FTS5 reads bytes: `"` and a following combining mark
  /// are one `Character`. Replaces control characters by spaces, because FTS5 stops at NUL, and words contain no
  /// control characters.
  private static func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    quoted.append("\"")
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
