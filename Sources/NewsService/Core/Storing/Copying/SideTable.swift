/// A table of credentials, which `newsd copy` copies and an export omits.
package struct SideTable: Sendable {
  package enum Kind: Sendable { case integer, text, bytes }

  package var name: String
  package var columns: KeyValuePairs<String, Kind>

  package var columnList: String { columns.map(\.key).joined(separator: ", ") }

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

  /// The row's values. `bytes` reads a column of bytes.
  package func values<Row: StoreRow & ~Copyable>(
    of row: borrowing Row,
    bytes: (borrowing Row, Int32) -> [UInt8]
  ) -> [StoreValue] {
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
      case .bytes: values.append(.bytes(bytes(row, index)))
      }
    }
    return values
  }
}

/// Rows of side tables, for a copy.
public struct SideRows: Sendable {
  package var tables: [(table: SideTable, rows: [[StoreValue]])] = []

  package init() {}
}

/// A store from which and to which `newsd copy` can copy.
public protocol StoreCopying: StoreExporting {
  /// Returns the rows that an export omits, except sessions and leases.
  func sideRows() async throws(StoreError) -> SideRows
  /// Stores the rows in a store whose side tables are empty.
  func keep(_ rows: SideRows) async throws(StoreError)
}
