import NewsCore

/// FreshRSS's filters of one feed (`frss:filtersActionRead`): a query a line, all of whose words must be met.
enum FeedFilter {
  struct Rule {
    /// Conditions in newsd's query language.
    var conditions: [String]
    var action: RuleAction

    func query(for url: String) -> String {
      (["feed:\(FeedFilter.quoted(WebAddress.redacted(url)))"] + conditions).joined(separator: " ")
    }
  }

  /// The rule that a line stands for; nil where it asks for more than words in title, author, address or text.
  static func rule(_ line: Substring, _ action: RuleAction) -> Rule? {
    var conditions: [String] = []
    var rest = line
    while let first = rest.first {
      if first == " " {
        rest.removeFirst()
        continue
      }
      var condition = ""
      if first == "-" || first == "!" {
        condition = "-"
        rest.removeFirst()
      }
      for (name, field) in fields where rest.hasPrefix(name) {
        condition += field
        rest = rest.dropFirst(name.count)
        break
      }
      guard let word = word(&rest) else { return nil }
      conditions.append(condition + quoted(word))
    }
    return conditions.isEmpty ? nil : Rule(conditions: conditions, action: action)
  }

  private static let fields = [
    ("intitle:", "title:"), ("author:", "author:"), ("inurl:", "url:"), ("intext:", ""), ("#", "tag:"),
  ]

  /// A plain word, or words in quotation marks; nil for everything else: expressions, alternatives, other fields.
  private static func word(_ rest: inout Substring) -> String? {
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
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_.+'’".contains($0) }
    return word.isEmpty || !isPlain || word == "OR" || word == "AND" ? nil : String(word)
  }

  private static func quoted(_ word: String) -> String {
    "\"" + word.replacing("\\", with: "").replacing("\"", with: "") + "\""
  }
}
