import NewsStoresShared
import NewsCore

/// Verifies the structure of the file: its pages, and that tables and indexes agree.
///
/// SQLite's own check of a large file takes minutes in one snapshot. As long as a snapshot is held, the write-ahead log
/// cannot shrink. A large file is therefore checked table by table, and large tables are read in portions, each in its
/// own snapshot. Each comparison uses a single snapshot, so that changes in between cause no false reports.
enum StructureInspection {
  /// Maximum number of problems reported; a damaged file may have thousands.
  private static let most = 50

  /// Checks the file until `most` problems are found. In a large file, calls `step` after each table.
  static func problems(
    _ store: NewsStore,
    step: (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> [StoreProblem] {
    let limits = store.options.checkLimits
    if try await isSmall(store) { return try await store.read(StoreInspection.integrity) }
    let tables = try await store.read(TableShape.names)
    var problems: [StoreProblem] = []
    for (index, table) in tables.enumerated() where problems.count < most {
      problems += try await Self.problems(ofTable: table, store, limits)
      step(index + 1, tables.count)
    }
    return Array(problems.prefix(most))
  }

  /// True if the file is small enough for the checks of SQLite and FTS5.
  static func isSmall(_ store: NewsStore) async throws(StoreError) -> Bool {
    try await store.read { (connection) throws(StoreError) in
      let pages = try connection.number("PRAGMA page_count") ?? 0
      let size = try connection.number("PRAGMA page_size") ?? 0
      return pages * size <= store.options.checkLimits.fileBytes
    }
  }

  private static func problems(
    ofTable table: String,
    _ store: NewsStore,
    _ limits: CheckLimits
  ) async throws(StoreError) -> [StoreProblem] {
    let (isLarge, found) = try await store.read {
      (connection) throws(StoreError) -> (Bool, [StoreProblem]) in
      let some = "SELECT count(*) FROM (SELECT 1 FROM \(SQLName.quoted(table)) LIMIT \(limits.tableRows + 1))"
      guard try connection.number(some) ?? 0 <= limits.tableRows else { return (true, []) }
      return (false, try StoreInspection.integrity(connection, table: table))
    }
    guard isLarge else { return found }
    let shape = try await store.read { (connection) throws(StoreError) in
      try TableShape(table, connection)
    }
    var problems: [StoreProblem] = []
    var position = TableWalk.Position()
    while !position.isAtEnd, problems.count < most {
      let start = position
      let (end, found) = try await store.read {
        (connection) throws(StoreError) -> (TableWalk.Position, [StoreProblem]) in
        let walk = TableWalk(shape: shape, connection: connection)
        let end = try walk.read(after: start, rows: limits.portion, milliseconds: limits.portionMilliseconds)
        return (end, try walk.unindexed(from: start, through: end))
      }
      position = end
      problems += found
    }
    for index in shape.indexes {
      problems += try await store.read { (connection) throws(StoreError) in
        try TableWalk(shape: shape, connection: connection).miscounted(index)
      }
    }
    return problems
  }
}
