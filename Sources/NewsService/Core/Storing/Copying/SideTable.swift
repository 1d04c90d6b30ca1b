/// A table of credentials, which a copy carries and an export leaves out.
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

/// A store that can be copied.
public protocol StoreCopying: StoreExporting {
  /// The rows that an export leaves out, but sessions and leases.
  func sideRows() async throws(StoreError) -> SideRows
  /// Stores them in a store that has none.
  func keep(_ rows: SideRows) async throws(StoreError)
}
