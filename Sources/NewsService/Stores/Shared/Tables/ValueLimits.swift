package import NewsCore

extension StoreSession {
  /// Throws `corrupt` if a value is longer than newsd writes it. The person who hands over a store can write longer ones, which
  /// each request for a list would have in memory.
  package func refuseLongValues() throws(StoreError) {
    let tables = Dictionary(grouping: try storedColumns().filter { $0.limit != nil }, by: \.table)
    for (table, columns) in tables.sorted(by: { $0.key < $1.key }) {
      let lengths = columns.map { "max(" + Self.byteCount(of: "\"" + $0.name + "\"") + ")" }
      let found = try first("SELECT \(lengths.joined(separator: ", ")) FROM \"\(table)\"") { row in
        columns.indices.map { row.int64(Int32($0)) }
      }
      for (column, length) in zip(columns, found ?? []) {
        guard let limit = column.limit, length > limit else { continue }
        throw StoreError(
          code: .corrupt,
          message:
            "the column '\(column.name)' of the table '\(table)' has \(length) bytes, where newsd writes \(limit) at most, so that "
            + "it cannot become an account's; 'newsd export --all', and 'newsd import' of that into a new store, make one "
            + "with shorter values"
        )
      }
    }
  }
}
