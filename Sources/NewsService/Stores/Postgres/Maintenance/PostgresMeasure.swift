import NewsStoresShared
package import NewsCore

/// Measures a store on a server.
package struct PostgresMeasure: StoreFileMeasuring {
  private let files: any StoreFileMeasuring
  private let store: @Sendable () -> PostgresStore?

  /// `store` returns the store if it is open.
  package init(files: any StoreFileMeasuring, store: @escaping @Sendable () -> PostgresStore?) {
    self.files = files
    self.store = store
  }

  public func figures() async -> StoreFigures? {
    guard let store = store() else { return nil }
    return try? await store.read { (connection) throws(StoreError) in
      // This is fast: the server adds up the sizes of files.
      let row = try connection.query(
        """
        SELECT sum(pg_total_relation_size(c.oid))::bigint, sum(pg_stat_get_dead_tuples(c.oid))::bigint,
          \(Self.oldestTransaction), \(Self.snapshotAge)
        FROM pg_class AS c
        WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        """
      ).first
      guard let row, let size = row.optionalInt64(0) else { return nil }
      var figures = StoreFigures(storeBytes: size)
      figures.deadRows = row.optionalInt64(1)
      figures.oldestTransaction = row.optionalInt64(2)
      figures.snapshotAge = row.optionalInt64(3)
      return figures
    }
  }

  /// SQL for the age of the oldest transaction in seconds. The server hides the start of other roles' transactions unless
  /// this role is a member of `pg_read_all_stats`.
  private static let oldestTransaction = """
    greatest(0,
      (SELECT extract(epoch FROM clock_timestamp() - min(xact_start)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND backend_type = 'client backend'),
      (SELECT extract(epoch FROM clock_timestamp() - min(prepared)) FROM pg_prepared_xacts
        WHERE database = current_database()))::bigint
    """

  /// SQL for the age of the oldest snapshot in transactions, which the server shows to every role.
  private static let snapshotAge = """
    (SELECT max(age(x))::bigint FROM (
      SELECT backend_xmin FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type <> 'autovacuum worker'
      UNION ALL SELECT backend_xmin FROM pg_stat_activity WHERE backend_type = 'walsender'
      UNION ALL SELECT xmin FROM pg_replication_slots
      UNION ALL SELECT transaction FROM pg_prepared_xacts WHERE database = current_database()) AS s (x))
    """

  public func runningDaemon() -> DaemonPresence? { files.runningDaemon() }
}
