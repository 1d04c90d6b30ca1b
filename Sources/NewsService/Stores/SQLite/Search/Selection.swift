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

  /// The request with saved searches expanded.
  let request: ItemRequest
  /// The FTS5 expression; nil if candidates come from the table of items instead of the full-text index.
  private var expression: String?
  /// The part of the query that the full-text index answers.
  private var words: Query = .all
  /// The parts of the query that are checked for each item, for `plan`.
  private var perItemParts: [Query] = []
  /// SQL conditions on `i`, joined by AND.
  private var conditions: [String] = []
  private var values: [SQLValue] = []
  private var since: Timestamp?
  private var until: Timestamp?
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
    var request = request
    request.query = try QueryExpansion.expand(request.query, saved: connection.savedQuery)
    self.request = request
    let parts = request.query.conjuncts

    if let id = request.continuing {
      guard let key = try ItemReader.key(of: id, connection) else { throw StoreError.noSuchItem(id) }
      boundary = key
    }
    if let arrivals = request.arrivals {
      conditions.append("i.sequence > \(arrivals.after)")
      conditions.append("i.first_sequence > \(arrivals.after) AND i.first_sequence <= \(arrivals.through)")
    }

    var words: [Query] = []
    var others: [Query] = []
    for part in parts {
      switch part {
      case .since(let time): since = max(since ?? time, time)
      case .until(let time): until = min(until ?? time, time)
      default:
        if Self.isWords(part) { words.append(part) } else { others.append(part) }
      }
    }
    if let all = FullTextExpression(all: words) {
      expression = all.text
      self.words = .and(words)
    } else {
      // No word is required, so the full-text index has nothing to search for.
      others = words + others
    }
    perItemParts = others
    try add(others, connection)
  }

  private static func isWords(_ part: Query) -> Bool {
    if case .not(let inner) = part { return FullTextExpression(inner) != nil }
    return FullTextExpression(part) != nil
  }

  private mutating func add(_ parts: [Query], _ connection: Connection) throws(StoreError) {
    var usesIndex = expression != nil
    for part in parts {
      var condition = try QueryCondition(part, words: .gathered, connection)
      switch part {
      case .feedID: usesIndex = true
      case .feed(let name):
        let feeds = try FeedLookup.named(name, connection)
        condition = try narrowed(condition, to: feeds, connection)
        usesIndex = usesIndex || feeds.count == 1
      case .folder(let name):
        let feeds = try FeedLookup.inFolder(name, connection)
        condition = try narrowed(condition, to: feeds, connection)
        usesIndex = usesIndex || feeds.count == 1
      default: break
      }
      conditions.append(condition.sql)
      values.append(contentsOf: condition.values)
    }
    guard usesIndex else { return }
    // A leading plus prevents the planner from using the index of a state instead of the chosen index.
    conditions = conditions.map { $0.hasPrefix(bytesOf: "i.is_") ? "+" + $0 : $0 }
  }

  /// Chooses how to find the items of several feeds, whichever reads fewer rows: collect the feeds' items by index and
  /// sort them, or scan all items in order.
  private func narrowed(
    _ condition: QueryCondition,
    to feeds: [Int64],
    _ connection: Connection
  ) throws(StoreError) -> QueryCondition {
    guard feeds.count > 1, expression == nil else { return condition }
    let list = feeds.map(String.init).joined(separator: ",")
    let own = try connection.integer("SELECT sum(items) FROM feeds WHERE id IN (\(list))") ?? 0
    let total = try Counter.items.value(connection)
    let wanted = Int64(request.limit.map { $0 + request.offset } ?? Int(total))
    // Use the smaller number: the limit may exceed the number of items.
    let walked = own == 0 ? total : min(wanted, own) * total / own
    var condition = condition
    if walked < own * 4 { condition.keepFromIndex() }
    return condition
  }

  // MARK: SQL

  private var isDescending: Bool { request.order != .oldest }

  /// The `FROM … WHERE …` clause, and the expression for the item's key.
  private var source: (sql: String, key: String) {
    let key: String
    var sql: String
    var all = conditions
    if expression != nil {
      key = "s.rowid"
      sql =
        conditions.isEmpty ? "FROM search AS s" : "FROM search AS s CROSS JOIN items AS i ON i.key = s.rowid"
      all.insert("s.search MATCH ?", at: 0)
    } else {
      key = "i.key"
      sql = "FROM items AS i"
    }
    if let since { all.append(ItemKey.condition(since: since, key: key)) }
    if let until { all.append(ItemKey.condition(until: until, key: key)) }
    if let after { all.append("\(key) \(isDescending ? "<" : ">") \(after.rawValue)") }
    if let through { all.append("\(key) \(isDescending ? ">=" : "<=") \(through.rawValue)") }
    if let boundary, !request.foldsClusters {
      all.append("\(key) \(isDescending ? "<" : ">") \(boundary.rawValue)")
    }
    if !all.isEmpty { sql += " WHERE " + all.joined(separator: " AND ") }
    return (sql, key)
  }

  /// Returns the key of the `count`th item after `after`, whether the item matches or not; nil if the request's time
  /// range has fewer items.
  func key(ofItem count: Int, _ connection: Connection) throws(StoreError) -> ItemKey? {
    var all: [String] = []
    if let since { all.append(ItemKey.condition(since: since, key: "i.key")) }
    if let until { all.append(ItemKey.condition(until: until, key: "i.key")) }
    if let last = after ?? (request.foldsClusters ? nil : boundary) {
      all.append("i.key \(isDescending ? "<" : ">") \(last.rawValue)")
    }
    let filter = all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
    let last = try connection.integer(
      "SELECT i.key FROM items AS i\(filter) ORDER BY i.key \(isDescending ? "DESC" : "ASC") LIMIT 1 OFFSET \(count - 1)"
    )
    return last.map(ItemKey.init(rawValue:))
  }

  private func bind(_ statement: borrowing Statement) throws(StoreError) {
    var index: Int32 = 1
    if let expression {
      try statement.bind(index, expression)
      index += 1
    }
    for value in values {
      try value.bind(to: statement, at: index)
      index += 1
    }
  }

  /// Calls `body` with the keys of the page in order, until it returns false. The second argument is the
  /// number of other items in the cluster if the request folds clusters, and 0 otherwise.
  func forEachKey(
    _ connection: Connection,
    _ body: (ItemKey, Int) throws(StoreError) -> Bool
  ) throws(StoreError) {
    if let keys = try readKeys(connection) {
      let page = keys.dropFirst(max(request.offset, 0)).prefix(request.limit ?? .max)
      for key in page { guard try body(key, 0) else { return } }
      return
    }
    if let hits = try recentHits(connection) {
      for key in hits { guard try body(key, 0) else { return } }
      return
    }
    guard !request.foldsClusters else {
      var fold = ClusterFold(request)
      return try forEachKey(connection, &fold, body)
    }
    let limit = request.limit.map { max($0, 0) } ?? -1
    let statement = try connection.prepare(keys + " LIMIT \(limit) OFFSET \(max(request.offset, 0))")
    try bind(statement)
    while try statement.step() {
      guard try body(ItemKey(rawValue: statement.int64(0)), 0) else { return }
    }
  }

  /// Calls `body` with the keys that `fold` keeps, each with the number of other items of its cluster.
  func forEachKey(
    _ connection: Connection,
    _ fold: inout ClusterFold,
    _ body: (ItemKey, Int) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try connection.prepare(keys)
    try bind(statement)
    while !fold.isDone, try statement.step() {
      let key = ItemKey(rawValue: statement.int64(0))
      // Mark the clusters of items before the boundary as shown, because earlier pages contain them.
      if let boundary, isDescending ? key >= boundary : key <= boundary {
        try fold.pass(key, connection)
        continue
      }
      guard let folded = try fold.take(key, connection) else { continue }
      guard try body(key, folded) else { return }
    }
  }

  /// The statement that selects the keys of all matches in order.
  private var keys: String {
    let (from, key) = source
    guard request.order == .relevance, expression != nil else {
      return "SELECT \(key) \(from) ORDER BY \(key) \(isDescending ? "DESC" : "ASC")"
    }
    return """
      SELECT key FROM (
        SELECT \(key) AS key, bm25(search, \(Self.weights)) AS score \(from)
        ORDER BY \(key) DESC LIMIT \(Self.relevanceCandidates)
      ) ORDER BY score, key DESC
      """
  }

  /// Returns a page of a search by relevance. `candidates` are the newest matches, newest first.
  func ranked(_ candidates: [ItemKey], _ connection: Connection) throws(StoreError) -> [ItemKey] {
    var keys = candidates
    if let expression, let lowest = candidates.last {
      let row = try connection.prepare(
        """
        SELECT s.rowid FROM search AS s WHERE s.search MATCH ? AND s.rowid >= ?
          AND +s.rowid IN (SELECT value FROM json_each(?))
        ORDER BY bm25(search, \(Self.weights)), s.rowid DESC
        """
      )
      try row.bind(1, expression)
      try row.bind(2, lowest.rawValue)
      try row.bind(3, "[" + candidates.map { String($0.rawValue) }.joined(separator: ",") + "]")
      keys = []
      while try row.step() { keys.append(ItemKey(rawValue: row.int64(0))) }
    }
    let page = keys.dropFirst(max(request.offset, 0))
    return request.limit.map { Array(page.prefix(max($0, 0))) } ?? Array(page)
  }

  /// Describes the index that is used and the conditions that are checked for each item.
  func plan(_ connection: Connection) throws(StoreError) -> [String] {
    let order =
      switch request.order {
      case .relevance where expression != nil:
        "the best of the newest \(Self.relevanceCandidates) hits (a hit in the title before hits in the text)"
      case .oldest: "the oldest first"
      default: "the newest first"
      }
    var lines = ["order: \(order)"]
    if let expression {
      lines.append("index: full-text, asked for \(expression)")
    } else {
      let (from, key) = source
      let statement = try connection.prepare(
        "EXPLAIN QUERY PLAN SELECT \(key) \(from) ORDER BY \(key) \(isDescending ? "DESC" : "ASC") LIMIT 20"
      )
      try bind(statement)
      let detail = try statement.step() ? statement.string(3) : ""
      let words = detail.split(ascii: " ")
      let name = words.firstIndex { $0 == "INDEX" }.flatMap {
        $0 + 1 < words.count ? String(words[$0 + 1]) : nil
      }
      lines.append("index: " + (name ?? "items by time"))
    }
    if since != nil || until != nil { lines.append("range of time: only that part of the index is read") }
    for part in perItemParts { lines.append("then asked of each item: \(QueryPrinter.text(part))") }
    return lines
  }

  func count(_ connection: Connection) throws(StoreError) -> Int {
    if let keys = try readKeys(connection) { return keys.count }
    let isPlain =
      expression == nil && since == nil && until == nil && boundary == nil
      && request.arrivals == nil && through == nil && after == nil
    if isPlain {
      switch request.query {
      case .all: return Int(try Counter.items.value(connection))
      case .isRead(false): return Int(try Counter.unread.value(connection))
      case .isStarred(true): return Int(try Counter.starred.value(connection))
      case .feedID(let id):
        return Int(try connection.integer("SELECT items FROM feeds WHERE id = \(id.rawValue)") ?? 0)
      default: break
      }
    }
    let statement = try connection.prepare("SELECT count(*) \(source.sql)")
    try bind(statement)
    return try statement.step() ? statement.int(0) : 0
  }

  /// Returns the clusters of the items, and the number of items without a cluster.
  func clusters(_ connection: Connection) throws(StoreError) -> (ids: [Int64], unclustered: Int) {
    let (from, key) = source
    let left = boundary.map { " AND c.key \(isDescending ? "<" : ">") \($0.rawValue)" } ?? ""
    let row = try connection.prepare(
      "SELECT c.cluster, count(*) FROM items AS c WHERE c.key IN (SELECT \(key) \(from))\(left) GROUP BY c.cluster"
    )
    try bind(row)
    var ids: [Int64] = []
    var unclustered = 0
    while try row.step() {
      if let id = row.optionalInt64(0) { ids.append(id) } else { unclustered = row.int(1) }
    }
    return (ids, unclustered)
  }

  func activity(_ connection: Connection) throws(StoreError) -> [DayCount] {
    if let keys = try readKeys(connection) {
      var counts: [Int: Int] = [:]
      for key in keys { counts[Int((key.rawValue >> ItemKey.placeBits) / 86_400), default: 0] += 1 }
      return counts.sorted { $0.key < $1.key }
        .map { DayCount(day: $0.key - Int(ItemKey.epochDays), count: $0.value) }
    }
    let (from, key) = source
    let statement = try connection.prepare(
      "SELECT (\(key) >> \(ItemKey.placeBits)) / 86400, count(*) \(from) GROUP BY 1 ORDER BY 1"
    )
    try bind(statement)
    var days: [DayCount] = []
    while try statement.step() {
      days.append(DayCount(day: statement.int(0) - ItemKey.epochDays, count: statement.int(1)))
    }
    return days
  }

  /// Calls `body` with the selected items that changed after `sequence`, in change-log order, until it returns false.
  func forEachChange(
    after sequence: Int64,
    through last: Int64,
    _ connection: Connection,
    _ body: (ItemKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    // For a prefix, FTS5 collects the items of all matching words even if only one row is wanted.
    let looksUp = request.query.containsPrefix ? QueryCondition.WordLookup.gathered : .perRow
    let condition = try QueryCondition(request.query, words: looksUp, connection)
    let statement = try connection.prepare(
      "SELECT i.key FROM items AS i WHERE i.sequence > ? AND i.sequence <= ? AND +(\(condition.sql)) ORDER BY i.sequence"
    )
    try statement.bind(1, sequence)
    try statement.bind(2, last)
    var index: Int32 = 3
    for value in condition.values {
      try value.bind(to: statement, at: index)
      index += 1
    }
    while try statement.step() {
      guard try body(ItemKey(rawValue: statement.int64(0))) else { return }
    }
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
  private func recentHits(_ connection: Connection) throws(StoreError) -> [ItemKey]? {
    guard request.order == .newest, after == nil, through == nil, !request.foldsClusters, expression != nil,
      words.containsPrefix,
      // Exclude subqueries: they would run again for each item.
      !conditions.contains(where: { $0.contains("SELECT") }),
      let limit = request.limit, limit > 0, limit <= 100, request.offset <= 400,
      let matcher = try? QueryMatcher(words)
    else { return nil }
    let wanted = max(request.offset, 0) + limit
    let keys = try connection.prepare(
      "SELECT i.key FROM items AS i \(keyRange) ORDER BY i.key DESC LIMIT \(Self.window)"
    )
    let row = try connection.prepare(
      """
      SELECT i.title, c.author, c.text FROM items AS i JOIN contents AS c ON c.id = i.id
      WHERE \((["i.key = ?"] + conditions).joined(separator: " AND "))
      """
    )
    var hits: [ItemKey] = []
    var seen = 0
    while try keys.step() {
      let key = ItemKey(rawValue: keys.int64(0))
      seen += 1
      try row.bind(1, key.rawValue)
      for (place, value) in values.enumerated() { try value.bind(to: row, at: Int32(place + 2)) }
      if try row.step(), matcher.matches(Self.subject(row, 0)) { hits.append(key) }
      row.reset()
      if hits.count == wanted { return Array(hits.dropFirst(max(request.offset, 0))) }
      if seen % Self.probe == 0, hits.count * (Self.window - seen) < (wanted - hits.count) * seen {
        return nil
      }
    }
    // There are fewer items than the window, so the scan was complete.
    return seen < Self.window ? Array(hits.dropFirst(max(request.offset, 0))) : nil
  }

  /// Finds the matches of a portion by reading texts, and returns their keys; nil if the full-text index must be
  /// queried.
  private func readKeys(_ connection: Connection) throws(StoreError) -> [ItemKey]? {
    guard readsPrefixes, expression != nil, words.containsPrefix, let matcher = try? QueryMatcher(words)
    else { return nil }
    let both = [keyRange] + conditions.map { " AND (\($0))" }
    let row = try connection.prepare(
      """
      SELECT i.key, i.title, c.author, c.text FROM items AS i JOIN contents AS c ON c.id = i.id
      \(both.joined()) ORDER BY i.key \(isDescending ? "DESC" : "ASC")
      """
    )
    for (place, value) in values.enumerated() { try value.bind(to: row, at: Int32(place + 1)) }
    var keys: [ItemKey] = []
    while try row.step() {
      if matcher.matches(Self.subject(row, 1)) { keys.append(ItemKey(rawValue: row.int64(0))) }
    }
    return keys
  }

  private static func subject(_ row: borrowing Statement, _ first: Int32) -> MatchSubject {
    MatchSubject(title: row.string(first), author: row.string(first + 1), text: row.string(first + 2))
  }

  /// The SQL condition that restricts the keys of `i` to the time, the portion and the page of the request.
  private var keyRange: String {
    var range = ["1"]
    if let since { range.append(ItemKey.condition(since: since, key: "i.key")) }
    if let until { range.append(ItemKey.condition(until: until, key: "i.key")) }
    if let last = after ?? boundary { range.append("i.key \(isDescending ? "<" : ">") \(last.rawValue)") }
    if let through { range.append("i.key \(isDescending ? ">=" : "<=") \(through.rawValue)") }
    return "WHERE " + range.joined(separator: " AND ")
  }
}
