import NewsSearch
import NewsCore

/// A query, or a part of one, as a tsquery that the index of words can answer alone.
struct WordQuery {
  /// The query in PostgreSQL's syntax.
  let text: String
  /// The query without the order of words, for items stored without positions.
  let unordered: String

  private init(_ text: String, _ unordered: String) {
    self.text = text
    self.unordered = unordered
  }

  /// Nil if the query contains anything but words, or requires no word.
  init?(_ query: Query) {
    switch query {
    case .text(let match): self = Self.term(match)
    case .and(let parts): self.init(all: parts)
    case .or(let parts):
      var alternatives: [WordQuery] = []
      for part in parts {
        guard let one = WordQuery(part) else { return nil }
        alternatives.append(one)
      }
      guard !alternatives.isEmpty else { return nil }
      self = Self.joined(alternatives, " | ")
    default: return nil
    }
  }

  /// Combines required and excluded words. Returns nil if no word is required: the index then has nothing to
  /// look up.
  init?(all parts: [Query]) {
    var wanted: [WordQuery] = []
    var unwanted: [WordQuery] = []
    for part in parts {
      if case .not(let inner) = part {
        guard let one = WordQuery(inner) else { return nil }
        unwanted.append(one)
      } else {
        guard let one = WordQuery(part) else { return nil }
        wanted.append(one)
      }
    }
    guard !wanted.isEmpty else { return nil }
    let all = Self.joined(wanted, " & ")
    guard !unwanted.isEmpty else {
      self = all
      return
    }
    let none = Self.joined(unwanted, " | ")
    // Ignore the excluded phrase for items without positions; they are checked afterwards.
    self.init("(\(all.text) & !\(none.text))", all.unordered)
  }

  private static func joined(_ parts: [WordQuery], _ separator: String) -> WordQuery {
    guard parts.count > 1 else { return parts[0] }
    return WordQuery(
      "(" + parts.map(\.text).joined(separator: separator) + ")",
      "(" + parts.map(\.unordered).joined(separator: separator) + ")"
    )
  }

  private static func term(_ match: TextMatch) -> WordQuery {
    let mark =
      switch match.field {
      case .any: ""
      case .title: TokenVector.titleMark
      case .author: TokenVector.authorMark
      }
    let spellings = match.spellings.map { spelling -> WordQuery in
      let pattern = TermPattern(spelling, isPrefix: match.kind == .prefix)
      // A search for punctuation only matches nothing: use a word that no item has.
      guard !pattern.isEmpty else { return WordQuery("'\u{1}'", "'\u{1}'") }
      let steps = pattern.steps.enumerated().map { place, forms in
        let isOpen = pattern.endsOpen && place == pattern.steps.count - 1
        let words = forms.map { quoted(mark + $0) + (isOpen ? ":*" : "") }
        return words.count == 1 ? words[0] : "(" + words.joined(separator: " | ") + ")"
      }
      guard steps.count > 1 else { return WordQuery(steps[0], steps[0]) }
      return WordQuery(
        "(" + steps.joined(separator: " <-> ") + ")",
        "(" + steps.joined(separator: " & ") + ")"
      )
    }
    return joined(spellings, " | ")
  }

  /// Quotes a lexeme, scalar by scalar: an apostrophe and a combining mark are one `Character`.
  private static func quoted(_ word: String) -> String {
    var quoted = String.UnicodeScalarView()
    quoted.append("'")
    for scalar in word.unicodeScalars {
      if scalar == "'" || scalar == "\\" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("'")
    return String(quoted)
  }
}
