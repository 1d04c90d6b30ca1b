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

  private func inspect() async throws(StoreError) -> [StoreProblem] {
    let problems = try await read { (connection) throws(StoreError) in
      let damage = try StoreInspection.integrity(connection)
      // In a damaged file the other answers mean nothing.
      guard damage.isEmpty else { return damage }
      let missing = try StoreInspection.layout(connection)
      guard missing.isEmpty else { return missing }
      return try StoreInspection.references(connection) + StoreInspection.totals(connection)
        + ContentInspection.problems(connection)
    }
    guard problems.allSatisfy({ $0.kind != .integrity && $0.kind != .layout }) else { return problems }
    return problems + (try await inspectIndex())
  }

  private func inspectIndex() async throws(StoreError) -> [StoreProblem] {
    // FTS5 compares word for word only for who may write. A backup on a disc that cannot be written is still checked
    // row for row.
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
      repair.notes = try await salvage()
    } else if !repair.found.isEmpty {
      try await write { (connection) throws(StoreError) in
        try StoreInspection.repair(connection)
        try ContentInspection.repair(connection)
      }
    }
    if !repair.found.isEmpty { repair.remaining = try await check() }
    return repair
  }
}
