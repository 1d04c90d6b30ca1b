import NewsCore
import NewsStoresShared
import NewsToolbox

/// Reads a table in portions and compares it with its indexes.
///
/// Reading a row visits all of its pages, including overflow pages; SQLite reports damaged ones.
struct TableWalk {
  /// The end of a portion: the key of its last row.
  struct Position: Sendable {
    var key: [StoreValue] = []
    var isAtEnd = false
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
    try row.bind(start.key)
    var position = start
    for _ in 0..<rows {
      guard try row.step() else {
        position.isAtEnd = true
        return position
      }
      let key = shape.key.indices.map { row.value(Int32($0)) }
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
      let count =
        try connection.rows(
          """
          SELECT count(*) FROM \(table) AS t NOT INDEXED\(condition(after: start, through: end))\
          \(index.condition.map { " AND (\($0))" } ?? "") AND NOT EXISTS (
            SELECT 1 FROM \(table) AS x INDEXED BY \(SQLName.quoted(index.name))
            WHERE \(same.joined(separator: " AND "))\(index.condition.map { " AND (\($0))" } ?? ""))
          """,
          values: start.key + end.key
        ) { $0.int(0) }.first ?? 0
      guard count > 0 else { continue }
      problems.append(problem("\(Plural.of(count, "row")) of \(shape.name) missing from \(index.name)"))
    }
    return problems
  }

  /// Compares the number of entries of an index with the number of rows that should be in it.
  func miscounted(_ index: TableShape.Index) throws(StoreError) -> [StoreProblem] {
    let condition = index.condition.map { " WHERE \($0)" } ?? ""
    let rows = try connection.number("SELECT count(*) FROM \(table) NOT INDEXED\(condition)") ?? 0
    let entries =
      try connection.number(
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
    func places(after count: Int) -> String {
      shape.key.indices.map { "$\($0 + count + 1)" }.joined(separator: ", ")
    }
    var terms: [String] = []
    if !start.key.isEmpty { terms.append("(\(keyList)) > (\(places(after: 0)))") }
    if end != nil { terms.append("(\(keyList)) <= (\(places(after: start.key.count)))") }
    return terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
  }
}

/// The key and the indexes of a table.
struct TableShape: Sendable {
  struct Index: Sendable {
    var name: String
    var columns: [String]
    /// The condition of a partial index; nil if all rows are in the index.
    var condition: String?
  }

  var name: String
  /// The columns by which the rows are ordered: the rowid, or the primary key of a table without rowid.
  var key: [String]
  var indexes: [Index] = []

  /// Returns the names to check: all tables that have rows of their own, and the schema table, whose check includes the
  /// list of free pages.
  static func names(_ connection: Connection) throws(StoreError) -> [String] {
    try ["sqlite_master"]
      + connection.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
      ) { $0.string(0) }
  }

  init(_ name: String, _ connection: Connection) throws(StoreError) {
    self.name = name
    let definition = try Self.definition(of: name, connection)
    let hasRowID = !definition.uppercased().hasSuffix("WITHOUT ROWID")
    key = hasRowID ? ["rowid"] : try Self.primaryKey(of: name, connection)
    let found = try connection.rows("PRAGMA index_list(\(SQLName.quoted(name)))") {
      ($0.string(1), $0.string(3) == "pk")
    }
    for (index, isPrimaryKey) in found where hasRowID || !isPrimaryKey {
      guard let columns = try Self.columns(ofIndex: index, connection) else { continue }
      let condition = Self.condition(try Self.definition(of: index, connection))
      indexes.append(Index(name: index, columns: columns, condition: condition))
    }
  }

  /// Returns the statement that created a table or index; empty for the index of a constraint.
  private static func definition(of name: String, _ connection: Connection) throws(StoreError) -> String {
    try connection.first("SELECT sql FROM sqlite_master WHERE name = $1", name) { $0.string(0) } ?? ""
  }

  /// Returns the condition of a partial index, after WHERE. No name in a store contains WHERE.
  private static func condition(_ definition: String) -> String? {
    let bytes = Array(definition.utf8)
    let word = Array(" WHERE ".utf8)
    guard bytes.count > word.count else { return nil }
    for start in 0..<(bytes.count - word.count) where bytes[start...].starts(with: word) {
      return String(decoding: bytes[(start + word.count)...], as: UTF8.self)
    }
    return nil
  }

  private static func primaryKey(of table: String, _ connection: Connection) throws(StoreError) -> [String] {
    try connection.rows("PRAGMA table_info(\(SQLName.quoted(table)))") {
      (place: $0.int(5), name: $0.string(1))
    }
    .filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.name)
  }

  /// Returns the columns of an index; nil for an index on an expression.
  private static func columns(ofIndex index: String, _ connection: Connection) throws(StoreError) -> [String]?
  {
    let columns = try connection.rows("PRAGMA index_info(\(SQLName.quoted(index)))") { $0.optionalString(2) }
    return columns.contains(nil) ? nil : columns.compactMap { $0 }
  }
}

/// Names in SQL text.
enum SQLName {
  /// Quotes a name of the schema, which may be that of a foreign file.
  static func quoted(_ name: String) -> String { "\"\(name.replacing(ascii: "\"", with: "\"\""))\"" }
}
