package import NewsCore
import NewsSearch
package import NewsStoresShared

/// Stores the rows of an export in an empty store, many in one statement. Commits after `linesPerCommit` lines: while a
/// transaction is open, the server cannot remove dead rows of any table. `store_settings` tells how much is committed,
/// from a first transaction with no line until everything is. While a part is, large tables have no indexes.
struct StoreImport: ImportSession {
  private static let portion = 500
  /// The names in `store_settings`.
  private static let (lines, hash) = ("import_lines", "import_hash")

  let connection: Connection
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  private var tokens: Int64 = 0
  private let linesPerCommit: Int
  private var newLines = 0

  private struct Waiting {
    var exported: ExportedItem
    var item: StoredItem
    var marks: ItemHashes
    var id: Int64 { exported.integer("id") }
  }

  /// Begins in the current transaction, and locks the store.
  init(_ connection: Connection, linesPerCommit: Int) throws(StoreError) {
    self.connection = connection
    self.linesPerCommit = linesPerCommit
    try Self.begin(connection)
  }

  /// Statements that check an import read whole tables. Lines may come from a pipe, which can be slow.
  private static func begin(_ connection: Connection) throws(StoreError) {
    try connection.post("SET LOCAL enable_seqscan = on")
    try connection.post("SET LOCAL idle_in_transaction_session_timeout = 0")
    try Layout.lock(connection)
  }

  /// True if an import was interrupted.
  static func isUnfinished(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.number("SELECT 1 FROM store_settings WHERE name = $1", lines) != nil
  }

  func begun() throws(StoreError) -> ImportPlace? {
    func setting(_ name: String) throws(StoreError) -> Int64? {
      try connection.number("SELECT value FROM store_settings WHERE name = $1", name)
    }
    guard let lines = try setting(Self.lines), let hash = try setting(Self.hash) else { return nil }
    return ImportPlace(lines: Int(lines), hash: UInt64(bitPattern: hash))
  }

  mutating func begin(_ place: ImportPlace) throws(StoreError) { try commit(place) }

  mutating func noteLine(_ place: ImportPlace) throws(StoreError) {
    newLines += 1
    guard newLines >= linesPerCommit else { return }
    newLines = 0
    try flush()
    try addTokens()
    if try begun()?.lines == 0 { try Layout.dropLargeIndexes(connection) }
    try commit(place)
  }

  private func commit(_ place: ImportPlace) throws(StoreError) {
    try connection.post(
      """
      INSERT INTO store_settings (name, value) VALUES ($1, $2::bigint), ($3, $4::bigint)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """,
      Self.lines,
      place.lines,
      Self.hash,
      Int64(bitPattern: place.hash)
    )
    try connection.execute("COMMIT")
    try connection.begin()
    try Self.begin(connection)
    guard try begun() == place else {
      throw StoreError(code: .busy, message: "another process imports into \(connection.name)")
    }
  }

  private mutating func addTokens() throws(StoreError) {
    try connection.post(
      "UPDATE counters SET tokens = tokens + $1::bigint WHERE \(StoreCounters.isLast)",
      tokens
    )
    tokens = 0
  }

  mutating func insert(
    _ exported: ExportedItem,
    _ item: StoredItem,
    _ marks: ItemHashes
  ) throws(StoreError) {
    waiting.append(Waiting(exported: exported, item: item, marks: marks))
    waitingBytes += exported.textBytes
    if waiting.count >= Self.portion || waitingBytes >= ExportPage.mostBytes { try flush() }
  }

  private mutating func flush() throws(StoreError) {
    let rows = waiting
    waiting = []
    waitingBytes = 0
    guard !rows.isEmpty else { return }
    let values: [StoreValue] = [
      .array(rows.map(\.id)), .array(rows.map { $0.exported.integer("feed") }),
      .array(rows.map(\.exported.sortTime.seconds)), .array(rows.map(\.marks.identity)),
      .array(rows.map(\.marks.revision)), .array(rows.map { $0.exported.integer("read") }),
      .array(rows.map { $0.exported.integer("starred") }),
      .array(rows.map { Int64($0.item.details.enclosures.isEmpty ? 0 : 1) }),
      .array(rows.map { $0.item.published?.seconds }), .array(rows.map { $0.item.updated?.seconds }),
      .array(rows.map(\.exported.stored.seconds)), .array(rows.map { $0.exported.integer("sequence") }),
      .array(rows.map { $0.exported.integer("change") }),
      .array(rows.map { $0.exported.integer("first_sequence") }),
      .array(rows.map(\.exported.story)), .array(rows.map(\.item.language)), .array(rows.map(\.item.guid)),
      .array(rows.map(\.item.url)), .array(rows.map { Optional($0.item.title) }),
    ]
    try connection.insertImported(
      """
      INSERT INTO items (id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published, updated,
        stored, sequence, change, first_sequence, cluster, language, guid, url, title)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
        $14::bigint[], $15::bigint[], $16::text[], $17::text[], $18::text[], $19::text[])
      """,
      values: values
    )
    try ItemRows.insertContents(rows.map { ($0.id, $0.item) }, connection)
    let vectors = rows.map { ($0.id, $0.exported.sortTime, TokenVector($0.item.preparation.tokens)) }
    tokens += try ItemRows.insertWords(vectors, connection)
    let stories = rows.filter { !$0.item.preparation.fingerprint.keys.isEmpty }
    try StoryQueue.insert(
      stories.map { ($0.id, $0.exported.sortTime, $0.item.preparation.fingerprint) },
      connection
    )
    try ItemRows.insertTags(rows.map { ($0.id, $0.item.details.allTags) }, connection)
    for row in rows { try connection.insertParts(of: row.exported) }
  }

  mutating func finish() throws(StoreError) {
    try flush()
    try addTokens()
    try connection.completeFeedLog()
    try ItemIDs.raise(connection)
    if let begun = try begun(), begun.lines > 0 { try Layout.createLargeIndexes(connection) }
    try connection.query("DELETE FROM store_settings WHERE name IN ($1, $2)", Self.lines, Self.hash)
    // The statements that check the import need statistics.
    try connection.execute(
      "ANALYZE items, contents (id), words (id, sort), item_tags, stories (item), story_keys, feeds"
    )
  }
}

extension StoreImport {
  /// Removes the mark of a failed import that has stored nothing: the store is as empty as before.
  fileprivate static func forgetUnlessStored(_ connection: Connection) throws(StoreError) {
    try begin(connection)
    try connection.query(
      """
      DELETE FROM store_settings WHERE name IN ($1, $2)
        AND EXISTS (SELECT 1 FROM store_settings WHERE name = $1 AND value = 0)
      """,
      lines,
      hash
    )
  }
}

extension PostgresStore {
  public func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    // An interrupted import can be continued, so a COMMIT without an answer is an error like others.
    defer { reexamine() }
    do {
      return try await maintain(isTransaction: true) { [linesPerCommit] (connection) throws(StoreError) in
        try ImportReader.run(StoreImport(connection, linesPerCommit: linesPerCommit), trust, line)
      }
    } catch {
      try? await maintain(isTransaction: true) { (connection) throws(StoreError) in
        try StoreImport.forgetUnlessStored(connection)
      }
      throw error
    }
  }
}

extension Connection {
  package func exportedItems(
    after: Int64,
    through last: Int64,
    limit: Int
  ) throws(StoreError) -> ExportPage {
    let ids = try query(
      """
      SELECT i.id FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id > $1 AND i.id <= $2
      ORDER BY i.id LIMIT $3
      """,
      after,
      last,
      limit
    ).map { $0.int64(0) }
    let part = Array(ids.prefix(try fitting(ids, ExportPage.mostBytes)))
    let rows = try query(
      """
      SELECT i.id, i.feed, i.sequence, i.first_sequence, i.change, i.is_read, i.is_starred, i.cluster, i.published,
        i.updated, i.stored, i.language, i.guid, i.url, i.title,
        CASE WHEN i.published IS NULL AND i.sort < i.stored THEN i.sort END, c.summary, c.details, c.text, c.html,
        EXISTS (SELECT 1 FROM versions WHERE item = i.id), EXISTS (SELECT 1 FROM articles WHERE item = i.id)
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id = ANY($1::bigint[]) ORDER BY i.id
      """,
      StoreValue.array(part)
    )
    let labels = try labels(of: part)
    var page = ExportPage()
    var bytes = 0
    for row in rows {
      let id = row.int64(0)
      let article = row.bool(21) ? try exportedArticle(of: id) : nil
      var line = ExportLine.item(row, article: article, labels: labels[id] ?? [])
      if row.bool(20) {
        line = try addVersions(of: NewsItem.ID(rawValue: id), text: row.string(18), to: line)
      }
      page.lines.append(line)
      bytes += line.textBytes
      guard bytes < ExportPage.mostBytes else {
        page.last = id
        return page
      }
    }
    page.last = part.count == limit || part.count < ids.count ? part.last : nil
    return page
  }
}
