import NewsService

/// A request as SQL: which index leads, and what is asked of each row.
///
/// Every list is in the order of `items.key`, which is also the rowid of the full-text index; so a page needs no sorting,
/// and its cost does not depend on how many items there are.
struct Selection {
  /// Hits among which the best are looked for: scoring costs about a microsecond each, and a common word has a million.
  static let relevanceCandidates = 10_000

  /// With saved searches in the place of their names.
  let request: ItemRequest
  /// What the full-text index is asked; nil: the table of items leads.
  private var expression: String?
  /// Conditions on `i`, all of which must hold.
  private var conditions: [String] = []
  private var values: [SQLValue] = []
  private var lowest: Int64?
  private var beyond: Int64?

  init(_ request: ItemRequest, _ connection: Connection) throws(StoreError) {
    var request = request
    request.query = try QueryExpansion.expand(request.query, connection)
    self.request = request
    var parts: [Query] = []
    Self.flatten(request.query, into: &parts)

    var words: [Query] = []
    var others: [Query] = []
    for part in parts {
      switch part {
      case .since(let time): lowest = max(lowest ?? .min, ItemKey.lowest(at: time))
      case .until(let time): beyond = min(beyond ?? .max, ItemKey.lowest(at: time))
      default:
        if Self.isWords(part) { words.append(part) } else { others.append(part) }
      }
    }
    if let all = FullTextExpression(all: words) {
      expression = all.text
    } else {
      // Only exclusions: nothing to lead with.
      others = words + others
    }
    try add(others, connection)
  }

  private static func flatten(_ query: Query, into parts: inout [Query]) {
    switch query {
    case .all: break
    case .and(let inner): for part in inner { flatten(part, into: &parts) }
    default: parts.append(query)
    }
  }

  private static func isWords(_ part: Query) -> Bool {
    if case .not(let inner) = part { return FullTextExpression(inner) != nil }
    return FullTextExpression(part) != nil
  }

  private mutating func add(_ parts: [Query], _ connection: Connection) throws(StoreError) {
    var leads = expression != nil
    for part in parts {
      var condition = try QueryCondition(part, words: .gathered, connection)
      switch part {
      case .feedID: leads = true
      case .feed(let name):
        let feeds = try FeedSelection.named(name, connection)
        condition = try narrowed(condition, to: feeds, connection)
        leads = leads || feeds.count == 1
      case .folder(let name):
        let feeds = try FeedSelection.inFolder(name, connection)
        condition = try narrowed(condition, to: feeds, connection)
        leads = leads || feeds.count == 1
      default: break
      }
      conditions.append(condition.sql)
      values.append(contentsOf: condition.values)
    }
    guard leads else { return }
    // One index leads; the plus sign keeps the planner from taking another for a state.
    conditions = conditions.map { $0.hasPrefix("i.is_") ? "+" + $0 : $0 }
  }

  /// Many feeds are either gathered from their index and sorted, or met on the way through all items, whichever reads less.
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
    let walked = own == 0 ? total : min(wanted * total / own, total)
    var condition = condition
    if walked < own * 4 { condition.keepFromIndex() }
    return condition
  }

  // MARK: SQL

  private var falls: Bool { request.order != .oldest }

  /// `FROM … WHERE …`, with `key` naming the item's key.
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
    if let lowest { all.append("\(key) >= \(lowest)") }
    if let beyond { all.append("\(key) < \(beyond)") }
    if !all.isEmpty { sql += " WHERE " + all.joined(separator: " AND ") }
    return (sql, key)
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

  /// The keys of the page, in order, with the number of items each stands for besides itself; until `body` returns false.
  func forEachKey(
    _ connection: Connection,
    _ body: (ItemKey, Int) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let (from, key) = source
    let offset = max(request.offset, 0)
    let limit = request.limit.map { max($0, 0) } ?? -1
    let page = request.foldsClusters ? "" : " LIMIT \(limit) OFFSET \(offset)"
    let sql: String
    if request.order == .relevance, expression != nil {
      sql = """
        SELECT key FROM (
          SELECT \(key) AS key, bm25(search, 8.0, 4.0, 1.0) AS score \(from)
          ORDER BY \(key) DESC LIMIT \(Self.relevanceCandidates)
        ) ORDER BY score, key DESC\(page)
        """
    } else {
      sql = "SELECT \(key) \(from) ORDER BY \(key) \(falls ? "DESC" : "ASC")\(page)"
    }
    let statement = try connection.prepare(sql)
    try bind(statement)
    guard request.foldsClusters else {
      while try statement.step() {
        guard try body(ItemKey(rawValue: statement.int64(0)), 0) else { return }
      }
      return
    }
    var fold = ClusterFold(offset: offset, limit: request.limit)
    while !fold.isDone, try statement.step() {
      let key = ItemKey(rawValue: statement.int64(0))
      guard let folded = try fold.take(key, connection) else { continue }
      guard try body(key, folded) else { return }
    }
  }

  func count(_ connection: Connection) throws(StoreError) -> Int {
    let isPlain = expression == nil && lowest == nil && beyond == nil && !request.foldsClusters
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
    var (from, key) = source
    var what = "count(*)"
    if request.foldsClusters {
      what = "count(DISTINCT coalesce(c.cluster, -c.id))"
      from = "FROM items AS c WHERE c.key IN (SELECT \(key) \(from))"
    }
    let statement = try connection.prepare("SELECT \(what) \(from)")
    try bind(statement)
    return try statement.step() ? statement.int(0) : 0
  }

  func activity(_ connection: Connection) throws(StoreError) -> [DayCount] {
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

  /// The selected items whose last change came after `sequence`, in the order of these changes.
  func forEachChange(
    after sequence: Int64,
    _ connection: Connection,
    _ body: (ItemKey) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let condition = try QueryCondition(request.query, words: .perRow, connection)
    let statement = try connection.prepare(
      "SELECT i.key FROM items AS i WHERE i.sequence > ? AND +(\(condition.sql)) ORDER BY i.sequence"
    )
    try statement.bind(1, sequence)
    var index: Int32 = 2
    for value in condition.values {
      try value.bind(to: statement, at: index)
      index += 1
    }
    while try statement.step() {
      guard try body(ItemKey(rawValue: statement.int64(0))) else { return }
    }
  }
}

/// Walks a list and lets the first item of each cluster pass.
private struct ClusterFold {
  private var offset: Int
  private var left: Int
  private var seen: Set<Int64> = []

  init(offset: Int, limit: Int?) {
    self.offset = offset
    left = limit.map { max($0, 0) } ?? .max
  }

  var isDone: Bool { left == 0 }

  /// Nil: not shown. Otherwise the number of other items in its cluster.
  mutating func take(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> Int? {
    let statement = try connection.prepare("SELECT cluster FROM items WHERE key = ?")
    try statement.bind(1, key.rawValue)
    guard try statement.step() else { return nil }
    let cluster = statement.optionalInt64(0)
    if let cluster, !seen.insert(cluster).inserted { return nil }
    if offset > 0 {
      offset -= 1
      return nil
    }
    left -= 1
    guard let cluster else { return 0 }
    let members = try connection.prepare("SELECT count(*) FROM items WHERE cluster = ?")
    try members.bind(1, cluster)
    return try members.step() ? max(members.int(0) - 1, 0) : 0
  }
}
