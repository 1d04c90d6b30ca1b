import CSQLite
import NewsCore

/// The same items in plain SQL: one table, and FTS5 with its default tokenizer.
final class Reference {
  struct Failure: Error { var message: String }

  enum Layout {
    /// A table with an index on time and an external-content FTS5 index: the baseline for queries.
    case table
    /// Only an FTS5 table: the baseline for insertion.
    case bareIndex
  }

  private let database: OpaquePointer
  private let layout: Layout

  init(path: String, layout: Layout) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
      throw Failure(message: "cannot open \(path)")
    }
    database = handle
    self.layout = layout
    try run(
      "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536"
    )
    switch layout {
    case .table:
      try run(
        """
        CREATE TABLE items (id INTEGER PRIMARY KEY, feed INTEGER, published INTEGER, title TEXT, url TEXT,
          author TEXT, language TEXT, is_read INTEGER, text TEXT);
        CREATE INDEX items_published ON items (published, id);
        CREATE INDEX items_feed ON items (feed, published);
        CREATE VIRTUAL TABLE search USING fts5 (title, author, text, content = 'items', content_rowid = 'id');
        """
      )
    case .bareIndex:
      try run("CREATE VIRTUAL TABLE search USING fts5 (title, author, text)")
    }
  }

  deinit { sqlite3_close(database) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(database)))
    }
  }

  /// Inserts the items in one transaction.
  func insert(_ items: [(id: Int64, feed: Int64, item: ParsedItem)]) throws {
    try run("BEGIN IMMEDIATE")
    if layout == .table {
      try insert(
        items,
        "INSERT INTO items (id, feed, published, title, url, author, language, is_read, text) VALUES (?,?,?,?,?,?,?,0,?)"
      ) { statement, entry in
        sqlite3_bind_int64(statement, 1, entry.id)
        sqlite3_bind_int64(statement, 2, entry.feed)
        sqlite3_bind_int64(statement, 3, entry.item.published?.seconds ?? 0)
        bind(statement, 4, entry.item.title)
        bind(statement, 5, entry.item.url)
        bind(statement, 6, entry.item.authors.first?.name)
        bind(statement, 7, entry.item.language)
        bind(statement, 8, entry.item.contentText)
      }
    }
    try insert(items, "INSERT INTO search (rowid, title, author, text) VALUES (?,?,?,?)") {
      statement,
      entry in
      sqlite3_bind_int64(statement, 1, entry.id)
      bind(statement, 2, entry.item.title)
      bind(statement, 3, entry.item.authors.first?.name)
      bind(statement, 4, entry.item.contentText)
    }
    try run("COMMIT")
  }

  private func insert(
    _ items: [(id: Int64, feed: Int64, item: ParsedItem)],
    _ sql: String,
    _ bind: (OpaquePointer, (id: Int64, feed: Int64, item: ParsedItem)) -> Void
  ) throws {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw Failure(message: String(cString: sqlite3_errmsg(database)))
    }
    defer { sqlite3_finalize(statement) }
    for entry in items {
      bind(statement, entry)
      guard sqlite3_step(statement) == SQLITE_DONE else {
        throw Failure(message: String(cString: sqlite3_errmsg(database)))
      }
      sqlite3_reset(statement)
    }
  }

  private func bind(_ statement: OpaquePointer, _ index: Int32, _ text: String?) {
    guard let text else {
      sqlite3_bind_null(statement, index)
      return
    }
    sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), newsd_sqlite3_transient())
  }

  /// Returns the first column of the first row.
  func number(_ sql: String) throws -> Int64 {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &prepared, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(database)))
    }
    defer { sqlite3_finalize(prepared) }
    return sqlite3_step(prepared) == SQLITE_ROW ? sqlite3_column_int64(prepared, 0) : 0
  }
}

extension Reference {
  /// Returns the size of a store's full-text index in bytes.
  static func indexSize(_ path: String) throws -> Int64 {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    var statement: OpaquePointer?
    let sql = "SELECT sum(length(block)) FROM search_data"
    guard sqlite3_open(path, &handle) == SQLITE_OK,
      sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK
    else { throw Failure(message: "cannot read \(path)") }
    defer { sqlite3_finalize(statement) }
    return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0
  }
}
