import NewsStoresShared
import NewsCore

/// A query as an SQL condition on one row `i` of `items`.
struct QueryCondition: QueryDialect {
  /// The way in which the condition looks up words when it is combined with others.
  enum WordLookup {
    /// Collects all matches before the first row is checked. Suits many rows.
    case gathered
    /// Queries the index for each row. Suits few rows.
    case perRow
  }

  private(set) var sql = ""
  let session: Connection
  let values: StatementValues
  private let lookup: WordLookup

  /// The condition's parameters are added to `values`.
  init(
    _ query: Query,
    words: WordLookup,
    _ values: StatementValues,
    _ connection: Connection
  ) throws(StoreError) {
    session = connection
    self.values = values
    lookup = words
    sql = try translate(query)
  }

  func words(_ query: Query, selectsMore: Bool) -> String? {
    guard let expression = FullTextExpression(query) else { return nil }
    let match = "SELECT rowid FROM search WHERE search MATCH \(values.add(expression.text))"
    return lookup == .gathered ? "i.key IN (\(match))" : "EXISTS (\(match) AND rowid = i.key)"
  }

  func regex(_ pattern: String, in field: TextMatch.Field, selectsMore: Bool) -> String {
    let pattern = values.add(pattern)
    let title = "newsd_regex(\(pattern), i.title)"
    func content(_ column: String) -> String {
      "newsd_regex(\(pattern), (SELECT c.\(column) FROM contents AS c WHERE c.id = i.id))"
    }
    switch field {
    case .title: return title
    case .author: return content("author")
    case .any: return "(\(title) OR \(content("text")))"
    }
  }

  func tag(_ parameter: String) -> String {
    "i.key IN (SELECT item FROM item_tags WHERE tag = (SELECT id FROM tags WHERE name = \(parameter)))"
  }

  func like(_ column: String, _ parameter: String) -> String { "\(column) LIKE \(parameter) ESCAPE '\\'" }

  func since(_ time: Timestamp) -> String { "(\(ItemKey.condition(since: time, key: "i.key")))" }

  func until(_ time: Timestamp) -> String { "(\(ItemKey.condition(until: time, key: "i.key")))" }

  /// Prevents the query planner from using an index for this condition.
  mutating func keepFromIndex() { sql = Connection.unindexed(sql) }
}
