import Glibc
public import NewsCore

extension NewsStore: StoreChecking {
  public func check() async throws(StoreError) -> [StoreProblem] {
    // What cannot even be opened is an error of its own: it may be another program's.
    do {
      giveBack(try await takeReader())
    } catch {
      guard error.code == .corrupt, let obstacle = StoreInspection.obstacle(to: path) else {
        throw error
      }
      return [obstacle]
    }
    do {
      return try await inspect()
    } catch  where error.code == .corrupt {
      // So damaged that it cannot even be looked through.
      return [StoreProblem(kind: .integrity, message: error.message, isRepairable: true)]
    }
  }

  /// Each look in a snapshot of its own, so that the log can be checkpointed in between.
  private func inspect() async throws(StoreError) -> [StoreProblem] {
    let damage = try await read { (connection) throws(StoreError) in try StoreInspection.integrity(connection)
    }
    // In a damaged file the other answers mean nothing.
    guard damage.isEmpty else { return damage }
    let parts = try await read { (connection) throws(StoreError) in try StoreInspection.layout(connection) }
    guard parts.allSatisfy({ !$0.isRepairable }) else { return parts }
    let problems = try await read { (connection) throws(StoreError) in
      try StoreInspection.references(connection) + StoreInspection.totals(connection)
    }
    return try await parts + problems + ContentInspection.problems(self) + inspectIndex()
  }

  private func inspectIndex() async throws(StoreError) -> [StoreProblem] {
    // FTS5 compares word for word only on a connection that may write. Elsewhere, check which rows are indexed.
    guard access(path, W_OK) == 0, access(Self.directory(of: path), W_OK) == 0 else {
      return try await read { (connection) throws(StoreError) in try StoreInspection.indexedRows(connection) }
    }
    let problems = try await maintain { (connection) throws(StoreError) in
      try StoreInspection.index(connection)
    }
    guard problems.isEmpty else { return problems }
    return try await read { (connection) throws(StoreError) in try StoreInspection.lookups(connection) }
  }

  public func repair() async throws(StoreError) -> StoreRepair {
    var repair = StoreRepair(found: try await check())
    if repair.found.contains(where: { $0.kind == .integrity }) {
      let salvage = try await salvage()
      repair.notes = salvage.losses + ["the damaged file is kept as \(salvage.kept)"]
      repair.itemsBefore = salvage.itemsBefore
      repair.itemsAfter = salvage.itemsAfter
      repair.hasLosses = !salvage.losses.isEmpty
    } else if repair.found.contains(where: \.isRepairable) {
      try await write { (connection) throws(StoreError) in
        try StoreInspection.repair(connection)
        try ContentInspection.repair(connection)
      }
    }
    if !repair.found.isEmpty { repair.remaining = try await check() }
    return repair
  }
}
