import NewsCore

/// The tables that later versions added to the layout. A store without them gets them when this version opens it;
/// earlier versions do not use them.
enum LaterTables {
  /// Each table by its name, with the statements that create it.
  private static let all: [(name: String, sql: String)] = [
    // The keys of the last transaction of each writing connection; see `CommitKey`.
    (
      "commit_keys",
      "CREATE TABLE commit_keys (key bigint PRIMARY KEY, made timestamptz NOT NULL DEFAULT clock_timestamp())"
    ),
    // Numbers that concern the whole store, by name: `compatible` is the lowest layout whose newsd may use the store;
    // `table` is the identifier of the table `store` (see `Incarnation`).
    (
      "store_settings",
      "CREATE TABLE store_settings (name text COLLATE \"C\" PRIMARY KEY, value bigint NOT NULL)"
    ),
  ]

  enum State {
    case complete
    /// Tables are missing, and this role can create them.
    case creatable
    /// Tables are missing, and this role cannot create them, or the server is a replica. The store can be read.
    case missing
  }

  static func state(_ connection: Connection) throws(StoreError) -> State {
    guard try !missing(connection).isEmpty else { return .complete }
    let mayCreate = try connection.query(
      "SELECT has_schema_privilege(current_schema(), 'CREATE') AND NOT pg_is_in_recovery()"
    ).first?.bool(0)
    return mayCreate == true ? .creatable : .missing
  }

  /// Creates the missing tables in the current transaction. Other processes may use the store meanwhile.
  static func create(_ uri: StoreURI, _ connection: Connection) throws(StoreError) {
    try Layout.waitForOtherCreators(uri, connection)
    for table in try missing(connection) { try connection.execute(table.sql) }
  }

  private static func missing(_ connection: Connection) throws(StoreError) -> [(name: String, sql: String)] {
    let present = Set(
      try connection.query(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY($1::text[])",
        Parameter.array(all.map { Optional($0.name) })
      ).map { $0.string(0) }
    )
    return all.filter { !present.contains($0.name) }
  }

  /// A number of the table `store_settings`; nil without it, or if the table is missing.
  static func setting(_ name: String, _ connection: Connection) throws(StoreError) -> Int64? {
    guard try connection.query("SELECT to_regclass('store_settings') IS NOT NULL").first?.bool(0) == true
    else {
      return nil
    }
    return try connection.integer("SELECT value FROM store_settings WHERE name = $1", name)
  }

  /// Why a store without the tables cannot be written.
  static func refusal(_ uri: StoreURI) -> StoreError {
    StoreError(
      code: .unreadable,
      message:
        "cannot write to the store \(uri.redacted): it lacks tables that this newsd needs, and this role "
        + "cannot create them on this server. Run 'newsd check' once on the primary server with the role that owns "
        + "the schema"
    )
  }
}
