import NewsStoresShared
import CPQ
import NewsCore

/// The rows of a result, in the binary format.
final class Rows: RandomAccessCollection {
  private let library: LibPQ
  private let raw: OpaquePointer
  let startIndex = 0
  let endIndex: Int

  init(_ raw: OpaquePointer, _ library: LibPQ) {
    self.raw = raw
    self.library = library
    endIndex = Int(library.call.PQntuples(raw))
  }

  deinit { library.call.PQclear(raw) }

  subscript(_ place: Int) -> Row { Row(rows: self, number: Int32(place)) }

  /// The number of rows that a command changed.
  var affected: Int { library.call.PQcmdTuples(raw).flatMap { Int(String(cString: $0)) } ?? 0 }

  fileprivate func isNull(_ row: Int32, _ column: Int32) -> Bool {
    library.call.PQgetisnull(raw, row, column) == 1
  }

  fileprivate func type(_ column: Int32) -> UInt32 { library.call.PQftype(raw, column) }

  fileprivate func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: library.call.PQgetvalue(raw, row, column),
      count: Int(library.call.PQgetlength(raw, row, column))
    )
  }
}

/// One row; keeps its result alive.
package struct Row: StoreRow {
  fileprivate let rows: Rows
  fileprivate let number: Int32

  package func isNull(_ column: Int32) -> Bool { rows.isNull(number, column) }

  /// True for the types bool, int8, int2 and int4.
  package func isInteger(_ column: Int32) -> Bool { [16, 20, 21, 23].contains(rows.type(column)) }

  package func int64(_ column: Int32) -> Int64 {
    let bytes = rows.bytes(number, column)
    guard let first = bytes.first, bytes.count <= 8 else { return 0 }
    var value: Int64 = bytes.count > 1 ? Int64(Int8(bitPattern: first)) : Int64(first)
    for byte in bytes.dropFirst() { value = value << 8 | Int64(byte) }
    return value
  }

  package func optionalString(_ column: Int32) -> String? {
    guard !isNull(column) else { return nil }
    return String(decoding: rows.bytes(number, column), as: UTF8.self)
  }

  package func bytes(_ column: Int32) -> [UInt8] { Array(rows.bytes(number, column)) }
}
