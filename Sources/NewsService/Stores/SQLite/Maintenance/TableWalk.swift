import NewsStoresShared
import NewsCore
import NewsToolbox

/// Reads a table in portions and compares it with its indexes.
///
/// Reading a row visits all of its pages, including overflow pages; SQLite reports damaged ones.
struct TableWalk {
  /// The end of a portion: the key of its last row.
  struct Position: Sendable {
    var key: [Key] = []
    var isAtEnd = false
  }

  /// A column of a key.
  enum Key: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
  }

  let shape: TableShape
  let connection: Connection

  private var table: String { SQLName.quoted(shape.name) }
  private var keyList: String { shape.key.map { "t.\(SQLName.quoted($0))" }.joined(separator: ", ") }

  /// Reads whole rows after `start`: at most `rows` rows, and for at most `milliseconds`.
  func read(after start: Position, rows: Int, milliseconds: Int64) throws(StoreError) -> Position {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    let row = try connection.prepare(
      "SELECT \(keyList), t.* FROM \(table) AS t NOT INDEXED\(condition(after: start)) ORDER BY \(keyList)"
    )
    try bind(start.key, to: row, from: 1)
    var position = start
    for _ in 0..<rows {
      guard try row.step() else {
        position.isAtEnd = true
        return position
      }
      let key = shape.key.indices.map { Self.key(row, Int32($0)) }
      if case .integer(let last)? = position.key.first, case .integer(let this)? = key.first, this < last {
        throw StoreError(code: .corrupt, message: "the rows of \(shape.name) are not in order")
      }
      position.key = key
      if ContinuousClock.now > deadline { break }
    }
    return position
  }

  /// Finds rows of a portion that an index lacks.
  func unindexed(from start: Position, through end: Position) throws(StoreError) -> [StoreProblem] {
    guard !end.key.isEmpty else { return [] }
    var problems: [StoreProblem] = []
    for index in shape.indexes {
      let same = index.columns.map { "x.\(SQLName.quoted($0)) IS t.\(SQLName.quoted($0))" } + [sameRow]
      let count = try connection.prepare(
        """
        SELECT count(*) FROM \(table) AS t NOT INDEXED\(condition(after: start, through: end))\
        \(index.condition.map { " AND (\($0))" } ?? "") AND NOT EXISTS (
          SELECT 1 FROM \(table) AS x INDEXED BY \(SQLName.quoted(index.name))
          WHERE \(same.joined(separator: " AND "))\(index.condition.map { " AND (\($0))" } ?? ""))
        """
      )
      try bind(start.key, to: count, from: 1)
      try bind(end.key, to: count, from: Int32(start.key.count) + 1)
      guard try count.step(), count.int(0) > 0 else { continue }
      problems.append(
        problem("\(Plural.of(count.int(0), "row")) of \(shape.name) missing from \(index.name)")
      )
    }
    return problems
  }

  /// Compares the number of entries of an index with the number of rows that should be in it.
  func miscounted(_ index: TableShape.Index) throws(StoreError) -> [StoreProblem] {
    let condition = index.condition.map { " WHERE \($0)" } ?? ""
    let rows = try connection.integer("SELECT count(*) FROM \(table) NOT INDEXED\(condition)") ?? 0
    let entries =
      try connection.integer(
        "SELECT count(*) FROM \(table) INDEXED BY \(SQLName.quoted(index.name))\(condition)"
      ) ?? 0
    guard rows != entries else { return [] }
    return [problem("\(index.name) has \(entries) entries for \(rows) rows")]
  }

  private var sameRow: String {
    shape.key.map { "x.\(SQLName.quoted($0)) = t.\(SQLName.quoted($0))" }.joined(separator: " AND ")
  }

  private func problem(_ message: String) -> StoreProblem {
    StoreProblem(kind: .integrity, message: message, isRepairable: true)
  }

  private func condition(after start: Position, through end: Position? = nil) -> String {
    let places = shape.key.map { _ in "?" }.joined(separator: ", ")
    var terms: [String] = []
    if !start.key.isEmpty { terms.append("(\(keyList)) > (\(places))") }
    if end != nil { terms.append("(\(keyList)) <= (\(places))") }
    return terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
  }

  private func bind(
    _ key: [Key],
    to statement: borrowing Statement,
    from first: Int32
  ) throws(StoreError) {
    for (index, value) in key.enumerated() {
      let place = first + Int32(index)
      switch value {
      case .integer(let number): try statement.bind(place, number)
      case .text(let text): try statement.bind(place, text)
      case .blob(let bytes): try statement.bind(place, blob: bytes)
      }
    }
  }

  private static func key(_ row: borrowing Statement, _ column: Int32) -> Key {
    if row.isInteger(column) { return .integer(row.int64(column)) }
    if row.isText(column) { return .text(row.string(column)) }
    return .blob(row.withBytes(column) { Array($0) })
  }
}
