package import NewsCore

/// A row that a store has read. Columns are numbered from 0.
package protocol StoreRow: ~Copyable {
  func isNull(_ column: Int32) -> Bool
  func isInteger(_ column: Int32) -> Bool
  /// Returns an integer column; 0 for NULL.
  func int64(_ column: Int32) -> Int64
  /// Returns a text column; nil for NULL. Repairs ill-formed UTF-8.
  func optionalString(_ column: Int32) -> String?
  func bytes(_ column: Int32) -> [UInt8]
}

extension StoreRow where Self: ~Copyable {
  package func int(_ column: Int32) -> Int { Int(int64(column)) }
  /// Returns a number that counts something. Clamps it to a range in which the sums of all feeds cannot overflow: another
  /// program may have written anything.
  package func count(_ column: Int32) -> Int { Int(min(max(int64(column), 0), 1 << 40)) }
  package func bool(_ column: Int32) -> Bool { int64(column) != 0 }
  package func string(_ column: Int32) -> String { optionalString(column) ?? "" }
  package func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }
  package func time(_ column: Int32) -> Timestamp? { optionalInt64(column).map(Timestamp.init(seconds:)) }
}

/// A value that can be written to a column.
package protocol StoreValueConvertible {
  var storeValue: StoreValue { get }
}

extension StoreValue: StoreValueConvertible {
  package var storeValue: StoreValue { self }
}
extension Int64: StoreValueConvertible {
  package var storeValue: StoreValue { .integer(self) }
}
extension Int: StoreValueConvertible {
  package var storeValue: StoreValue { .integer(Int64(self)) }
}
extension Bool: StoreValueConvertible {
  package var storeValue: StoreValue { .integer(self ? 1 : 0) }
}
extension String: StoreValueConvertible {
  package var storeValue: StoreValue { .text(self) }
}
extension Timestamp: StoreValueConvertible {
  package var storeValue: StoreValue { .integer(seconds) }
}
extension Feed.ID: StoreValueConvertible {
  package var storeValue: StoreValue { .integer(rawValue) }
}
extension NewsItem.ID: StoreValueConvertible {
  package var storeValue: StoreValue { .integer(rawValue) }
}
extension Optional: StoreValueConvertible where Wrapped: StoreValueConvertible {
  package var storeValue: StoreValue { self?.storeValue ?? .null }
}
