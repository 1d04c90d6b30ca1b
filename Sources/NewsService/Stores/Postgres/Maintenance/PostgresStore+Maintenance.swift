import NewsStoresShared
package import NewsCore

extension PostgresStore: StoreChecking {
  public func check(progress: @escaping StoreProgressHandler) async throws(StoreError) -> [StoreProblem] {
    try await read { (connection) throws(StoreError) in
      func problems(_ kind: StoreProblem.Kind, _ messages: [String]) -> [StoreProblem] {
        messages.map { StoreProblem(kind: kind, message: $0, isRepairable: false) }
      }
      return problems(.reference, try StoreInspection.references(connection))
        + problems(.index, try StoreInspection.unindexed(connection))
        + problems(.total, try StoreInspection.totals(connection))
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
    throw serverTask(
      "repair",
      "restore a dump with pg_restore, or rebuild the indexes with 'REINDEX SCHEMA \(uri.schema)'"
    )
  }
}

extension PostgresStore: StoreRestoring {
  public func restore(
    from backup: String,
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRestore {
    throw serverTask(
      "restore",
      "restore a dump with pg_restore; a backup of newsd goes into an empty store with 'newsd copy FILE URI'"
    )
  }
}

extension PostgresStore: StoreCompacting {
  public func compact(
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> (before: Int64, after: Int64) {
    throw serverTask("compact", "run VACUUM FULL on its tables")
  }
}

extension PostgresStore: StoreWatching {
  /// Tells only of a layout that a heartbeat has found: newsd cannot see the server's files.
  public func fileState() async -> StoreFileState { node.layoutError.map { .unusable($0) } ?? .intact }

  public func reopen() async throws(StoreError) { await close() }

  public func revision() async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in
      try connection.storeValue("commits")
    }
  }
}

extension PostgresStore: StoreBackingUp {
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
