import NewsCore
import NewsToolbox

/// The layout of a store on PostgreSQL.
enum Layout {
  /// The layout that this program reads and writes.
  static let version: Int64 = 1

  /// Locks the store for this transaction and checks its layout: a newer newsd may have changed it since this
  /// process's last transaction.
  static func lock(_ connection: Connection) throws(StoreError) {
    try noteLock(try connection.run([lockStatement])[0], connection)
  }

  /// Locks the store. Pass the resulting rows to `noteLock`.
  static let lockStatement = Statement("UPDATE store SET commits = commits + 1 RETURNING layout, sequence")

  /// Returns the last number of the change log.
  @discardableResult
  static func noteLock(_ rows: Rows, _ connection: Connection) throws(StoreError) -> Int64 {
    connection.isStoreLocked = true
    return try noteTransaction(rows, connection)
  }

  /// The first statement of a transaction that locks the store later. Pass the resulting rows to
  /// `noteTransaction`.
  static let glanceStatement = Statement("SELECT layout, sequence FROM store")

  /// Returns the last number of the change log, which can change until the store is locked.
  @discardableResult
  static func noteTransaction(_ rows: Rows, _ connection: Connection) throws(StoreError) -> Int64 {
    guard let row = rows.first else {
      throw StoreError(code: .missing, message: "there is no newsd store in \(connection.name)")
    }
    try check(row.int64(0), connection)
    return row.int64(1)
  }

  /// Skips numbers of the change log and ids of items if the server or its timeline has changed. After a failover, the
  /// last commits may be lost. If their numbers were used again, readers that had seen them would miss changes.
  static func noteIncarnation(_ connection: Connection) throws(StoreError) {
    // Errors are ignored: the role may lack the right to call these functions, and some services do not have them.
    try connection.post(
      """
      DO $$
      DECLARE
        present text;
      BEGIN
        present := (SELECT system_identifier FROM pg_control_system()) || '/'
          || left(pg_walfile_name(pg_current_wal_lsn()), 8);
        UPDATE store SET incarnation = present WHERE incarnation IS NULL;
        UPDATE store SET incarnation = present, sequence = sequence + \(incarnationGap), item = item + \(incarnationGap)
          WHERE incarnation <> present;
        IF FOUND THEN
          PERFORM setval('item_ids', greatest((SELECT item FROM store), (SELECT last_value FROM item_ids)));
        END IF;
      EXCEPTION WHEN OTHERS THEN
        NULL;
      END $$
      """
    )
  }

  private static let incarnationGap: Int64 = 1 << 20

  /// Throws if this program does not know the layout.
  static func check(_ found: Int64, _ connection: Connection) throws(StoreError) {
    guard found != version else { return }
    throw .otherLayout(of: connection.name, found: Int(found), known: Int(version))
  }

  /// True if the schema holds a store of this layout. Throws for other layouts, and for servers that are not
  /// PostgreSQL.
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
      SELECT CASE WHEN has_schema_privilege(n.oid, 'USAGE') THEN has_table_privilege(c.oid, 'SELECT') ELSE false END
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = 'store' AND c.relkind = 'r'
      """,
      uri.schema
    )
    guard let mayRead = found.first?.bool(0) else { return false }
    guard mayRead else {
      // The server would report a missing table.
      throw StoreError(
        code: .unreadable,
        message: "the role of the store \(connection.name) may not use the schema \(uri.schema); "
          + "the role that owns it can grant the rights"
      )
    }
    try check(try connection.integer("SELECT layout FROM store") ?? 0, connection)
    return true
  }

  /// Creates the tables in the current transaction, unless another process has.
  static func create(_ uri: StoreURI, _ connection: Connection) throws(StoreError) {
    try waitForOtherCreators(uri, connection)
    guard try !isPresent(uri, connection) else { return }
    let encoding = try connection.query("SHOW server_encoding").first?.string(0) ?? ""
    guard encoding == "UTF8" else {
      throw StoreError(
        code: .unreadable,
        message:
          "the database of the store \(connection.name) has the encoding \(encoding), which lacks characters "
          + "of feeds; create one with ENCODING 'UTF8' TEMPLATE template0"
      )
    }
    // CREATE SCHEMA IF NOT EXISTS needs the right to create schemas even if the schema exists.
    if try connection.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", uri.schema).isEmpty {
      try connection.execute("CREATE SCHEMA \"\(uri.schema)\"")
    }
    try connection.execute(tables)
    try LaterTables.create(uri, connection)
  }

  /// Waits until no other process creates tables, and keeps others from it until the end of the transaction. Without
  /// this lock, two first starts would both try to create the schema.
  static func waitForOtherCreators(_ uri: StoreURI, _ connection: Connection) throws(StoreError) {
    try connection.query(
      "SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtext($1))) AS l",
      "newsd " + uri.schema
    )
  }
}
