import Glibc
public import NewsCore

extension NewsStore: StoreChecking {
  public func check() async throws(StoreError) -> [StoreProblem] {
    // If the file cannot be opened, report a truncated store as a problem, but throw for any other file.
    do {
      giveBack(try await takeReader())
    } catch  where error.code == .foreignPart {
      return [Self.foreignPart(error)]
    } catch {
      await close()
      guard error.code == .corrupt, let obstacle = StoreInspection.obstacle(to: path) else {
        throw error
      }
      return [obstacle]
    }
    do {
      return try await inspect()
    } catch  where error.code == .foreignPart {
      return [Self.foreignPart(error)]
    } catch  where error.code == .corrupt {
      // The damage is too severe for the other checks to run.
      return [StoreProblem(kind: .integrity, message: error.message, isRepairable: true)]
    }
  }

  private static func foreignPart(_ error: StoreError) -> StoreProblem {
    StoreProblem(kind: .layout, message: error.message, isRepairable: false)
  }

  /// Runs each check in its own snapshot, so that checkpoints can happen in between.
  private func inspect() async throws(StoreError) -> [StoreProblem] {
    let damage = try await read { (connection) throws(StoreError) in try StoreInspection.integrity(connection)
    }
    // In a damaged file, the results of the other checks mean nothing.
    guard damage.isEmpty else { return damage }
    let parts = try await read { (connection) throws(StoreError) in try StoreInspection.layout(connection) }
    guard parts.allSatisfy({ !$0.isRepairable }) else { return parts }
    let problems = try await read { (connection) throws(StoreError) in
      try StoreInspection.references(connection) + StoreInspection.totals(connection)
    }
    return try await parts + problems + ContentInspection.problems(self) + inspectIndex()
  }

  private func inspectIndex() async throws(StoreError) -> [StoreProblem] {
    // FTS5 compares the indexed words only on a writable connection. On a read-only one, check only which rows are
    // indexed.
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
