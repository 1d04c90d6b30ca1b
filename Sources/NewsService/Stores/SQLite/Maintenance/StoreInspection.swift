import CSQLite
import Glibc
import NewsCore
import NewsSearch
import NewsStoresShared
import NewsToolbox

/// The checks and the repairs of `newsd check`.
enum StoreInspection {
  /// Runs SQLite's own check of the file, or of one table with its indexes. The check of the schema table includes the
  /// free pages.
  static func integrity(
    _ connection: Connection,
    table: String
  ) throws(StoreError) -> [StoreProblem] {
    try integrity(connection, argument: SQLName.quoted(table))
  }

  static func integrity(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try integrity(connection, argument: "50")
  }

  private static func integrity(
    _ connection: Connection,
    argument: String
  ) throws(StoreError) -> [StoreProblem] {
    do {
      let messages = try connection.rows("PRAGMA integrity_check(\(argument))") { $0.string(0) }
      // A row may contain a headline and several lines after it.
      return messages.filter { $0 != "ok" }.flatMap { $0.split(ascii: "\n") }.filter {
        !$0.hasPrefix("***")
      }
      .map { StoreProblem(kind: .integrity, message: String($0), isRepairable: true) }
    } catch  where error.code == .corrupt {
      return [StoreProblem(kind: .integrity, message: error.message, isRepairable: true)]
    }
  }

  /// Detects a store with a damaged header, or a truncated one, which SQLite cannot open. The header distinguishes it
  /// from files of other programs (SQLite, "Database File Format" 1.3).
  static func truncation(of path: String) -> StoreProblem? {
    if let header = StoreHeader(path: path), header.isDamaged {
      return StoreProblem(kind: .integrity, message: "the header of the file is damaged", isRepairable: true)
    }
    guard let file = try? FileBytes.open(path, flags: O_NONBLOCK) else { return nil }
    // Closing this descriptor releases no locks, because no connection is open.
    defer { close(file) }
    var status = stat()
    guard let header = FileBytes.read(file, upTo: 100), header.count == 100, fstat(file, &status) == 0 else {
      return nil
    }
    return StoreHeader.missingPages(header, of: Int64(status.st_size)).map {
      StoreProblem(kind: .integrity, message: $0.message, isRepairable: true)
    }
  }

  /// Checks the file, the layout, references, totals, contents and which items are indexed, in one snapshot.
  /// If the file is damaged or its layout differs, returns only these problems. Foreign parts come first: SQLite's check
  /// computes constraints, columns and indexes, which may take any time and memory.
  static func everything(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    if let parts = try? layout(connection), !parts.allSatisfy(\.isRepairable) { return parts }
    let damage = try integrity(connection)
    guard damage.isEmpty else { return damage }
    let parts = try layout(connection)
    guard parts.isEmpty else { return parts }
    return try references(connection) + totals(connection) + ContentInspection.problems(connection)
      + indexedRows(connection)
  }

  /// Compares tables, indexes, views and triggers with those of a new store.
  static func layout(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let parts = try Parts(connection)
    return parts.missing.map {
      StoreProblem(kind: .layout, message: "the \($0.type) '\($0.name)' is missing", isRepairable: true)
    }
      + parts.foreign.map {
        StoreProblem(
          kind: .layout,
          message: "the \($0.type) '\($0.name)' is not part of a newsd store. 'newsd export --all' and "
            + "'newsd import' make a store without it",
          isRepairable: false
        )
      }
  }

  /// A table, index, view or trigger.
  private struct Part: Hashable {
    var type: String
    var name: String
    /// The statement that created the part; nil for automatic indexes.
    var sql: String?
  }

  /// The differences from a new store.
  private struct Parts {
    var missing: [Part] = []
    var foreign: [Part] = []

    init(_ connection: Connection) throws(StoreError) {
      let model = try Connection(path: ":memory:", access: .creating, busyTimeout: 0)
      try Schema.create(model)
      let wanted = try Self.all(of: model)
      let present = try Self.all(of: connection)
      let names = Set(present.map(\.name))
      // Later parts may be missing in an older store: its next write adds them.
      missing = wanted.filter {
        $0.sql != nil && !names.contains($0.name) && !Schema.laterParts.contains($0.name)
      }
      foreign = present.filter { !wanted.contains($0) && !Self.statistics.contains($0) }
    }

    /// The tables that SQLite makes when someone runs ANALYZE or PRAGMA optimize.
    private static let statistics: Set = [
      Part(type: "table", name: "sqlite_stat1", sql: "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
      Part(
        type: "table",
        name: "sqlite_stat4",
        sql: "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"
      ),
    ]

    private static func all(of connection: Connection) throws(StoreError) -> [Part] {
      try connection.rows("SELECT type, name, sql FROM sqlite_master ORDER BY rowid") {
        Part(type: $0.string(0), name: $0.string(1), sql: $0.optionalString(2))
      }
    }
  }

  /// Compares the index with every word of every item. FTS5 needs a write statement for this; it is rolled back.
  static func index(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try connection.execute("BEGIN IMMEDIATE")
    let code = sqlite3_exec(
      connection.raw,
      "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)",
      nil,
      nil,
      nil
    )
    let error = connection.error(code)
    try connection.execute("ROLLBACK")
    if code == SQLITE_OK { return [] }
    guard error.code == .corrupt else { throw error }
    return [IndexInspection.problem]
  }

  /// Searches for some items by a word of their title. FTS5's own check does not detect damage to the pages that lead
  /// to a word.
  static func lookups(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let count = try connection.value(of: .items)
    let sample = try connection.rows(
      "SELECT key, title FROM items WHERE id % $1 = 0 AND title <> '' LIMIT 200",
      max(count / 200, 1)
    ) { (key: ItemKey($0), title: $0.string(1)) }
    for (key, title) in sample {
      let words = WordTokenizer.tokens(of: title, mode: .document).filter { !$0.isColocated }
      guard let word = words.first?.text, !word.contains("\"") else { continue }
      let found = try connection.number(
        "SELECT 1 FROM search WHERE search MATCH $1 AND rowid = $2",
        "title : \"\(word)\"",
        key
      )
      guard found == nil else { continue }
      let message = "the full-text index does not find an item by the word '\(word)' of its title"
      return [StoreProblem(kind: .index, message: message, isRepairable: true)]
    }
    return []
  }

  /// Checks which items are indexed, but not their words. Needs no write access.
  static func indexedRows(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let missing =
      try connection.number("SELECT count(*) FROM items WHERE key NOT IN (SELECT id FROM search_docsize)")
      ?? 0
    let excess =
      try connection.number("SELECT count(*) FROM search_docsize WHERE id NOT IN (SELECT key FROM items)")
      ?? 0
    guard missing + excess > 0 else { return [] }
    let message =
      "\(missing) items are not in the full-text index, and \(excess) entries of the index have no item"
    return [StoreProblem(kind: .index, message: message, isRepairable: true)]
  }

  static func repair(_ connection: Connection) throws(StoreError) {
    // The shadow tables of the full-text index are created with it.
    for part in try Parts(connection).missing where !part.name.hasPrefix("search_") {
      if let sql = part.sql { try connection.execute(sql) }
    }
    try connection.execute(
      "INSERT INTO file SELECT lower(hex(randomblob(16))), 0, 0 WHERE NOT EXISTS (SELECT 1 FROM file)"
    )
    // Move items of a lost feed to a replacement feed that is never fetched.
    try connection.execute(
      """
      INSERT INTO feeds (id, url, user_title, position, added)
      SELECT DISTINCT feed, 'ingest:recovered-' || feed, 'Recovered items of feed ' || feed, feed, 0
      FROM items WHERE feed NOT IN (SELECT id FROM feeds)
      """
    )
    for reference in Connection.partReferences where try connection.has(reference.table) {
      try connection.run("DELETE FROM \(reference.strays)")
    }
    try connection.execute(
      """
      INSERT INTO contents (id, author, text)
      SELECT id, '', '' FROM items WHERE id NOT IN (SELECT id FROM contents)
      """
    )
    try connection.recount()
    try connection.completeFeedLog()
    try connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
  }
}

/// References and totals. Each function needs a snapshot, but different functions may use different snapshots.
extension StoreInspection {
  static func references(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try connection.missingReferences().map { StoreProblem(kind: .reference, message: $0, isRepairable: true) }
  }

  static func totals(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try counters(connection) + feedTotals(connection)
  }

  static func counters(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try connection.wrongCounters().map { StoreProblem(kind: .total, message: $0, isRepairable: true) }
  }

  static func feedTotals(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try connection.wrongFeedTotals().map { StoreProblem(kind: .total, message: $0, isRepairable: true) }
  }
}
