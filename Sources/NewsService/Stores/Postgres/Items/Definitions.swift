import NewsStoresShared
import NewsCore
import NewsToolbox

/// The user's rules, saved searches and hooks, which decide how items are stored.
struct Definitions: Hashable {
  private struct Rule: Hashable {
    var query: String
    var actions: String
    var until: Timestamp?
  }

  private struct Search: Hashable {
    var name: String
    var query: String
  }

  private let rules: [Rule]
  private let searches: [Search]
  let hooks: [StoredHook]

  static let statements = [
    Statement(
      """
      SELECT r.query, r.action, f.until
      FROM rules AS r LEFT JOIN rule_facts AS f ON f.number = r.number ORDER BY r.number
      """
    ),
    Statement("SELECT lower(name), query FROM saved_searches ORDER BY number"),
    Statement("SELECT \(StoredHook.columns) FROM hooks WHERE is_active = 1 ORDER BY name"),
  ]

  init(_ answers: ArraySlice<Rows>) {
    let answers = Array(answers)
    rules = answers[0].map { Rule(query: $0.string(0), actions: $0.string(1), until: $0.time(2)) }
    searches = answers[1].map { Search(name: $0.string(0), query: $0.string(1)) }
    hooks = answers[2].map { StoredHook($0) }
  }

  var ruleBook: RuleBook {
    RuleBook(rules.map { ($0.query, $0.actions, $0.until) }) { (name) throws(StoreError) in savedQuery(name) }
  }

  /// Returns the query of a saved search; nil if there is none. Names that differ only in the case of ASCII letters are
  /// equal, as on the server.
  func savedQuery(_ name: String) -> String? {
    let wanted = name.utf8.map(ASCII.lowercase)
    return searches.first { $0.name.utf8.elementsEqual(wanted) }?.query
  }
}
