import NewsCore

/// A query, or the part of one, that the full-text index answers alone, in the language of FTS5.
struct FullTextExpression {
  let text: String

  private init(_ text: String) { self.text = text }

  /// Nil when the query asks for anything but words.
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

  /// Words that must be there, without those of the negated parts. FTS5 has no expression that only excludes.
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

  /// Quoted, so that nothing a person types is taken for an operator of FTS5.
  private static func term(_ match: TextMatch) -> String {
    let column =
      switch match.field {
      case .any: ""
      case .title: "title : "
      case .author: "author : "
      }
    let spellings = match.spellings.map { spelling in
      let pattern = TermPattern(spelling, isPrefix: match.kind == .prefix)
      // An empty phrase finds nothing, as punctuation does.
      guard !pattern.isEmpty else { return column + "\"\"" }
      let parts = spelling.split(separator: "\"", omittingEmptySubsequences: false)
      // A single character of a script without spaces begins the pairs that hold it.
      return column + "\"" + parts.joined(separator: "\"\"") + "\"" + (pattern.endsOpen ? " *" : "")
    }
    return joined(spellings, " OR ")
  }
}
