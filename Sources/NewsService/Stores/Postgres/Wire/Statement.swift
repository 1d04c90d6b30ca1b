import NewsStoresShared
import NewsCore

/// A statement with its parameters.
struct Statement {
  let sql: String
  let parameters: [Parameter]

  init(_ sql: String, parameters: [StoreValue]) {
    self.sql = sql
    self.parameters = parameters.map { Parameter($0) }
  }

  init(_ sql: String, _ values: any StoreValueConvertible...) {
    self.init(sql, parameters: values.map(\.storeValue))
  }

  var beginsTransaction: Bool { sql.hasPrefix("BEGIN") }

  /// False for short statements, such as a plain BEGIN and COMMIT, which need no prepared statement.
  var isReusable: Bool { sql.utf8.count > 10 }

  var byteCount: Int {
    parameters.reduce(sql.utf8.count) { count, parameter in
      switch parameter {
      case .null: count
      case .text(let text): count + text.utf8.count
      case .binary(let bytes): count + bytes.count
      }
    }
  }

  /// Calls `body` with the arguments that libpq takes: the number of parameters, their values, lengths and formats.
  func withPointers<Result>(
    _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
  ) -> Result {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount + parameters.count)
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for parameter in parameters {
      switch parameter {
      case .null:
        offsets.append(nil)
        lengths.append(0)
        formats.append(0)
      case .text(let text):
        offsets.append(bytes.count)
        lengths.append(Int32(text.utf8.count))
        formats.append(0)
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
      case .binary(let value):
        offsets.append(bytes.count)
        lengths.append(Int32(value.count))
        formats.append(1)
        bytes.append(contentsOf: value)
        bytes.append(0)
      }
    }
    return bytes.withUnsafeBufferPointer { buffer in
      let pointers = offsets.map { offset -> UnsafePointer<CChar>? in
        guard let offset, let base = buffer.baseAddress else { return nil }
        return UnsafeRawPointer(base + offset).assumingMemoryBound(to: CChar.self)
      }
      return body(Int32(parameters.count), pointers, lengths, formats)
    }
  }
}
