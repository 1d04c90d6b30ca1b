/// A table of credentials, which `newsd copy` copies and an export omits.
package struct SideTable: Sendable {
  package enum Kind: Sendable { case integer, text, bytes }

  package var name: String
  package var columns: KeyValuePairs<String, Kind>

  package init(name: String, columns: KeyValuePairs<String, Kind>) {
    self.name = name
    self.columns = columns
  }
}

/// The rows of side tables that a copy transfers.
public struct SideRows: Sendable {
  package init() {}

  package var tables: [(table: SideTable, rows: [[StoreValue]])] = []
}

/// A value that a store writes.
package enum StoreValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  /// A list of integers, for `StoreSession.isOne(of:)`.
  case integers([Int64])

  package init(_ value: Int64?) { self = value.map(StoreValue.integer) ?? .null }
  package init(_ value: Int) { self = .integer(Int64(value)) }
  package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  package init(_ value: String?) { self = value.map(StoreValue.text) ?? .null }
  package init(_ value: Timestamp?) { self.init(value?.seconds) }
}
