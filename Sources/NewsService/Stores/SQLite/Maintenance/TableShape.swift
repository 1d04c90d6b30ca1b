import NewsStoresShared
import NewsCore
import NewsToolbox

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
    let row = try connection.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
    )
    var names = ["sqlite_master"]
    while try row.step() { names.append(row.string(0)) }
    return names
  }

  init(_ name: String, _ connection: Connection) throws(StoreError) {
    self.name = name
    let definition = try Self.definition(of: name, connection)
    let hasRowID = !definition.uppercased().hasSuffix("WITHOUT ROWID")
    key = hasRowID ? ["rowid"] : try Self.primaryKey(of: name, connection)
    let row = try connection.prepare("PRAGMA index_list(\(SQLName.quoted(name)))")
    var found: [(name: String, isPrimaryKey: Bool)] = []
    while try row.step() { found.append((row.string(1), row.string(3) == "pk")) }
    for (index, isPrimaryKey) in found where hasRowID || !isPrimaryKey {
      guard let columns = try Self.columns(ofIndex: index, connection) else { continue }
      let condition = Self.condition(try Self.definition(of: index, connection))
      indexes.append(Index(name: index, columns: columns, condition: condition))
    }
  }

  /// Returns the statement that created a table or index; empty for the index of a constraint.
  private static func definition(of name: String, _ connection: Connection) throws(StoreError) -> String {
    let row = try connection.prepare("SELECT sql FROM sqlite_master WHERE name = ?")
    try row.bind(1, name)
    return try row.step() ? row.string(0) : ""
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
    let row = try connection.prepare("PRAGMA table_info(\(SQLName.quoted(table)))")
    var columns: [(place: Int, name: String)] = []
    while try row.step() {
      if row.int(5) > 0 { columns.append((row.int(5), row.string(1))) }
    }
    return columns.sorted { $0.place < $1.place }.map(\.name)
  }

  /// Returns the columns of an index; nil for an index on an expression.
  private static func columns(ofIndex index: String, _ connection: Connection) throws(StoreError) -> [String]?
  {
    let row = try connection.prepare("PRAGMA index_info(\(SQLName.quoted(index)))")
    var columns: [String] = []
    while try row.step() {
      guard let name = row.optionalString(2) else { return nil }
      columns.append(name)
    }
    return columns
  }
}
