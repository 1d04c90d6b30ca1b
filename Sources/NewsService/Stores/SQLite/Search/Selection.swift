import NewsSearch
import NewsStoresShared
import NewsCore
import NewsToolbox

/// Translates a request to SQL. Chooses the index that finds candidates, and the conditions checked for each candidate.
///
/// All lists except those by relevance are ordered by `items.key`, which is also the rowid of the full-text
/// index. Therefore most pages need no sorting, and their cost does not depend on the number of items.
struct Selection {
  /// Number of newest matches that are scored. Scoring a match takes a microsecond, and a common word has a million
  /// matches.
  static let relevanceCandidates = 10_000

  /// The bm25 weights of text, title and author. A match in the title outweighs any number of matches in the text; the
  /// weight of the author is in between.
  static let weights = "1.0, 10000.0, 500.0"

  private let parts: SelectedParts
  var request: ItemRequest { parts.request }
  private let connection: Connection
  private let values = StatementValues()
  /// The parameter with the FTS5 expression; nil if candidates come from the table of items instead of the full-text
  /// index.
  private var match: String?
  private var expression: FullTextExpression?
  /// SQL conditions on `i`, joined by AND.
  private var conditions: [String]
  /// The last key of the previous page, in the order of the request.
  var after: ItemKey?
  /// The last key of this portion, in the order of the request; nil if there is no bound.
  var through: ItemKey?
  /// If true, reads the texts of the portion to match a prefix. The full-text index would collect the items of all
  /// words with that prefix for each portion.
  var readsPrefixes = false
  /// The item that the request continues after.
  private var boundary: ItemKey?

  init(_ request: ItemRequest, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    var parts = try SelectedParts(request, connection) { FullTextExpression($0) != nil }
    if let id = request.continuing {
      guard let key = try ItemReader.key(of: id, connection) else { throw StoreError.noSuchItem(id) }
      boundary = key
    }
    expression = FullTextExpression(all: parts.words)
    match = expression.map { [values] in values.add($0.text) }
    if expression == nil { parts.checkWords() }
    self.parts = parts
    conditions = parts.conditions
    try add(parts.others)
  }

  private mutating func add(_ parts: [Query]) throws(StoreError) {
    var usesIndex = match != nil
    for part in parts {
      var condition = try QueryCondition(part, words: .gathered, values, connection)
      switch part {
      case .feedID: usesIndex = true
      case .feed, .folder:
        let feeds = try condition.feeds(of: part)
        if try !isIndexBetter(for: feeds) { condition.keepFromIndex() }
        usesIndex = usesIndex || feeds.count == 1
      default: break
      }
      conditions.append(condition.sql)
    }
    guard usesIndex else { return }
    // A leading plus prevents the planner from using the index of a state instead of the chosen index.
    conditions = conditions.map { $0.hasPrefix(bytesOf: "i.is_") ? "+" + $0 : $0 }
  }

  /// Chooses how to find the items of several feeds, whichever reads fewer rows: collect the feeds' items by index and
  /// sort them (true), or scan all items in order.
  private func isIndexBetter(for feeds: [Int64]) throws(StoreError) -> Bool {
    guard feeds.count > 1, match == nil else { return true }
    let list = feeds.map(String.init).joined(separator: ",")
    // Floating point: damaged counters and any limit must not overflow.
    let own = Double(try connection.number("SELECT total(items) FROM feeds WHERE id IN (\(list))") ?? 0)
    let total = Double(try connection.value(of: .items))
    let wanted = request.limit.map { Double($0) + Double(request.offset) } ?? total
    // Use the smaller number: the limit may exceed the number of items.
    let walked = own == 0 ? total : min(wanted, own) * total / own
    return walked >= own * 4
  }

  // MARK: SQL

  private var isDescending: Bool { parts.isDescending }

  /// The conditions on `key` for the time and the portion of the request, after `place`.
  private func bounds(_ key: String, after places: ItemKey?...) -> [String] {
    var all: [String] = []
    if let since = parts.since { all.append(ItemKey.condition(since: since, key: key)) }
    if let until = parts.until { all.append(ItemKey.condition(until: until, key: key)) }
    for case let place? in places { all.append("\(key) \(isDescending ? "<" : ">") \(place.rawValue)") }
    if let through { all.append("\(key) \(isDescending ? ">=" : "<=") \(through.rawValue)") }
    return all
  }

  private func inOrder(_ key: String) -> String { "ORDER BY \(key) \(isDescending ? "DESC" : "ASC")" }

  /// The `FROM … WHERE …` clause, and the expression for the item's key.
  private var source: (sql: String, key: String) {
    let key: String
    var sql: String
    var all = conditions
    if let match {
      key = "s.rowid"
      sql =
        conditions.isEmpty ? "FROM search AS s" : "FROM search AS s CROSS JOIN items AS i ON i.key = s.rowid"
      all.insert("s.search MATCH \(match)", at: 0)
    } else {
      key = "i.key"
      sql = "FROM items AS i"
    }
    all += bounds(key, after: after, request.foldsStories ? nil : boundary)
    if !all.isEmpty { sql += " WHERE " + all.joined(separator: " AND ") }
    return (sql, key)
  }

  /// Returns the key of the `count`th item after `after`, whether the item matches or not; nil if the request's time
  /// range has fewer items.
  func key(ofItem count: Int) throws(StoreError) -> ItemKey? {
    let all = bounds("i.key", after: after ?? (request.foldsStories ? nil : boundary))
    let filter = all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
    return try connection.first(
      "SELECT i.key FROM items AS i\(filter) \(inOrder("i.key")) LIMIT 1 OFFSET \(count - 1)"
    ) {
      ItemKey($0)
    }
  }

  /// Calls `body` with the keys of the page in order, until it returns false. The second argument is the
  /// number of other items of the story if the request folds stories, and 0 otherwise.
  func forEachKey(_ body: (ItemKey, Int) throws(StoreError) -> Bool) throws(StoreError) {
    if let keys = try readKeys() {
      let page = keys.dropFirst(max(request.offset, 0)).prefix(request.limit ?? .max)
      for key in page { guard try body(key, 0) else { return } }
      return
    }
    if let hits = try recentHits() {
      for key in hits { guard try body(key, 0) else { return } }
      return
    }
    guard !request.foldsStories else {
      var fold = StoryFold(request)
      return try forEachKey(&fold, body)
    }
    let limit = request.limit.map { max($0, 0) } ?? -1
    try connection.forEach(keys + " LIMIT \(limit) OFFSET \(max(request.offset, 0))", values.all) {
      (row) throws(StoreError) in try body(ItemKey(row), 0)
    }
  }

  /// Calls `body` with the keys that `fold` keeps, each with the number of other items of its story.
  func forEachKey(
    _ fold: inout StoryFold,
    _ body: (ItemKey, Int) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard !fold.isDone else { return }
    try connection.forEach(keys, values.all) { (row) throws(StoreError) in
      let key = ItemKey(row)
      // Mark the stories of items before the boundary as shown, because earlier pages contain them.
      if let boundary, isDescending ? key >= boundary : key <= boundary {
        try fold.pass(key, connection)
        return true
      }
      guard let folded = try fold.take(key, connection) else { return true }
      return try body(key, folded) && !fold.isDone
    }
  }

  /// The statement that selects the keys of all matches in order.
  private var keys: String {
    let (from, key) = source
    guard request.order == .relevance, match != nil else { return "SELECT \(key) \(from) \(inOrder(key))" }
    return """
      SELECT key FROM (
        SELECT \(key) AS key, bm25(search, \(Self.weights)) AS score \(from)
        ORDER BY \(key) DESC LIMIT \(Self.relevanceCandidates)
      ) ORDER BY score, key DESC
      """
  }

  /// Returns a page of a search by relevance. `candidates` are the newest matches, newest first.
  func ranked(_ candidates: [ItemKey]) throws(StoreError) -> [ItemKey] {
    var keys = candidates
    if let expression, let lowest = candidates.last {
      keys = try connection.rows(
        """
        SELECT s.rowid FROM search AS s WHERE s.search MATCH $1 AND s.rowid >= $2
          AND +s.rowid \(Connection.isOne(of: "$3"))
        ORDER BY bm25(search, \(Self.weights)), s.rowid DESC
        """,
        expression.text,
        lowest,
        StoreValue.integers(candidates.map(\.rawValue))
      ) { ItemKey($0) }
    }
    let page = keys.dropFirst(max(request.offset, 0))
    return request.limit.map { Array(page.prefix(max($0, 0))) } ?? Array(page)
  }

  /// Describes the index that is used and the conditions that are checked for each item.
  func plan() throws(StoreError) -> [String] {
    if let expression {
      return parts.plan(
        index: "full-text, asked for \(expression.text)",
        candidates: Self.relevanceCandidates
      )
    }
    let (from, key) = source
    let detail =
      try connection.rows(
        "EXPLAIN QUERY PLAN SELECT \(key) \(from) \(inOrder(key)) LIMIT 20",
        values: values.all
      ) { $0.string(3) }.first ?? ""
    let words = detail.split(ascii: " ")
    let name = words.firstIndex { $0 == "INDEX" }.flatMap {
      $0 + 1 < words.count ? String(words[$0 + 1]) : nil
    }
    return parts.plan(index: name ?? "items by time", candidates: Self.relevanceCandidates)
  }

  func count() throws(StoreError) -> Int {
    if let keys = try readKeys() { return keys.count }
    if through == nil, after == nil, let total = try parts.keptTotal(connection) { return total }
    return try connection.rows("SELECT count(*) \(source.sql)", values: values.all) { $0.int(0) }.first ?? 0
  }

  /// Returns the stories of the items, and the number of items without a story.
  func stories() throws(StoreError) -> (ids: [Int64], single: Int) {
    let (from, key) = source
    let left = boundary.map { " AND c.key \(isDescending ? "<" : ">") \($0.rawValue)" } ?? ""
    let groups = try connection.rows(
      "SELECT c.cluster, count(*) FROM items AS c WHERE c.key IN (SELECT \(key) \(from))\(left) GROUP BY c.cluster",
      values: values.all
    ) { (id: $0.optionalInt64(0), count: $0.int(1)) }
    return (groups.compactMap(\.id), groups.first { $0.id == nil }?.count ?? 0)
  }

  func activity() throws(StoreError) -> [DayCount] {
    if let keys = try readKeys() {
      var counts: [Int: Int] = [:]
      for key in keys { counts[Int((key.rawValue >> ItemKey.placeBits) / 86_400), default: 0] += 1 }
      return counts.sorted { $0.key < $1.key }
        .map { DayCount(day: $0.key - Int(ItemKey.epochDays), count: $0.value) }
    }
    let (from, key) = source
    return try connection.rows(
      "SELECT (\(key) >> \(ItemKey.placeBits)) / 86400, count(*) \(from) GROUP BY 1 ORDER BY 1",
      values: values.all
    ) { DayCount(day: $0.int(0) - ItemKey.epochDays, count: $0.int(1)) }
  }

  /// Calls `body` with the selected items that changed after `sequence`, in change-log order, until it returns false.
  func forEachChange(
    after sequence: Int64,
    through last: Int64,
    _ body: (ItemKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    // For a prefix, FTS5 collects the items of all matching words even if only one row is wanted.
    let lookup = request.query.containsPrefix ? QueryCondition.WordLookup.gathered : .perRow
    let values = StatementValues()
    let (first, end) = (values.add(sequence), values.add(last))
    let condition = try QueryCondition(request.query, words: lookup, values, connection)
    try connection.forEach(
      """
      SELECT i.key FROM items AS i WHERE i.sequence > \(first) AND i.sequence <= \(end) AND +(\(condition.sql))
      ORDER BY i.sequence
      """,
      values.all
    ) { (row) throws(StoreError) in try body(ItemKey(row)) }
  }
}

extension Selection {
  /// Number of newest items that are scanned for a common prefix. Every `probe` items, the scan ends early if the
  /// prefix is too rare to fill the page.
  private static let window = 1000
  private static let probe = 100

  /// Returns the page for a prefix that is so common that the newest items fill the page; nil if the full-text index
  /// must be queried.
  ///
  /// For a prefix, FTS5 collects the items of all matching words before it returns the first, whatever the limit. With
  /// a million items, a prefix of a few letters takes seconds, while the newest twenty matches are nearly always among
  /// the newest hundred items.
  private func recentHits() throws(StoreError) -> [ItemKey]? {
    let words = Query.and(parts.words)
    guard request.order == .newest, after == nil, through == nil, !request.foldsStories,
      words.containsPrefix,
      // Exclude subqueries: they would run again for each item.
      !conditions.contains(where: { $0.contains("SELECT") }),
      let limit = request.limit, limit > 0, limit <= 100, request.offset <= 400,
      let matcher = try? QueryMatcher(words)
    else { return nil }
    let wanted = max(request.offset, 0) + limit
    let sql = """
      SELECT i.title, c.author, c.text FROM items AS i JOIN contents AS c ON c.id = i.id
      WHERE \((["i.key = $\(values.all.count + 1)"] + conditions).joined(separator: " AND "))
      """
    var hits: [ItemKey] = []
    var seen = 0
    var isRare = false
    try connection.forEach(
      "SELECT i.key FROM items AS i \(keyRange) ORDER BY i.key DESC LIMIT \(Self.window)",
      []
    ) {
      (row) throws(StoreError) in
      let key = ItemKey(row)
      seen += 1
      let subject = try connection.rows(sql, values: values.all + [key.storeValue]) {
        MatchSubject($0, from: 0)
      }
      if let subject = subject.first, matcher.matches(subject) { hits.append(key) }
      isRare = seen % Self.probe == 0 && hits.count * (Self.window - seen) < (wanted - hits.count) * seen
      return hits.count < wanted && !isRare
    }
    // If there are fewer items than the window, the scan was complete.
    guard hits.count == wanted || !isRare && seen < Self.window else { return nil }
    return Array(hits.dropFirst(max(request.offset, 0)))
  }

  /// Finds the matches of a portion by reading texts, and returns their keys; nil if the full-text index must be
  /// queried.
  private func readKeys() throws(StoreError) -> [ItemKey]? {
    let words = Query.and(parts.words)
    guard readsPrefixes, words.containsPrefix, let matcher = try? QueryMatcher(words) else { return nil }
    let both = [keyRange] + conditions.map { " AND (\($0))" }
    return try connection.rows(
      """
      SELECT i.key, i.title, c.author, c.text FROM items AS i JOIN contents AS c ON c.id = i.id
      \(both.joined()) \(inOrder("i.key"))
      """,
      values: values.all
    ) { matcher.matches(MatchSubject($0, from: 1)) ? ItemKey($0) : nil }.compactMap { $0 }
  }

  /// The SQL condition that restricts the keys of `i` to the time, the portion and the page of the request.
  private var keyRange: String {
    "WHERE " + (["1"] + bounds("i.key", after: after ?? boundary)).joined(separator: " AND ")
  }
}

extension MatchSubject {
  /// Reads the columns `title`, `author` and `text`.
  fileprivate convenience init(_ row: CurrentRow, from column: Int32) {
    self.init(title: row.string(column), author: row.string(column + 1), text: row.string(column + 2))
  }
}
