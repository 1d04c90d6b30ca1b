import NewsCore
import NewsStoresShared
import NewsToolbox

/// The layout of a store on PostgreSQL.
enum Layout {
  /// The layout that this program reads and writes.
  static var version: Int64 { Int64(1 + ServerMigration.all.count) }

  /// Locks the store for this transaction and checks its layout: a newer newsd may have changed it since this
  /// process's last transaction.
  static func lock(_ connection: Connection) throws(StoreError) {
    try noteLock(try connection.run([lockStatement(connection)])[0], connection)
  }

  /// Waits for the other transactions that lock the store, and locks it. Pass the resulting rows to `noteLock`.
  static func lockStatement(_ connection: Connection) throws(StoreError) -> Statement {
    // Processes take turns by a lock of their own, so that each statement after it sees what the former process committed. A lock
    // of a table needs a right to it, unlike an advisory lock, with which any role could stop all writes. This mode excludes
    // only itself and maintenance of the table, which is small and rarely changes.
    try connection.post("LOCK TABLE rules IN SHARE UPDATE EXCLUSIVE MODE")
    // Earlier versions change the row, and the earliest take no turn. A lock leaves no dead version of the row.
    try connection.post("SELECT 1 FROM store FOR NO KEY UPDATE")
    return Statement(
      "\(StoreCounters.next) RETURNING (SELECT layout FROM store), sequence, (SELECT tableoid FROM store)"
    )
  }

  /// Returns the last number of the change log.
  @discardableResult
  static func noteLock(_ rows: Rows, _ connection: Connection) throws(StoreError) -> Int64 {
    connection.isStoreLocked = true
    let last = try noteTransaction(rows, connection)
    let table = rows[0].int64(2)
    if let known = connection.storeTable, known != table {
      // A dump was restored while the connection was open. The repeated transaction skips numbers.
      (connection.storeTable, connection.knowsIncarnation) = (nil, false)
      throw connection.conflict("the store was restored")
    }
    connection.storeTable = table
    return last
  }

  /// The first statement of a transaction that locks the store later. Pass the resulting rows to
  /// `noteTransaction`.
  static let glanceStatement = Statement(
    "SELECT (SELECT layout FROM store), sequence FROM counters WHERE \(StoreCounters.isLast)"
  )

  /// Returns the last number of the change log, which can change until the store is locked.
  @discardableResult
  static func noteTransaction(_ rows: Rows, _ connection: Connection) throws(StoreError) -> Int64 {
    guard let row = rows.first else {
      throw StoreError(code: .missing, message: "there is no newsd store in \(connection.name)")
    }
    try check(row.int64(0), connection)
    return row.int64(1)
  }

  /// Throws if this program may not use a store of this layout. A newer newsd may leave the layout usable for older
  /// ones: then `compatible` in `store_settings` is the lowest layout whose newsd may use the store.
  static func check(_ found: Int64, _ connection: Connection) throws(StoreError) {
    guard found != version else { return }
    if found > version, let compatible = try LaterTables.setting("compatible", connection),
      compatible <= version
    {
      return
    }
    throw .otherLayout(of: connection.name, found: Int(found), known: Int(version), isFile: false)
  }

  /// Checks the layout outside a transaction of the store.
  static func check(_ connection: Connection) throws(StoreError) {
    guard let found = try connection.number("SELECT layout FROM store") else { return }
    try check(found, connection)
  }

  /// True if the schema holds a store that this program can use. Throws for other layouts, for schemas of other roles,
  /// and for servers that are not PostgreSQL.
  static func isPresent(_ uri: StoreURI, _ connection: Connection) throws(StoreError) -> Bool {
    let answers = try connection.run([
      Statement("SELECT version()"), SchemaOwner.strangers(uri),
      Statement(
        """
        SELECT CASE WHEN has_schema_privilege(n.oid, 'USAGE') THEN has_table_privilege(c.oid, 'SELECT') ELSE false END
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = 'store' AND c.relkind = 'r'
        """,
        uri.schema
      ),
    ])
    try refuseOtherProducts(answers[0].first?.string(0) ?? "", connection)
    if let stranger = answers[1].first?.string(0) { throw SchemaOwner.refusal(uri.schema, uri, stranger) }
    guard let mayRead = answers[2].first?.bool(0) else { return false }
    guard mayRead else {
      // The server would report a missing table.
      throw StoreError(
        code: .unreadable,
        message: "the role of the store \(connection.name) may not use the schema \(uri.schema); "
          + "the role that owns it can grant the rights"
      )
    }
    try check(try connection.number("SELECT layout FROM store") ?? 0, connection)
    return true
  }

  private static func refuseOtherProducts(_ version: String, _ connection: Connection) throws(StoreError) {
    for (word, product) in [("CockroachDB", "CockroachDB"), ("-YB-", "YugabyteDB")]
    where version.contains(bytesOf: word) {
      throw StoreError(
        code: .unreadable,
        message:
          "\(connection.name) is \(product), which lacks what newsd needs (phrases of a full-text index, "
          + "LISTEN, one cheap counter); use PostgreSQL 14 or later"
      )
    }
  }

  /// Creates the missing tables in the current transaction.
  ///
  /// Several processes may do so at the same time: the first to create a name wins, and the server lets the others wait
  /// for its end. An advisory lock would do, too, but any role that may connect could hold it.
  static func complete(_ uri: StoreURI, _ connection: Connection) throws(StoreError) {
    for attempt in 1... {
      try connection.execute("SAVEPOINT tables")
      do throws(StoreError) {
        return try isPresent(uri, connection)
          ? try LaterTables.create(connection) : try create(uri, connection)
      } catch {
        guard attempt < 4, let cause = connection.lastError, cause.isTakenName || cause.isConflict else {
          throw error
        }
      }
      try connection.execute("ROLLBACK TO SAVEPOINT tables")
    }
  }

  private static func create(_ uri: StoreURI, _ connection: Connection) throws(StoreError) {
    // While another process creates the store, this one has nothing else to do, however busy the server is.
    try connection.execute("SET LOCAL lock_timeout = '120s'")
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
    try LaterTables.create(connection)
    try ServerUpgrade.takeAllSteps(connection)
    try Incarnation.noteNewStore(connection)
  }
}

/// Refuses a schema of another role. A role that may create schemas could make newsd's schema first and subscribe there
/// to a program, which newsd would run.
enum SchemaOwner {
  /// Selects a role that owns the schema or a part of it and that this newsd does not trust. It trusts its own role, the
  /// role that the address names, and superusers, who can change every table anyway. It does not trust a role because
  /// its own is a member of that role: others may make it one. The schema itself may also belong to the owner of the
  /// database, as `public` does.
  ///
  /// Functions and operators count, too: for `unnest(bigint[])`, PostgreSQL prefers a function of the schema with this very
  /// type to its own for any array, and newsd's statements would run it.
  static func strangers(_ uri: StoreURI) -> Statement {
    Statement(
      """
      WITH owners AS (
        SELECT nspowner AS owner FROM pg_namespace
        WHERE nspname = $1 AND pg_get_userbyid(nspowner) <> 'pg_database_owner'
        UNION SELECT c.relowner FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind NOT IN ('i', 'I', 't', 'c')
        UNION SELECT p.proowner FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = $1
        UNION SELECT o.oprowner FROM pg_operator AS o JOIN pg_namespace AS n ON n.oid = o.oprnamespace
        WHERE n.nspname = $1)
      SELECT r.rolname::text FROM owners JOIN pg_roles AS r ON r.oid = owner
      WHERE NOT \(isTrusted("r", owner: "$2")) LIMIT 1
      """,
      uri.schema,
      uri.owner
    )
  }

  /// SQL that is true if a row of `pg_roles` is that of newsd's own role, a superuser or the role `owner`.
  static func isTrusted(_ role: String, owner: String) -> String {
    """
    (\(role).rolname = current_user OR \(role).rolsuper OR \(role).rolname IS NOT DISTINCT FROM \(owner))
    """
  }

  static func refusal(_ schema: String, _ uri: StoreURI, _ stranger: String) -> StoreError {
    let stranger = MessageText.printable(stranger)
    return StoreError(
      code: .unreadable,
      message:
        "the schema \(schema) of the store \(uri.redacted), or a table or function in it, belongs to the role '\(stranger)'. "
        + "The owner can make newsd run programs. If you trust this role, add owner=\(stranger) to the address"
    )
  }
}

extension Layout {
  /// The names of the tables in `tables`, which every store has.
  static let tableNames = tables.split(ascii: "\n").compactMap { line -> String? in
    let words = line.split(ascii: " ")
    return words.starts(with: ["CREATE", "TABLE"]) && words.count > 2 ? String(words[2]) : nil
  }

  /// The tables whose rows an import writes by the million, except those with a primary key only.
  private static let largeTables = ["items", "words", "item_tags", "story_keys"]
  /// The primary key that rows enter in random order.
  private static let storyKey = (
    table: "story_keys", name: "story_keys_pkey", columns: "days, key, sort, item"
  )

  /// The statements in `tables` that create indexes of large tables, with the names of the indexes.
  private static var largeIndexes: [(name: String, sql: String)] {
    tables.split(ascii: "\n").compactMap { line in
      let words = line.split(ascii: " ")
      guard words.starts(with: ["CREATE", "INDEX"]), words.count > 4, largeTables.contains(String(words[4]))
      else {
        return nil
      }
      return (String(words[2]), String(line))
    }
  }

  /// Drops the indexes of large tables. Building them once is faster than a change of each for every row.
  static func dropLargeIndexes(_ connection: Connection) throws(StoreError) {
    for index in largeIndexes { try connection.post("DROP INDEX \(index.name)") }
    try connection.post("ALTER TABLE \(storyKey.table) DROP CONSTRAINT \(storyKey.name)")
    try connection.sendPosted()
  }

  static func createLargeIndexes(_ connection: Connection) throws(StoreError) {
    for index in largeIndexes { try connection.execute(index.sql) }
    try connection.execute("ALTER TABLE \(storyKey.table) ADD PRIMARY KEY (\(storyKey.columns))")
  }
}
