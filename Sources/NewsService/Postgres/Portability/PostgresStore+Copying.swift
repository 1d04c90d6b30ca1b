public import NewsCore

extension PostgresStore: StoreCopying {
  public func sideRows() async throws(StoreError) -> SideRows {
    try await read { (connection) throws(StoreError) in
      var found = SideRows()
      for table in SideTable.all {
        let rows = try connection.query("SELECT \(table.columnList) FROM \(table.name)").map {
          table.values(of: $0) { row, column in row.bytes(column) }
        }
        found.tables.append((table, rows))
      }
      return found
    }
  }

  public func keep(_ rows: SideRows) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      for (table, rows) in rows.tables {
        let places = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        for row in rows {
          try connection.query(
            "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(places)) ON CONFLICT DO NOTHING",
            parameters: row.map { Parameter($0) }
          )
        }
      }
    }
  }
}
