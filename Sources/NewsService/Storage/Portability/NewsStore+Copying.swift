public import NewsCore

extension NewsStore: StoreCopying {
  public func sideRows() async throws(StoreError) -> SideRows {
    try await read { (connection) throws(StoreError) in
      var found = SideRows()
      let exists = try connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
      for table in SideTable.all {
        try exists.bind(1, table.name)
        let isThere = try exists.step()
        exists.reset()
        // Stores created by earlier versions lack some tables.
        guard isThere else { continue }
        let row = try connection.prepare("SELECT \(table.columnList) FROM \(table.name)")
        var rows: [[StoreValue]] = []
        while try row.step() { rows.append(table.values(of: row) { row, column in row.blob(column) }) }
        found.tables.append((table, rows))
      }
      return found
    }
  }

  public func keep(_ rows: SideRows) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      try CredentialTables.ensure(connection)
      for (table, rows) in rows.tables {
        let places = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
        let insert = try connection.prepare(
          "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(places)) ON CONFLICT DO NOTHING"
        )
        for row in rows {
          for (place, value) in row.enumerated() { try insert.bind(Int32(place + 1), value) }
          try insert.run()
          insert.reset()
        }
      }
    }
  }
}
