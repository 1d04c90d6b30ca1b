import NewsSearch
import NewsCore

/// Converts the FreshRSS filters of one feed (`frss:filtersActionRead`). Each line is a query whose words must all
/// match.
enum FeedFilter {
  struct Rule {
    var conditions: [Query]
    var action: RuleAction

    /// Returns the rule in newsd's query language, limited to one feed. The query is printed from a syntax tree and
    /// not concatenated, so that no imported word can change its meaning.
    func query(for url: String) -> String {
      QueryPrinter.text(.and([.feed(WebAddress.redacted(url))] + conditions))
    }
  }

  /// Parses one line. Returns nil for conditions other than words in title, author, address, tags or text.
  static func rule(_ line: Substring, _ action: RuleAction) -> Rule? {
    var conditions: [Query] = []
    var rest = line.unicodeScalars
    while let first = rest.first {
      if first == " " {
        rest.removeFirst()
        continue
      }
      let isNegated = first == "-" || first == "!"
      if isNegated { rest.removeFirst() }
      let field = fields.first { rest.starts(with: $0.name.unicodeScalars) }
      if let field { rest.removeFirst(field.name.unicodeScalars.count) }
      guard let word = word(&rest) else { return nil }
      let condition = (field?.condition ?? words(.any))(word)
      conditions.append(isNegated ? .not(condition) : condition)
    }
    return conditions.isEmpty ? nil : Rule(conditions: conditions, action: action)
  }

  private static let fields: [(name: String, condition: @Sendable (String) -> Query)] = [
    ("intitle:", words(.title)), ("author:", words(.author)), ("inurl:", { .url($0) }),
    ("intext:", words(.any)), ("#", { .tag($0) }),
  ]

  private static func words(_ field: TextMatch.Field) -> @Sendable (String) -> Query {
    { .text(TextMatch(field: field, kind: .phrase, text: $0)) }
  }

  /// Reads a plain word or a quoted phrase. Returns nil for expressions, alternatives and other fields.
  private static func word(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard let first = rest.first else { return nil }
    if first == "\"" || first == "'" {
      rest.removeFirst()
      guard let end = rest.firstIndex(of: first) else { return nil }
      let word = rest[..<end]
      rest = rest[rest.index(after: end)...]
      return word.isEmpty ? nil : String(word)
    }
    let word = rest.prefix { $0 != " " }
    rest = rest[word.endIndex...]
    let isPlain = word.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || $0.properties.generalCategory == .nonspacingMark
        || $0.properties.generalCategory == .spacingMark || "-_.+'’".unicodeScalars.contains($0)
    }
    return word.isEmpty || !isPlain || String(word) == "OR" || String(word) == "AND" ? nil : String(word)
  }
}
