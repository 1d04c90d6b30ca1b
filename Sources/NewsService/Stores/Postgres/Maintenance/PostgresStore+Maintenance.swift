package import NewsCore
import NewsStoresShared

extension PostgresStore {
  public func check(progress: @escaping StoreProgressHandler) async throws(StoreError) -> [StoreProblem] {
    try await snapshot { (connection) throws(StoreError) in
      func problems(_ kind: StoreProblem.Kind, _ messages: [String]) -> [StoreProblem] {
        messages.map { StoreProblem(kind: kind, message: $0, isRepairable: kind == .total) }
      }
      return problems(.reference, try connection.missingReferences())
        + problems(.index, try connection.wrongWords())
        + problems(.total, try connection.wrongTotals())
    }
  }

  public func noteRestore() async throws(StoreError) -> String {
    let last = try await write { (connection) throws(StoreError) in
      try Incarnation.skipNumbers(connection)
      return try connection.value(of: .sequence)
    }
    return "the change log continues after number \(last); ids of items and feeds were skipped, too"
  }

  public func repair(progress: @escaping StoreProgressHandler) async throws(StoreError) -> StoreRepair {
    var repair = StoreRepair(found: try await check(progress: progress))
    guard !repair.found.isEmpty else { return repair }
    guard repair.found.allSatisfy(\.isRepairable) else {
      throw serverTask(
        "repair",
        "restore a dump with pg_restore, or rebuild the indexes with 'REINDEX SCHEMA \"\(uri.schema)\"'"
      )
    }
    try await write { (connection) throws(StoreError) in try connection.recount() }
    repair.remaining = try await check(progress: progress)
    return repair
  }
}

extension PostgresStore {
  public func restore(
    from backup: String,
    into account: RestoredAccount?,
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRestore {
    throw serverTask(
      "restore",
      "restore a dump with pg_restore; "
        + (claims.isGuest
          ? "for a backup of newsd, remove the account, and add it with 'newsd accounts add NAME --from FILE'"
          : "a backup of newsd goes into an empty store with 'newsd copy FILE URI'")
    )
  }
}

extension PostgresStore {
  public func compact(
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> (before: Int64, after: Int64) {
    throw serverTask("compact", "run VACUUM FULL on its tables")
  }
}

extension PostgresStore {
  /// Tells only of a layout that a heartbeat has found: newsd cannot see the server's files.
  public func fileState() async -> StoreFileState {
    guard claims.isGuest else { return node.layoutError.map { .unusable($0) } ?? .intact }
    // The heartbeats do not look at this store.
    do {
      _ = try await revision()
    } catch  where error.requiresOtherVersion {
      return .unusable(error)
    } catch {}
    return .intact
  }

  public func reopen() async throws(StoreError) { await close() }

  public func changeWaiter(for kinds: StoreChangeKinds, every interval: Duration) -> any ChangeAwaiting {
    ChangeWaiter(listener, for: kinds, wakeTiming)
  }

  public func revision() async throws(StoreError) -> Int64 {
    try await snapshot { (connection) throws(StoreError) in
      try connection.counter("number")
    }
  }
}

extension PostgresStore {
  public func backup(to path: String, progress: @escaping StoreProgressHandler) async throws(StoreError) {
    progress(StoreProgress(done: 0, total: 1))
    try await writeBackup(self, path)
    progress(StoreProgress(done: 1, total: 1))
  }
}

extension PostgresStore {
  private func serverTask(_ task: String, _ instead: String) -> StoreError {
    StoreError(
      code: .badQuery,
      message: "newsd cannot \(task) the store \(name), which is on PostgreSQL; \(instead)"
    )
  }
}

extension PostgresStore {
  /// Measures the store; nil if that is not possible.
  public func figures() async -> StoreFigures? {
    try? await snapshot { (connection) throws(StoreError) in
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
}

extension Connection {
  /// Returns a sentence if words of items are missing, or belong to missing items.
  fileprivate func wrongWords() throws(StoreError) -> [String] {
    let strays = try strays(RowReference("words of missing items", "words", "id", "items", "id"))
    let count =
      try number(
        "SELECT count(*) FROM items AS i LEFT JOIN words AS w ON w.id = i.id WHERE w.id IS NULL OR w.sort <> i.sort"
      ) ?? 0
    return [strays, count == 0 ? nil : "\(count) items are not in the full-text index"].compactMap { $0 }
  }
}
