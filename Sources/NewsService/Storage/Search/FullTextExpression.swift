import NewsService

/// A query, or the part of one, that the full-text index answers alone, in the language of FTS5.
struct FullTextExpression {
  /// Nil: no word in it, so that it holds for every item.
  var text: String?

  private init(text: String?) { self.text = text }

  /// Nil when the query asks for anything but words.
  init?(_ query: Query) {
    switch query {
    case .text(let match): self.init(text: Self.term(match))
    case .and(let parts): self.init(all: parts)
    case .or(let parts): self.init(any: parts)
    default: return nil
    }
  }

  private init?(any parts: [Query]) {
    var alternatives: [String] = []
    for part in parts {
      guard let expression = FullTextExpression(part) else { return nil }
      guard let text = expression.text else {
        self.init(text: nil)
        return
      }
      alternatives.append(text)
    }
    guard !alternatives.isEmpty else { return nil }
    self.init(
      text: alternatives.count == 1 ? alternatives[0] : "(" + alternatives.joined(separator: " OR ") + ")"
    )
  }

  /// Words that must be there, without those of the negated parts. FTS5 has no expression that only excludes.
  init?(all parts: [Query]) {
    var wanted: [String] = []
    var unwanted: [String] = []
    for part in parts {
      if case .not(let inner) = part {
        guard let expression = FullTextExpression(inner), let text = expression.text else { return nil }
        unwanted.append(text)
      } else {
        guard let expression = FullTextExpression(part) else { return nil }
        if let text = expression.text { wanted.append(text) }
      }
    }
    guard !wanted.isEmpty else {
      guard unwanted.isEmpty, !parts.isEmpty else { return nil }
      text = nil
      return
    }
    var whole = wanted.count == 1 ? wanted[0] : "(" + wanted.joined(separator: " AND ") + ")"
    if !unwanted.isEmpty {
      let rest = unwanted.count == 1 ? unwanted[0] : "(" + unwanted.joined(separator: " OR ") + ")"
      whole = "(\(whole) NOT \(rest))"
    }
    text = whole
  }

  /// Quoted, so that nothing a person types is taken for an operator of FTS5.
  private static func term(_ match: TextMatch) -> String? {
    guard let last = WordTokenizer.tokens(of: match.text, mode: .query).last else { return nil }
    let parts = match.text.split(separator: "\"", omittingEmptySubsequences: false)
    let quoted = "\"" + parts.joined(separator: "\"\"") + "\""
    // A single character of a script without spaces begins the pairs that hold it.
    let star = match.kind == .prefix || last.isLoneCharacter ? " *" : ""
    switch match.field {
    case .any: return quoted + star
    case .title: return "title : " + quoted + star
    case .author: return "author : " + quoted + star
    }
  }
}
