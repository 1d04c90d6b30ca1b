import NewsStoresShared
import NewsCore

extension StoreSalvage {
  /// Tables whose rows are copied unchanged. Exports omit four of them, because these belong to this machine
  /// or are secret. The others have no integer key, which `copy` needs.
  static let tablesCopiedByRow = [
    "secrets", "app_passwords", "sessions", "hooks", "outbox", "folder_settings", "hub_subscriptions",
  ]

  /// Copies the readable rows of a table: first from the start up to the damage, then from the end. Stores created by
  /// earlier versions may lack the table.
  mutating func copyRows(of table: String) throws(StoreError) {
    let isPresent = try readIgnoringDamage { () throws(StoreError) in
      try source.integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'")
    }
    guard isPresent != 0 else { return }
    let key = try TableShape(table, target).key
    let columns = try columns(of: table)
    let query = "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY "
    guard try !copyRows(query + key.joined(separator: ", "), to: table, columns) else { return }
    lostRows[table, default: 0] += 1
    _ = try copyRows(query + key.map { $0 + " DESC" }.joined(separator: ", "), to: table, columns)
  }

  private func columns(of table: String) throws(StoreError) -> [String] {
    let row = try target.prepare("SELECT name FROM pragma_table_info('\(table)')")
    var names: [String] = []
    while try row.step() { names.append(row.string(0)) }
    return names
  }

  /// Returns false if damage ended the copying.
  private func copyRows(
    _ query: String,
    to table: String,
    _ columns: [String]
  ) throws(StoreError) -> Bool {
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let names = columns.joined(separator: ", ")
    // Ignore duplicate rows, and rows of damaged pages that lack a value.
    let insertion = try target.prepare("INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))")
    let isWhole: Void? = try readIgnoringDamage { () throws(StoreError) in
      let row = try source.prepare(query)
      while try row.step() {
        for column in columns.indices.map(Int32.init) {
          if row.isNull(column) {
            try insertion.bind(column + 1, nil as String?)
          } else if row.isInteger(column) {
            try insertion.bind(column + 1, row.int64(column))
          } else if row.isText(column) {
            try insertion.bind(column + 1, row.string(column))
          } else {
            try insertion.bind(column + 1, blob: row.bytes(column))
          }
        }
        try insertion.run()
      }
    }
    return isWhole != nil
  }
}
