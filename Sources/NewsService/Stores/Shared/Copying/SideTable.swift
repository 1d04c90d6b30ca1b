package import NewsCore

extension SideTable {
  fileprivate var columnList: String { columns.map(\.key).joined(separator: ", ") }

  package static let all = [
    SideTable(name: "secrets", columns: ["name": .text, "value": .bytes]),
    SideTable(
      name: "app_passwords",
      columns: [
        "id": .integer, "name": .text, "hash": .bytes, "fever_hash": .bytes, "made": .integer,
        "used": .integer,
      ]
    ),
  ]

  fileprivate func values(of row: some StoreRow) -> [StoreValue] {
    var values: [StoreValue] = []
    for (place, column) in columns.enumerated() {
      let index = Int32(place)
      guard !row.isNull(index) else {
        values.append(.null)
        continue
      }
      switch column.value {
      case .integer: values.append(.integer(row.int64(index)))
      case .text: values.append(.text(row.string(index)))
      case .bytes: values.append(.bytes(row.bytes(index)))
      }
    }
    return values
  }
}

extension SideRows {
  /// Inserts the rows. The side tables of the store must be empty.
  package func insert(into session: some StoreSession) throws(StoreError) {
    for (table, rows) in tables {
      let places = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      let insertion =
        "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(places)) ON CONFLICT DO NOTHING"
      for row in rows { try session.run(insertion, values: row) }
    }
  }
}

extension TableStore {
  package func sideRows() async throws(StoreError) -> SideRows {
    try await snapshot { (session) throws(StoreError) in
      var found = SideRows()
      for table in SideTable.all where try session.has(table.name) {
        let rows = try session.rows("SELECT \(table.columnList) FROM \(table.name)") { table.values(of: $0) }
        found.tables.append((table, rows))
      }
      return found
    }
  }
}
