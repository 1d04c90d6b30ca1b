package import NewsCore
package import NewsStoresShared

extension PostgresStore: TableStore {
  package func transaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await write(body)
  }

  package func readInPortions(_ walk: (PortionReading<Connection>) async throws -> Void) async throws {
    let snapshot = try await openSnapshot()
    do {
      try await walk { (read) throws(StoreError) in try await snapshot.read(read) }
    } catch {
      await snapshot.close()
      throw error
    }
    await snapshot.close()
  }

  package func sideTransaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await write(locking: .late, body)
  }

  /// All items, so that a feed is removed at once.
  package static var removedItems: Int { .max }
}

extension PostgresStore: MediaStore {
  /// The room on the disk of a server is not known.
  package func requireRoom() {}

  package func readMedia<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await snapshot(body)
  }

  package func writeMedia<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await sideTransaction(body)
  }
}

extension Connection: StoreSession {
  package func rows<Value>(
    _ sql: String,
    values: [StoreValue],
    read: (Row) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    var found: [Value] = []
    for row in try query(sql, parameters: values) { found.append(try read(row)) }
    return found
  }

  package func run(_ sql: String, values: [StoreValue]) throws(StoreError) {
    try post(Statement(sql, parameters: values))
  }

  package func has(_ part: String) throws(StoreError) -> Bool {
    guard LaterTables.includes(part), !laterParts.contains(part) else { return true }
    guard try query("SELECT to_regclass($1) IS NOT NULL", part).first?.bool(0) == true else { return false }
    laterParts.insert(part)
    return true
  }

  /// The items, from the average size of some of them, and all else that grows with what the user does. The size of the tables
  /// would be no measure: it does not shrink when items are removed, so newsd would remove all.
  package func usedBytes() throws(StoreError) -> Int64 {
    let used = try bytesOfItems() + bytesOfOthers()
    measure = (used, .now)
    return used
  }

  private func bytesOfItems() throws(StoreError) -> Int64 {
    let texts = ["author", "summary", "details", "text", "html"].map {
      "coalesce(pg_column_size(c.\($0)), 0)"
    }
    return try number(
      """
      WITH s AS MATERIALIZED (SELECT id FROM items \(Self.sample(of: "items")))
      SELECT ((SELECT items FROM \(try countersRow())) * (\(Self.bytesOfRareWords) + coalesce(
        avg((\(texts.joined(separator: " + "))) * 5 / 4 + pg_column_size(w.words) * 3 / 2 + \(Self.rowBytes)), \(2 * Self.rowBytes))))::bigint
      FROM s JOIN contents AS c ON c.id = s.id JOIN words AS w ON w.id = s.id
      """
    ) ?? 0
  }

  /// SQL for the bytes of an item that the index of words needs in addition if very many words are in one item only, such as
  /// random ones: each has an entry of its own, which is several times as large as the word. Texts of people have fewer such
  /// words: the number of different words grows with a power of the number of all (Heaps' law).
  private static let bytesOfRareWords = """
    (SELECT coalesce(sum(\(wordBytes) + octet_length(lexeme)) FILTER (WHERE n = 1)
      * greatest(1 - 25 * power(sum(n), 0.6) / greatest(count(*) FILTER (WHERE n = 1), 1), 0) / max(items), 0)
    FROM (
      SELECT lexeme, count(*) AS n, least((SELECT count(*) FROM s), \(wordItems)) AS items
      FROM (SELECT w.words FROM (SELECT id FROM s ORDER BY hashint8(id), id LIMIT \(wordItems)) AS f JOIN words AS w ON w.id = f.id) AS v,
        unnest(v.words)
      GROUP BY lexeme
    ) AS t)
    """

  /// The tables of items, of which some rows are measured.
  package static let itemTables = ["items", "contents", "words", "stories", "story_keys"]

  /// The tables of feeds, definitions and deliveries, those whose rows belong to some of the items, and those of changes.
  package static let otherTables = [
    "feeds", "feed_changes", "feed_icons", "folder_settings", "hub_subscriptions", "searches",
    "saved_searches", "rules",
    "rule_facts", "hooks", "page_hooks", "outbox", "articles", "versions", "item_labels", "item_tags",
    "enclosures",
    "quiet_edits", "late_marks", "change_times", "import_places", "secrets", "app_passwords", "sessions",
  ]

  /// The tables that do not count.
  package static let uncountedTables = [
    // The log of removed items, which their owner cannot remove, and pictures: docs/accounts.md says so.
    "tombstones", "pictures", "icons", "kept_pictures",
    // What newsd needs for itself: a few rows for the store, each process, or each feed and its site.
    "store", "store_settings", "counters", "commit_keys", "nodes", "polls", "sites",
  ]

  /// The rows of these tables, from some of the pages of large ones. The columns are measured singly: for a whole row, the server
  /// would read its long values. An index has the text of its column once more.
  private func bytesOfOthers() throws(StoreError) -> Int64 {
    let tables = try query(
      """
      SELECT u.name, string_agg(
        'coalesce(pg_column_size(t.' || quote_ident(a.attname) || '), 0)' || CASE WHEN a.atttypid = 'text'::regtype AND EXISTS (
          SELECT 1 FROM pg_index AS x WHERE x.indrelid = a.attrelid AND a.attnum = ANY(x.indkey)
        ) THEN ' * 2' ELSE '' END, ' + ' ORDER BY a.attnum)
      FROM unnest($1::text[]) AS u (name) JOIN pg_attribute AS a ON a.attrelid = to_regclass(u.name)
      WHERE a.attnum > 0 AND NOT a.attisdropped GROUP BY u.name ORDER BY u.name
      """,
      StoreValue.array(Self.otherTables.map { Optional($0) })
    )
    let sums = tables.map { row in
      let table = row.string(0)
      return """
        SELECT sum((\(row.string(1)) + \(Self.headBytes)) * 5 / 4 + \(Self.entryBytes)) * 100 / max(\(Self.share(of: table))) AS bytes
        FROM \(table) AS t \(Self.sample(of: table))
        """
    }
    return try number(
      "SELECT coalesce(sum(bytes), 0)::bigint FROM (\(sums.joined(separator: " UNION ALL "))) AS s"
    ) ?? 0
  }

  /// SQL that reads only some pages of a table.
  private static func sample(of table: String) -> String {
    "TABLESAMPLE SYSTEM ((SELECT \(share(of: table)))) REPEATABLE (1)"
  }

  /// SQL for the percentage of the pages that `sample` reads.
  private static func share(of table: String) -> String {
    "least(100, 100.0 * \(samplePages) * current_setting('block_size')::bigint / greatest(pg_relation_size('\(table)'), 1))"
  }

  package func countedTombstones(isRecent: Bool) -> Int64 { 0 }

  package func recentUsedBytes() throws(StoreError) -> Int64 {
    if let measure, measure.time + .seconds(30) > .now { return measure.bytes }
    return try usedBytes()
  }

  /// Bytes of an item's rows and entries of indexes without its texts and words. With the factors for room that pages leave and
  /// for the index of words, the tables were measured within 5 %: 20,000 items of 0.3 and 1 KiB, 4,000 of 10 KiB, 300 of 100 KiB.
  private static var rowBytes: Int { 2200 }
  /// Bytes of the head of a row of another table.
  private static var headBytes: Int { 24 }
  /// Bytes of the entries of a row in the indexes of another table.
  private static var entryBytes: Int { 60 }
  /// Bytes of the entry of a word in its index, without its text, and without what counts as part of the item's words.
  private static var wordBytes: Int { 38 }
  /// The items whose words are compared.
  private static var wordItems: Int { 40 }
  /// Pages of a table that are read for a measure; a page of the table of items has some 30 of them.
  private static var samplePages: Int { 60 }

  package static func isOne(of parameter: String) -> String { "= ANY(\(parameter)::bigint[])" }

  /// Each clock differs from the server's by five seconds at most (`NodeClock`).
  package static var clockDifference: Int64 { 10 }

  package static func byteCount(of column: String) -> String { "octet_length(\(column))" }

  package func storedColumns() throws(StoreError) -> [StoredColumn] {
    try rows(
      """
      SELECT c.relname::text, a.attname::text FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND a.attnum > 0
        AND NOT a.attisdropped AND (a.atttypid = 'text'::regtype OR a.atttypid = 'bytea'::regtype)
      """
    ) { StoredColumn(table: $0.string(0), name: $0.string(1), isNumber: false) }
  }

  package static var extremes: (least: String, greatest: String) { ("least", "greatest") }

  package static var newestFirst: String { "i.sort DESC, i.id DESC" }

  package static var oldestFirst: String { "i.sort, i.id" }

  package static func isSorted(since time: Timestamp) -> String { "i.sort >= \(time.seconds)" }

  package static func isSorted(until time: Timestamp) -> String { "i.sort < \(time.seconds)" }

  package static var itemReference: String { "id" }

  package static var sharedHubColumns: String { "is_pending, last_contact, revision" }

  package static var sortTime: String { "i.sort" }

  package func feed(url: String) throws(StoreError) -> Feed? {
    try query("SELECT \(FeedRow.columns) FROM feeds WHERE md5(url) = md5($1) AND url = $1", url).first
      .map { FeedRow.feed($0) }
  }

  package func items(
    _ ids: [Int64],
    parts: ItemParts,
    within bytes: Int
  ) throws(StoreError) -> (found: [Int64: ItemEntry], count: Int) {
    let count = bytes == .max ? ids.count : try fitting(ids, bytes)
    return (try ItemReader(self, parts: parts).entries(Array(ids.prefix(count))), count)
  }

  package func fitting(_ ids: [Int64], _ bytes: Int) throws(StoreError) -> Int {
    ids.count > 1 ? try textSizes(of: ids, within: bytes).count : ids.count
  }

  /// The server tells the lengths without reading the texts.
  package func textSizes(of ids: [Int64], within bytes: Int) throws(StoreError) -> [Int] {
    let found = try rows(
      """
      SELECT c.id, octet_length(c.text)::bigint + coalesce(octet_length(c.html), 0)
        + coalesce(octet_length(c.details), 0) + coalesce(octet_length(c.summary), 0)
        + coalesce(octet_length(c.author), 0) + coalesce(octet_length(i.title), 0)
        + coalesce(octet_length(i.guid), 0) + coalesce(octet_length(i.url), 0)
        + coalesce(octet_length(i.language), 0) + coalesce(octet_length(a.feed_text), 0)
        + coalesce(octet_length(a.feed_html), 0)
      FROM contents AS c JOIN items AS i ON i.id = c.id LEFT JOIN articles AS a ON a.item = c.id
      WHERE c.id = ANY($1::bigint[])
      """,
      StoreValue.array(ids)
    ) { ($0.int64(0), $0.int(1)) }
    let known = Dictionary(found) { first, _ in first }
    var sizes: [Int] = []
    var left = bytes
    for id in ids {
      sizes.append(known[id] ?? 0)
      left -= known[id] ?? 0
      if left <= 0 { break }
    }
    return sizes
  }

  package func remove(items: [Int64]) throws(StoreError) {
    var remover = try ItemRemover(self)
    try remover.remove(items)
    try remover.finish()
  }

  package func forgetRemains(of feed: Feed.ID?) throws(StoreError) {
    if let feed { try run("DELETE FROM polls WHERE feed = $1", feed) }
  }

  package func isBeyond(_ oldest: Timestamp?, _ kept: Int?, of feed: Feed.ID) throws(StoreError) -> String {
    var conditions = ["false"]
    if let oldest { conditions.append("sort < \(oldest.seconds)") }
    if let kept {
      // Keep the newest `kept` items: the next one and all older ones exceed the limit.
      let row = try query(
        "SELECT sort, id FROM items WHERE feed = $1 ORDER BY sort DESC, id DESC LIMIT 1 OFFSET $2",
        feed,
        max(kept, 0)
      ).first
      if let row { conditions.append("(sort, id) <= (\(row.int64(0)), \(row.int64(1)))") }
    }
    return "(" + conditions.joined(separator: " OR ") + ")"
  }

  package var violation: String? { lastError.flatMap { $0.isConstraint ? $0.message : nil } }

  package func totals() throws(StoreError) -> StreamTotals {
    let row = try query("SELECT items, unread, starred FROM \(try countersRow())").first
    return StreamTotals(items: row?.int(0) ?? 0, unread: row?.int(1) ?? 0, starred: row?.int(2) ?? 0)
  }

  package func raiseIDs() throws(StoreError) { try ItemIDs.raise(self) }

  package func set(_ counter: Counter, to expression: (String) -> String) throws(StoreError) {
    try run(
      "UPDATE counters SET \(counter.column) = \(expression(counter.column)) WHERE \(StoreCounters.isLast)"
    )
  }

  package func release(_ entries: [HookEntry], of hook: String) throws(StoreError) {
    try post(
      "UPDATE outbox SET taken = NULL WHERE hook = $1 AND sequence = ANY($2::bigint[])",
      hook,
      StoreValue.array(entries.map(\.sequence))
    )
  }

  package func currentTime() throws(StoreError) -> Timestamp {
    Timestamp(seconds: try number("SELECT extract(epoch FROM clock_timestamp())::bigint") ?? 0)
  }

  // MARK: Counters

  /// Adds to a counter and returns the new value.
  @discardableResult
  package func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64 {
    announce(counter)
    let value = try number(
      """
      UPDATE counters SET \(counter.column) = \(counter.column) + $1::bigint
      WHERE \(StoreCounters.isLast) RETURNING \(counter.column)
      """,
      amount
    )
    return try counter.checked(value ?? 0, in: name)
  }

  package func add(_ amounts: KeyValuePairs<Counter, Int64>) throws(StoreError) {
    let changes = amounts.enumerated().map {
      "\($0.element.key.column) = \($0.element.key.column) + $\($0.offset + 1)::bigint"
    }
    for (counter, _) in amounts { announce(counter) }
    try post(
      Statement(
        "UPDATE counters SET \(changes.joined(separator: ", ")) WHERE \(StoreCounters.isLast)",
        parameters: amounts.map(\.value.storeValue)
      )
    )
  }

  private func announce(_ counter: Counter) {
    switch counter {
    case .sequence: announced.insert(.log)
    case .feedList: announced.insert(.feedList)
    default: break
    }
  }

  package func value(of counter: Counter) throws(StoreError) -> Int64 {
    Counter.clamped(try self.counter(counter.column))
  }

  /// Makes the commit wake the processes that wait for changes.
  package func notify() throws(StoreError) { announced.insert(.log) }

  package func makeMarker() -> BatchItemMarker { BatchItemMarker(self) }
}

extension Counter {
  /// The column of the table `counters`.
  var column: String { self == .feedList ? "feed_list" : rawValue }
}

extension Connection {
  package func replaceWords(
    of id: NewsItem.ID,
    author: String,
    title: String,
    text: String,
    by new: (title: String, text: String)
  ) throws(StoreError) {
    guard let sort = try number("SELECT sort FROM items WHERE id = $1", id.rawValue) else { return }
    let grown = try ItemRows.replaceWords(
      of: id.rawValue,
      Timestamp(seconds: sort),
      TokenVector(ItemTokens(title: new.title, author: author, text: new.text)),
      self
    )
    try post("UPDATE counters SET tokens = tokens + $1::bigint WHERE \(StoreCounters.isLast)", grown)
  }
}

extension PostgresStore {
  public func remember(search query: String, at time: Timestamp) async {
    guard query.contains(where: { !$0.isWhitespace }) else { return }
    // Ignore a failure to record the search: it has already been answered.
    try? await maintain(isTransaction: true) { (connection) throws(StoreError) in
      try connection.execute("SET LOCAL lock_timeout = '4ms'; SET LOCAL synchronous_commit = off")
      try connection.execute("LOCK TABLE searches IN SHARE ROW EXCLUSIVE MODE")
      try connection.remember(search: query, at: time)
    }
  }
}

extension PostgresStore: NodeListing {
  public func nodes() async throws(StoreError) -> [StoreNode] {
    try await snapshot { [table = node.table] (connection) throws(StoreError) in
      // Accounts have one list, which the first process that polls them makes.
      guard try connection.query("SELECT to_regclass($1) IS NOT NULL", table).first?.bool(0) == true else {
        return []
      }
      return try connection.query(
        """
        SELECT n.name, n.version, extract(epoch FROM n.since)::bigint, extract(epoch FROM n.beat)::bigint,
          (SELECT count(*) FROM polls AS p WHERE p.owner = n.id AND p.feed > 0)
        FROM \(table) AS n WHERE n.until > clock_timestamp() ORDER BY n.name, n.id
        """
      ).map { row in
        StoreNode(
          name: row.string(0),
          version: row.string(1),
          since: row.time(2) ?? Timestamp(seconds: 0),
          lastBeat: row.time(3) ?? Timestamp(seconds: 0),
          feeds: Int(row.int64(4))
        )
      }
    }
  }
}

extension PostgresStore {
  public func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] {
    let changes = try await write(locking: .late) { (connection) throws(StoreError) in
      let claims = records.compactMap { record in
        self.claims.claim(of: record.feedID).map { (record.feedID, $0) }
      }
      let writer = try ItemWriter(
        connection,
        feeds: Array(Set(records.map(\.feedID))),
        claims: Dictionary(claims) { first, _ in first }
      )
      return try Self.store(records, writer)
    }
    if changes.reduce(0, { $0 + $1.inserted.count }) > 1000 { await cleanIndex() }
    return changes
  }

  private static func store(
    _ records: [RefreshRecord],
    _ writer: ItemWriter
  ) throws(StoreError) -> [RefreshChange] {
    var writer = writer
    writer.hooks = try HookBook(writer.hookSession)
    let rules = writer.definitions.ruleBook
    let held = records.filter { !writer.lostFeeds.contains($0.feedID) }
    try writer.prefetch(
      held.filter { $0.parsed != nil }.map { ($0.feedID, $0.storedItems.usingEnclosuresAsGuids()) }
    )
    return try writer.store(held, rules: rules)
  }

  /// Merges the pending entries of the word index outside a transaction. Otherwise, the writing transaction that fills
  /// their list would have to merge them.
  private func cleanIndex() async {
    try? await maintain { (connection) throws(StoreError) in
      try connection.query("SELECT gin_clean_pending_list('words_index')")
      return
    }
  }

  public func probeWriting() async throws(StoreError) {
    // To lock the store is to write.
    try await write { (connection) throws(StoreError) in try connection.refuseAboveQuota() }
  }
}

extension Connection {
  package func store(
    _ imported: ImportedFeed,
    appliesRules: Bool,
    at time: Timestamp
  ) throws(StoreError) -> ImportReport {
    try store(imported, appliesRules: appliesRules, at: time) { (feed) throws(StoreError) in
      try ItemWriter(self, feeds: [feed])
    }
  }
}
