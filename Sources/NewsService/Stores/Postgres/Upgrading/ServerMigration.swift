import Glibc
import NewsCore
import NewsStoresShared

/// One step from a layout of a store on PostgreSQL to the next, in two parts: newsd of both layouts can use the store
/// between them. A new store takes all steps after `Layout.tables`, the tables of layout 1.
struct ServerMigration: Sendable {
  /// Adds what the new layout needs, in one transaction that locks tables for a moment only. The former newsd must be able
  /// to go on.
  var expand: String
  /// Indexes that are built while others write.
  var indexes: [Index] = []
  /// Removes what only the former newsd needs, once none uses the store. It must leave nothing undone that this newsd needs.
  var contract = ""

  struct Index: Sendable {
    var name: String
    /// What follows the name in `CREATE INDEX`.
    var definition: String
  }

  /// The steps of this newsd: the first leads from layout 1 to 2. Local to the task, so that a test can be a later newsd.
  @TaskLocal static var all: [ServerMigration] = trial

  /// A layout after the newest one, so that tests of the whole program can upgrade a store; only in debug builds.
  private static var trial: [ServerMigration] {
    #if DEBUG
      if getenv("NEWSD_TRIAL_LAYOUT") != nil { return [.titleLengths] }
    #endif
    return []
  }

  #if DEBUG
    static let titleLengths = ServerMigration(
      expand: "ALTER TABLE items ADD COLUMN title_length bigint",
      indexes: [Index(name: "items_stored", definition: "ON items (stored)")],
      contract: "UPDATE items SET title_length = length(title) WHERE title_length IS NULL"
    )
  #endif
}

/// Upgrades the tables of a store on PostgreSQL: expand, roll, contract.
///
/// `store.layout` is the layout up to which the tables are expanded, and `compatible` in `store_settings` the lowest layout whose newsd may use the
/// store. It rises when the store is contracted.
enum ServerUpgrade {
  /// The layout of each node, for nodes of layout 2 or later; nodes of layout 1 have no row.
  private static let nodeLayouts = """
    CREATE TABLE IF NOT EXISTS node_layouts (
      node bigint PRIMARY KEY REFERENCES nodes (id) ON DELETE CASCADE,
      layout bigint NOT NULL
    )
    """

  /// Expands the store in the current transaction. Returns nil if another process has done it.
  static func expand(_ uri: StoreURI, _ connection: Connection) throws(StoreError) -> UpgradePlan? {
    // As every writing transaction does; see `Layout.lockStatement`. Waits also for the upgrade of another process.
    try connection.execute("LOCK TABLE rules IN SHARE UPDATE EXCLUSIVE MODE")
    // Readers queue behind each of the next locks.
    try connection.execute("SET LOCAL lock_timeout = '5s'")
    guard let found = try connection.number("SELECT layout FROM store"), found > 0, found < Layout.version
    else { return nil }
    try LaterTables.create(connection)
    try connection.execute(nodeLayouts)
    for step in ServerMigration.all.dropFirst(Int(found) - 1) { try connection.execute(step.expand) }
    try connection.execute(
      """
      INSERT INTO store_settings (name, value) VALUES ('compatible', \(found)) ON CONFLICT (name) DO NOTHING;
      UPDATE store SET layout = \(Layout.version)
      """
    )
    return UpgradePlan(from: Int(found), to: Int(Layout.version))
  }

  /// Builds missing indexes, and rebuilds the unfinished indexes of a killed process. Returns false, and leaves them, if
  /// another process is building one: each would wait for the other's snapshot, and a deadlock would end one of them.
  static func createIndexes(_ connection: Connection) throws(StoreError) -> Bool {
    for index in ServerMigration.all.flatMap(\.indexes) {
      let isValid = try connection.query(
        "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)",
        index.name
      ).first?.bool(0)
      if isValid == true { continue }
      let isBuilt = try connection.query(
        """
        SELECT true FROM pg_stat_progress_create_index AS p JOIN pg_class AS c ON c.oid = p.relid
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace LIMIT 1
        """
      ).first
      guard isBuilt == nil else { return false }
      if isValid == false { try connection.execute("DROP INDEX IF EXISTS \(index.name)") }
      try connection.execute("CREATE INDEX CONCURRENTLY IF NOT EXISTS \(index.name) \(index.definition)")
    }
    return true
  }

  /// Gives a new store the tables of this newsd's layout, in the current transaction.
  static func takeAllSteps(_ connection: Connection) throws(StoreError) {
    guard !ServerMigration.all.isEmpty else { return }
    try connection.execute(nodeLayouts)
    for step in ServerMigration.all {
      try connection.execute(step.expand)
      for index in step.indexes { try connection.execute("CREATE INDEX \(index.name) \(index.definition)") }
      if !step.contract.isEmpty { try connection.execute(step.contract) }
    }
    try connection.execute("UPDATE store SET layout = \(Layout.version)")
  }

  /// The lowest compatible layout, if this newsd's steps are not contracted yet; nil if there is nothing to do.
  static func pending(_ connection: Connection) throws(StoreError) -> Int? {
    guard try connection.number("SELECT layout FROM store") == Layout.version,
      let compatible = try LaterTables.setting("compatible", connection), compatible < Layout.version
    else { return nil }
    return Int(max(compatible, 1))
  }

  /// Contracts the store in the current transaction, unless nodes of an earlier layout use it.
  static func contract(
    nodesIn schema: String,
    force: Bool,
    _ connection: Connection
  ) throws(StoreError) -> UpgradeFinish {
    try connection.execute("LOCK TABLE rules IN SHARE UPDATE EXCLUSIVE MODE")
    guard let compatible = try pending(connection) else { return .nothing }
    let former = try formerNodes(in: schema, connection)
    guard former.isEmpty || force else { return .waiting(for: former) }
    try connection.query("UPDATE store_settings SET value = $1 WHERE name = 'compatible'", Layout.version)
    for step in ServerMigration.all.dropFirst(compatible - 1) where !step.contract.isEmpty {
      try connection.execute(step.contract)
    }
    return .finished(layout: Int(Layout.version))
  }

  /// The names of the nodes of earlier layouts. The list of nodes may be in another schema, of another layout.
  private static func formerNodes(
    in schema: String,
    _ connection: Connection
  ) throws(StoreError) -> [String] {
    let (nodes, layouts) = ("\"\(schema)\".nodes", "\"\(schema)\".node_layouts")
    func exists(_ table: String) throws(StoreError) -> Bool {
      try connection.query("SELECT to_regclass($1) IS NOT NULL", table).first?.bool(0) == true
    }
    guard try exists(nodes) else { return [] }
    let known = try exists(layouts) ? layouts : "(SELECT NULL::bigint AS node, NULL::bigint AS layout)"
    return try connection.query(
      """
      SELECT n.name FROM \(nodes) AS n LEFT JOIN \(known) AS l ON l.node = n.id
      WHERE n.until > clock_timestamp() AND coalesce(l.layout, 1) < $1 ORDER BY n.id
      """,
      Layout.version
    ).map { $0.string(0) }
  }

  /// Notes the layout of a node.
  static func note(_ node: Int64, _ connection: Connection) throws(StoreError) {
    guard Layout.version > 1 else { return }
    try connection.query(
      "INSERT INTO node_layouts (node, layout) VALUES ($1, $2) ON CONFLICT (node) DO NOTHING",
      node,
      Layout.version
    )
  }
}
