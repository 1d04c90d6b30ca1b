import CSQLite
package import NewsCore
package import NewsStoresShared

extension Connection: StoreSession {
  package func rows<Value>(
    _ sql: String,
    values: [StoreValue],
    read: (CurrentRow) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var found: [Value] = []
    while try statement.step() { found.append(try read(statement.row)) }
    return found
  }

  /// Passes the rows of a statement to `body` until it returns false.
  func forEach(
    _ sql: String,
    _ values: [StoreValue],
    _ body: (CurrentRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() { guard try body(statement.row) else { return } }
  }

  package static func isOne(of parameter: String) -> String {
    "IN (SELECT value FROM json_each(\(parameter)))"
  }

  package static var extremes: (least: String, greatest: String) { ("min", "max") }

  package static func byteCount(of column: String) -> String { "length(CAST(\(column) AS blob))" }

  package func storedColumns() throws(StoreError) -> [StoredColumn] {
    try rows(
      """
      SELECT m.name, c.name, c.type = 'INTEGER' FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %'
      """
    ) { StoredColumn(table: $0.string(0), name: $0.string(1), isNumber: $0.bool(2)) }
  }

  /// The unary plus keeps SQLite's planner from using an index.
  package static func unindexed(_ condition: String) -> String { "+(\(condition))" }

  package static var knowsSelectivity: Bool { false }

  package var name: String { path }

  package func usedBytes() throws(StoreError) -> Int64 {
    let pages = try number("PRAGMA page_count") ?? 0
    let free = try number("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try number("PRAGMA page_size") ?? 0)
  }

  package func recentUsedBytes() throws(StoreError) -> Int64 { try usedBytes() }

  package func countedTombstones(isRecent: Bool) throws(StoreError) -> Int64 {
    if isRecent, let tombstones, tombstones.time + .seconds(30) > .now { return tombstones.bytes }
    let bytes = try tombstoneBytes()
    tombstones = (bytes, .now)
    return bytes
  }

  package static var newestFirst: String { "i.key DESC" }

  package static var oldestFirst: String { "i.key" }

  package static func isSorted(since time: Timestamp) -> String {
    ItemKey.condition(since: time, key: "i.key")
  }

  package static func isSorted(until time: Timestamp) -> String {
    ItemKey.condition(until: time, key: "i.key")
  }

  package static var itemReference: String { "key" }

  package static var sharedHubColumns: String { "0, NULL, 0" }

  package static var sortTime: String { "((i.key >> \(ItemKey.placeBits)) - \(ItemKey.epoch))" }

  package func has(_ part: String) throws(StoreError) -> Bool {
    try number("SELECT 1 FROM sqlite_master WHERE name = $1", part) != nil
  }

  package func feed(url: String) throws(StoreError) -> Feed? {
    try rows("SELECT \(FeedRow.columns) FROM feeds WHERE url = $1", url) { FeedRow.feed($0) }.first
  }

  package func items(
    _ ids: [Int64],
    parts: ItemParts,
    within bytes: Int
  ) throws(StoreError) -> (found: [Int64: ItemEntry], count: Int) {
    let reader = ItemReader(self, parts: parts)
    var found: [Int64: ItemEntry] = [:]
    var left = bytes
    for (place, id) in ids.enumerated() {
      guard let key = try ItemReader.key(of: NewsItem.ID(rawValue: id), self),
        let entry = try reader.entry(key)
      else { continue }
      found[id] = entry
      left -= entry.item.textBytes
      if left <= 0 { return (found, place + 1) }
    }
    return (found, ids.count)
  }

  package func textSizes(of ids: [Int64], within bytes: Int) throws(StoreError) -> [Int] {
    let columns = [
      "c.text", "c.html", "c.details", "c.summary", "c.author", "i.title", "i.guid", "i.url", "i.language",
      "a.feed_text", "a.feed_html",
    ]
    let sum = columns.map { "coalesce(\(Self.byteCount(of: $0)), 0)" }.joined(separator: " + ")
    var sizes: [Int] = []
    var left = bytes
    for id in ids {
      let size = try number(
        """
        SELECT \(sum) FROM contents AS c JOIN items AS i ON i.id = c.id LEFT JOIN articles AS a ON a.item = c.id
        WHERE c.id = $1
        """,
        id
      )
      sizes.append(Int(size ?? 0))
      left -= sizes.last ?? 0
      if left <= 0 { break }
    }
    return sizes
  }

  package func remove(items: [Int64]) throws(StoreError) {
    var remover = try ItemRemover(self)
    try remover.remove(items)
    try remover.finish()
  }

  package func forgetRemains(of feed: Feed.ID?) throws(StoreError) { try ItemTags.forgetUnused(self) }

  package func mergeWords() throws(StoreError) -> Bool { try FullTextIndex.merge(self) }

  package func isBeyond(_ oldest: Timestamp?, _ kept: Int?, of feed: Feed.ID) throws(StoreError) -> String {
    // Keep the newest `kept` items: all older items exceed the limit.
    var below = oldest.map { ItemKey.lowest(at: $0) } ?? .min
    let last = try kept.flatMap { (kept) throws(StoreError) in
      try number(
        "SELECT key FROM items WHERE feed = $1 ORDER BY key DESC LIMIT 1 OFFSET $2",
        feed,
        max(kept, 0)
      )
    }
    if let last { below = max(below, last == .max ? last : last + 1) }
    return "key < \(below)"
  }

  package var violation: String? {
    sqlite3_errcode(raw) & 0xFF == SQLITE_CONSTRAINT ? String(cString: sqlite3_errmsg(raw)) : nil
  }

  package func value(of counter: Counter) throws(StoreError) -> Int64 {
    let value = try number("SELECT value FROM counters WHERE name = '\(counter.rawValue)'") ?? 0
    return min(max(value, -Counter.bound), Counter.bound)
  }

  package func set(_ counter: Counter, to expression: (String) -> String) throws(StoreError) {
    try execute("UPDATE counters SET value = \(expression("value")) WHERE name = '\(counter.rawValue)'")
  }

  @discardableResult
  package func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64 {
    guard amount != 0 else { return try value(of: counter) }
    let sql = "UPDATE counters SET value = value + $1 WHERE name = '\(counter.rawValue)' RETURNING value"
    // SQLite continues with floating point when a sum exceeds 64 bits.
    return try counter.checked(try number(sql, amount) ?? 0, in: name)
  }

  package func add(_ amounts: KeyValuePairs<Counter, Int64>) throws(StoreError) {
    for (counter, amount) in amounts { try add(amount, to: counter) }
  }

  package func makeMarker() throws(StoreError) -> ItemMarker<Connection> { try ItemMarker(self) }

  package func replaceWords(
    of id: NewsItem.ID,
    author: String,
    title: String,
    text: String,
    by new: (title: String, text: String)
  ) throws(StoreError) {
    guard let key = try ItemReader.key(of: id, self) else { return }
    try FullTextIndex.remove(key, ItemTokens(title: title, author: author, text: text), self)
    try FullTextIndex.insert(key, ItemTokens(title: new.title, author: author, text: new.text), self)
  }
}
