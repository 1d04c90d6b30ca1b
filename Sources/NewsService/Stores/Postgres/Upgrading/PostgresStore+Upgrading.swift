package import NewsCore
import NewsStoresShared

extension PostgresStore: StoreUpgrading {
  /// Number of attempts to lock the tables, each for up to five seconds.
  private static let attempts = 6

  package func upgradePlan() async throws(StoreError) -> UpgradePlan? {
    do throws(StoreError) {
      _ = try await unprepared { [uri] (connection) throws(StoreError) in
        try Layout.isPresent(uri, connection)
      }
    } catch {
      guard case .olderLayout(let found, let known) = error.code, found > 0 else { throw error }
      return UpgradePlan(from: found, to: known)
    }
    return nil
  }

  package func upgrade(progress: @escaping StoreProgressHandler) async throws(StoreError) -> UpgradePlan? {
    var plan: UpgradePlan?
    for attempt in 1... {
      do throws(StoreError) {
        // An attempt that only failed to build the indexes has expanded the tables.
        if plan == nil {
          plan = try await unprepared(isTransaction: true) { [uri] (connection) throws(StoreError) in
            try ServerUpgrade.expand(uri, connection)
          }
        }
        // If another process builds them, this one need not wait: they only make statements faster.
        _ = try await unprepared { (connection) throws(StoreError) in
          try ServerUpgrade.createIndexes(connection)
        }
        reexamine()
        return plan
      } catch {
        // A long transaction of another process locks a table, or two processes began to build an index. Pause before
        // the next attempt: while this transaction waits for the lock, all later ones wait, too.
        guard error.code == .busy, attempt < Self.attempts,
          (try? await Task.sleep(for: .seconds(attempt))) != nil
        else { throw error }
      }
    }
    return nil
  }

  package func finishUpgrade(force: Bool) async throws(StoreError) -> UpgradeFinish {
    let isPending = try await maintain { (connection) throws(StoreError) in
      guard try ServerUpgrade.pending(connection) != nil else { return false }
      guard try ServerUpgrade.createIndexes(connection) else {
        throw StoreError(
          code: .busy,
          message: "another process builds an index of the new layout; try again when it has finished"
        )
      }
      return true
    }
    guard isPending else { return .nothing }
    return try await maintain(isTransaction: true) { [uri] (connection) throws(StoreError) in
      try ServerUpgrade.contract(uri, force: force, connection)
    }
  }
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
    try connection.execute("SET LOCAL lock_timeout = '5s'")
    // As every writing transaction does; see `Layout.lockStatement`.
    try connection.execute("LOCK TABLE rules IN SHARE UPDATE EXCLUSIVE MODE")
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
        WHERE c.relnamespace = current_schema()::regnamespace LIMIT 1
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
  static func contract(_ uri: StoreURI, force: Bool, _ connection: Connection) throws(StoreError)
    -> UpgradeFinish
  {
    try connection.execute("LOCK TABLE rules IN SHARE UPDATE EXCLUSIVE MODE")
    guard let compatible = try pending(connection) else { return .nothing }
    let former = try connection.query(
      """
      SELECT n.name FROM nodes AS n LEFT JOIN node_layouts AS l ON l.node = n.id
      WHERE n.until > clock_timestamp() AND coalesce(l.layout, 1) < $1 ORDER BY n.id
      """,
      Layout.version
    ).map { $0.string(0) }
    guard former.isEmpty || force else { return .waiting(for: former) }
    try connection.query("UPDATE store_settings SET value = $1 WHERE name = 'compatible'", Layout.version)
    for step in ServerMigration.all.dropFirst(compatible - 1) where !step.contract.isEmpty {
      try connection.execute(step.contract)
    }
    return .finished(layout: Int(Layout.version))
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
