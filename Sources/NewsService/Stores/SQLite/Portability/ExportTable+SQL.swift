import NewsStoresShared
import CSQLite
import NewsCore
import NewsToolbox

extension ExportTable {
  func exists(_ connection: Connection) throws(StoreError) -> Bool {
    guard isLater else { return true }
    return try connection.integer("SELECT 1 FROM sqlite_master WHERE name = '\(name)'") == 1
  }

  /// Stores a row. The row may replace an existing one only in `counters`: a new store already has these rows.
  func insert(_ row: ExportRow, _ connection: Connection) throws(StoreError) {
    let names = row.members.map(\.name).joined(separator: ", ")
    let places = row.members.map { _ in "?" }.joined(separator: ", ")
    let verb = name == "counters" ? "INSERT OR REPLACE" : "INSERT"
    let statement = try connection.prepare("\(verb) INTO \(name) (\(names)) VALUES (\(places))")
    for (place, member) in row.members.enumerated() {
      let index = Int32(place + 1)
      switch member.value {
      case .number: try statement.bind(index, member.value.integer)
      case .string(let text): try statement.bind(index, text)
      default: try statement.bind(index, nil as String?)
      }
    }
    try Self.insert(statement, connection)
  }

  /// Runs an insertion. Throws `badQuery` if a column is missing or a unique value already exists.
  static func insert(_ statement: borrowing Statement, _ connection: Connection) throws(StoreError) {
    do {
      try statement.run()
    } catch {
      guard sqlite3_errcode(connection.raw) & 0xFF == SQLITE_CONSTRAINT else { throw error }
      let reason = String(cString: sqlite3_errmsg(connection.raw))
      throw StoreError(code: .badQuery, message: "the store refuses the row: \(reason)")
    }
  }
}
