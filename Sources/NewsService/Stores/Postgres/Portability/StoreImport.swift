import NewsSearch
import NewsStoresShared
import NewsCore
import NewsToolbox

/// Stores the rows of an export in an empty store, many in one statement. Commits after `linesPerCommit` lines: while a
/// transaction is open, the server cannot remove dead rows of any table. `store_settings` tells how much is committed,
/// until everything is. From the first such commit to the last one, large tables have no indexes.
struct StoreImport: ImportSession {
  private static let portion = 500
  /// The names in `store_settings`.
  private static let (lines, hash) = ("import_lines", "import_hash")

  private let connection: Connection
  private var waiting: [Waiting] = []
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
    try Layout.lock(connection)
  }

  /// True if an import was interrupted.
  static func isUnfinished(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM store_settings WHERE name = $1", lines) != nil
  }

  func begun() throws(StoreError) -> ImportPlace? {
    func setting(_ name: String) throws(StoreError) -> Int64? {
      try connection.integer("SELECT value FROM store_settings WHERE name = $1", name)
    }
    guard let lines = try setting(Self.lines), let hash = try setting(Self.hash) else { return nil }
    return ImportPlace(lines: Int(lines), hash: UInt64(bitPattern: hash))
  }

  mutating func noteLine(_ place: ImportPlace) throws(StoreError) {
    newLines += 1
    guard newLines >= linesPerCommit else { return }
    newLines = 0
    try flush()
    try addTokens()
    if try begun() == nil { try Layout.dropLargeIndexes(connection) }
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
    try Layout.lock(connection)
    guard try begun() == place else {
      throw StoreError(code: .busy, message: "another process imports into \(name)")
    }
  }

  private mutating func addTokens() throws(StoreError) {
    try connection.post("UPDATE store SET tokens = tokens + $1::bigint", tokens)
    tokens = 0
  }

  var name: String { connection.name }

  func isEmpty() throws(StoreError) -> Bool {
    for table in ["feeds", "items", "tombstones"] {
      guard try connection.integer("SELECT 1 FROM \(table) LIMIT 1") == nil else { return false }
    }
    return true
  }

  mutating func insert(_ row: ExportRow, into table: ExportTable) throws(StoreError) {
    if table.name == "counters" {
      guard let counter = row["name"]?.string.flatMap(Counter.init(rawValue:)) else {
        return
      }
      try connection.query("UPDATE store SET \(counter.column) = $1", row["value"]?.integer ?? 0)
      return
    }
    let names = row.members.map(\.name).joined(separator: ", ")
    let places = row.members.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let parameters = row.members.map { member -> Parameter in
      if let number = member.value.integer { return Parameter(.integer(number)) }
      return member.value.string.map { Parameter(.text($0)) } ?? .null
    }
    try insert { (connection) throws(StoreError) in
      try connection.query("INSERT INTO \(table.name) (\(names)) VALUES (\(places))", parameters: parameters)
    }
  }

  /// Runs `body`, and throws `badQuery` if a row violates a constraint.
  private func insert(_ body: (Connection) throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) {
      try body(connection)
    } catch {
      guard let cause = connection.lastError, cause.isConstraint else { throw error }
      throw StoreError(code: .badQuery, message: "the store refuses the row: \(cause.message)")
    }
  }

  mutating func insert(
    _ exported: ExportedItem,
    _ item: StoredItem,
    _ marks: ItemHashes
  ) throws(StoreError) {
    waiting.append(Waiting(exported: exported, item: item, marks: marks))
    if waiting.count >= Self.portion { try flush() }
  }

  private mutating func flush() throws(StoreError) {
    let rows = waiting
    waiting = []
    guard !rows.isEmpty else { return }
    let parameters: [Parameter] = [
      .array(rows.map(\.id)), .array(rows.map { $0.exported.integer("feed") }),
      .array(rows.map(\.exported.sortTime.seconds)), .array(rows.map(\.marks.identity)),
      .array(rows.map(\.marks.revision)), .array(rows.map { $0.exported.integer("read") }),
      .array(rows.map { $0.exported.integer("starred") }),
      .array(rows.map { Int64($0.item.details.enclosures.isEmpty ? 0 : 1) }),
      .array(rows.map { $0.item.published?.seconds }), .array(rows.map { $0.item.updated?.seconds }),
      .array(rows.map(\.exported.stored.seconds)), .array(rows.map { $0.exported.integer("sequence") }),
      .array(rows.map { $0.exported.integer("change") }),
      .array(rows.map { $0.exported.integer("first_sequence") }),
      .array(rows.map(\.exported.cluster)), .array(rows.map(\.item.language)), .array(rows.map(\.item.guid)),
      .array(rows.map(\.item.url)), .array(rows.map { Optional($0.item.title) }),
    ]
    try insert { (connection) throws(StoreError) in
      try connection.query(
        """
        INSERT INTO items (id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published, updated,
          stored, sequence, change, first_sequence, cluster, language, guid, url, title)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
          $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
          $14::bigint[], $15::bigint[], $16::text[], $17::text[], $18::text[], $19::text[])
        """,
        parameters: parameters
      )
    }
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
    // Add the feeds' entries in the change log, which older exports lack.
    try connection.execute(
      """
      INSERT INTO feed_changes (feed, sequence)
        SELECT id, (SELECT sequence FROM store) + row_number() OVER (ORDER BY position, id)
        FROM feeds AS f WHERE NOT EXISTS (SELECT 1 FROM feed_changes AS c WHERE c.feed = f.id);
      UPDATE store SET sequence = greatest(sequence, (SELECT coalesce(max(sequence), 0) FROM feed_changes));
      """
    )
    try ItemIDs.raise(connection)
    if try begun() != nil { try Layout.createLargeIndexes(connection) }
    try connection.query("DELETE FROM store_settings WHERE name IN ($1, $2)", Self.lines, Self.hash)
    // The statements that check the import need statistics.
    try connection.execute(
      "ANALYZE items, contents (id), words (id, sort), item_tags, stories (item), story_keys, feeds"
    )
  }

  func insert(_ rows: SideRows) throws(StoreError) { try rows.insert(into: connection) }

  func missingReferences() throws(StoreError) -> [String] { try StoreInspection.references(connection) }

  func wrongTotals() throws(StoreError) -> [String] { try StoreInspection.totals(connection) }

  mutating func recount() throws(StoreError) { try StoreInspection.recount(connection) }
}
