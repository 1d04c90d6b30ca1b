import NewsCore
import NewsToolbox

/// The layout of a store on PostgreSQL.
enum Layout {
  /// The layout that this program reads and writes.
  static let version: Int64 = 1

  /// Locks the store for this transaction and checks its layout: a newer newsd may have changed it since this
  /// process's last transaction.
  ///
  /// - Returns: The transaction's number for `pg_xact_status`.
  static func lock(_ connection: Connection) throws(StoreError) -> Int64 {
    let row = try connection.query(
      "UPDATE store SET commits = commits + 1 RETURNING layout, pg_current_xact_id()::text"
    ).first
    guard let row else {
      throw StoreError(code: .missing, message: "there is no newsd store in \(connection.name)")
    }
    try check(row.int64(0), connection)
    return Int64(row.string(1)) ?? 0
  }

  private static func check(_ found: Int64, _ connection: Connection) throws(StoreError) {
    guard found != version else { return }
    throw StoreError(
      code: .newerSchema(found: Int(found), known: Int(version)),
      message: "the store \(connection.name) has layout \(found), and this newsd knows layout \(version). "
        + "It was not changed. Install the newsd that wrote it, or name another store with --db"
    )
  }

  /// True if the schema holds a store of this layout. Throws for other layouts, and for servers that are not PostgreSQL.
  static func isPresent(_ uri: StoreURI, _ connection: Connection) throws(StoreError) -> Bool {
    let version = try connection.query("SELECT version()").first?.string(0) ?? ""
    for (word, product) in [("CockroachDB", "CockroachDB"), ("-YB-", "YugabyteDB")]
    where version.contains(bytesOf: word) {
      throw StoreError(
        code: .unreadable,
        message:
          "\(connection.name) is \(product), which lacks what newsd needs (phrases of a full-text index, "
          + "LISTEN, one cheap counter); use PostgreSQL 14 or later"
      )
    }
    let found = try connection.query(
      """
      SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = 'store' AND c.relkind = 'r'
      """,
      uri.schema
    )
    guard !found.isEmpty else { return false }
    try check(try connection.integer("SELECT layout FROM store") ?? 0, connection)
    return true
  }

  /// Creates the tables, unless another process has.
  static func create(_ uri: StoreURI, _ connection: Connection) throws(StoreError) {
    try connection.execute("BEGIN")
    do throws(StoreError) {
      // Without the lock, two first starts would both try to create the schema.
      try connection.query(
        "SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtext($1))) AS l",
        "newsd " + uri.schema
      )
      if try !isPresent(uri, connection) {
        try connection.execute("CREATE SCHEMA IF NOT EXISTS \"\(uri.schema)\"")
        try connection.execute(tables)
      }
      try connection.execute("COMMIT")
    } catch {
      if connection.isAlive { try? connection.execute("ROLLBACK") }
      throw error
    }
  }
}
