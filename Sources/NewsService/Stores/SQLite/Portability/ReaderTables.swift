import CSQLite
import NewsCore
import NewsStoresShared

/// Reads the tables of another reader's database, which may be hostile, one after the other and each in the order of its
/// rows: SQLite neither joins nor sorts nor computes anything, so that it takes neither disk nor much memory.
///
/// The bytes of all rows are counted, and the instructions that SQLite runs: both are at most a multiple of the file's size.
/// Ends when the task is cancelled.
final class ReaderTables {
  /// SQLite instructions between two calls of the progress handler.
  private static let interval: Int32 = 10_000
  /// Instructions for each byte of the file: a row has at least a byte for each of its columns.
  private static let instructions: Int64 = 8
  private static let longestValue: Int64 = 64 << 20
  /// Limits of the schema, which SQLite reads at once: the length of a statement, and the number of columns.
  private static let longestStatement: Int32 = 64 << 10
  private static let mostColumns: Int32 = 200
  /// What a row and a name count besides their texts: in memory they take more than in the file.
  private static let rowBytes: Int64 = 128
  private static let nameBytes: Int64 = 64

  /// Calls of the progress handler until the end. Before the size is known, enough for a schema of some thousand entries.
  private var left: Int64 = 5
  /// Bytes that may still be read. Only a damaged or hostile file has more than its size.
  private var bytesLeft: Int64 = 0
  private let connection: Connection
  private let name: String

  /// `name` is for messages.
  init(_ connection: Connection, name: String) throws(StoreError) {
    self.connection = connection
    self.name = name
    sqlite3_limit(connection.raw, SQLITE_LIMIT_LENGTH, Self.longestStatement)
    sqlite3_limit(connection.raw, SQLITE_LIMIT_COLUMN, Self.mostColumns)
    // SQLite calls the handler only while a statement of this connection runs, so no retain is needed.
    sqlite3_progress_handler(
      connection.raw,
      Self.interval,
      { context in
        guard let context else { return 1 }
        let tables = Unmanaged<ReaderTables>.fromOpaque(context).takeUnretainedValue()
        tables.left -= 1
        return tables.left < 0 || Task.isCancelled ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    let pages = try connection.number("PRAGMA page_count") ?? 0
    let size = pages * (try connection.number("PRAGMA page_size") ?? 0)
    left = 1000 + size * Self.instructions / Int64(Self.interval)
    bytesLeft = 2 * size
    sqlite3_limit(
      connection.raw,
      SQLITE_LIMIT_LENGTH,
      Int32(min(max(size, 1 << 20), Self.longestValue))
    )
  }

  deinit { sqlite3_progress_handler(connection.raw, 0, nil, nil) }

  var isSpent: Bool { left < 0 }

  /// The names of the real tables: a view, a virtual table or a generated column could compute anything.
  func names() throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT name FROM sqlite_master AS t WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
        AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) WHERE hidden > 1) LIMIT 1000
      """
    ) { $0.string(0) }
  }

  /// Passes the rows of a table to `body`.
  func rows(of table: String, _ body: (ReaderRow) throws(StoreError) -> Void) throws(StoreError) {
    // The bytes of all columns are counted, because SQLite also passes over columns that a query leaves out.
    let statement = try connection.prepare("SELECT * FROM \(table) NOT INDEXED")
    let names = statement.columnNames.map { $0.lowercased() }
    let columns = Dictionary(zip(names, names.indices.map(Int32.init))) { first, _ in first }
    while try statement.step() {
      try take(statement.row.size + Self.rowBytes)
      if Task.isCancelled { throw StoreError(code: .other, message: "the import was cancelled") }
      try body(ReaderRow(row: statement.row, columns: columns, table: table))
    }
  }

  /// Counts names that are made of a text.
  func takeNames(_ names: [String]) throws(StoreError) {
    try take(names.reduce(0) { $0 + Int64($1.utf8.count) + Self.nameBytes })
  }

  private func take(_ bytes: Int64) throws(StoreError) {
    bytesLeft -= bytes
    guard bytesLeft >= 0 else {
      throw StoreError(
        code: .badQuery,
        message: "\(name) cannot be imported: it has more texts than its size allows"
      )
    }
  }

  /// Reads a time as SQLite does: text in one of its formats, or a Julian day.
  func seconds(_ time: String?) throws(StoreError) -> Int64 {
    guard let time, time.utf8.count <= 64 else { return 0 }
    return try connection.number("SELECT CAST(strftime('%s', $1) AS INTEGER)", time) ?? 0
  }
}

/// A row of a reader's table. Columns are named in lower case.
struct ReaderRow {
  fileprivate let row: CurrentRow
  fileprivate let columns: [String: Int32]
  fileprivate let table: String

  private func column(_ name: String) throws(StoreError) -> Int32 {
    guard let column = columns[name] else {
      throw StoreError(code: .other, message: "its table \(table) has no column \(name)")
    }
    return column
  }

  func key(_ name: String) throws(StoreError) -> String { row.string(try column(name)) }

  /// Returns nil for an empty text: old versions of newsboat stored it instead of NULL.
  func text(_ name: String) throws(StoreError) -> String? {
    row.optionalString(try column(name)).flatMap { $0.isEmpty ? nil : $0 }
  }

  func number(_ name: String) throws(StoreError) -> Int64 { row.int64(try column(name)) }

  func bool(_ name: String) throws(StoreError) -> Bool { try number(name) != 0 }
}
