import NewsStoresShared
import NewsCore

/// A query as an SQL condition on one row `i` of `items`.
///
/// The server cannot evaluate newsd's regular expressions, nor phrases in items stored without positions. For these,
/// the condition also selects items that do not match. `needsCheck` is then set, and the caller checks each item with
/// `QueryMatcher`.
struct ItemCondition: QueryDialect {
  private(set) var sql = ""
  /// True if the condition may select items that do not match the query.
  private(set) var needsCheck = false
  let session: Connection
  let values: StatementValues
  private let hasClipped: Bool

  /// Translates a query whose saved searches are expanded. `hasClipped` is true if some items of the store lack
  /// positions or words. The condition's parameters are added to `values`.
  init(
    _ query: Query,
    hasClipped: Bool,
    _ values: StatementValues,
    _ connection: Connection
  ) throws(StoreError) {
    session = connection
    self.hasClipped = hasClipped
    self.values = values
    sql = try translate(query)
  }

  mutating func words(_ query: Query, selectsMore: Bool) -> String? {
    guard let words = WordQuery(query) else { return nil }
    if hasClipped { needsCheck = true }
    let match =
      hasClipped && selectsMore
      ? Self.loose(words, values)
      : "\(hasClipped ? "w.clipped = 0 AND " : "")w.words @@ \(values.add(words.text))::tsquery"
    return "EXISTS (SELECT 1 FROM words AS w WHERE w.id = i.id AND (\(match)))"
  }

  /// The condition on a row `w` of `words`; selects more than the query where positions or words are missing.
  static func loose(_ words: WordQuery, _ values: StatementValues) -> String {
    "w.words @@ \(values.add(words.text))::tsquery OR w.clipped = 1 AND w.words @@ "
      + "\(values.add(words.unordered))::tsquery OR w.clipped = 2"
  }

  mutating func regex(_ pattern: String, in field: TextMatch.Field, selectsMore: Bool) -> String {
    needsCheck = true
    return selectsMore ? "true" : "false"
  }

  func tag(_ parameter: String) -> String {
    "EXISTS (SELECT 1 FROM item_tags AS t WHERE t.item = i.id AND t.tag = \(parameter))"
  }

  func like(_ column: String, _ parameter: String) -> String {
    "lower(\(column)) LIKE lower(\(parameter) COLLATE \"C\")"
  }

  func since(_ time: Timestamp) -> String { "i.sort >= \(time.seconds)" }

  func until(_ time: Timestamp) -> String { "i.sort < \(time.seconds)" }
}
