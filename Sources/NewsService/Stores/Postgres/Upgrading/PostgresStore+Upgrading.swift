package import NewsCore

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

  /// The plan has examined the layout.
  package func requireCurrentLayout() async throws(StoreError) {}

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
    return try await maintain(isTransaction: true) { [node] (connection) throws(StoreError) in
      try ServerUpgrade.contract(nodesIn: node.schema, force: force, connection)
    }
  }
}
