import NewsStoresShared
import NewsCore
import NewsToolbox

/// A parameter as it is sent. Scalars are sent as text, so that the server decides their types; arrays and bytes are
/// sent in PostgreSQL's binary format.
enum Parameter {
  case null
  case text(String)
  case binary([UInt8])

  init(_ value: StoreValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .text(String(number))
    case .text(let text): self = .text(text.withoutNUL)
    case .bytes(let bytes): self = .binary(bytes)
    case .integers(let numbers): self = .binary(ArrayWriter(type: 20, numbers) { $0.add($1) }.bytes)
    }
  }
}

extension StoreValue {
  /// For `$n::bigint[]`.
  static func array(_ values: [Int64?]) -> StoreValue {
    .bytes(ArrayWriter(type: 20, values) { $0.add($1) }.bytes)
  }

  static func array(_ values: [Int64]) -> StoreValue { .integers(values) }

  /// For `$n::text[]`.
  static func array(_ values: [String?]) -> StoreValue {
    .bytes(ArrayWriter(type: 25, values) { $0.add($1) }.bytes)
  }

  /// For `$n::bytea[]`.
  static func array(bytes values: [[UInt8]]) -> StoreValue {
    .bytes(ArrayWriter(type: 17, values) { $0.add($1) }.bytes)
  }

  /// For `$n::tsvector[]`.
  static func array(vectors values: [[UInt8]]) -> StoreValue {
    .bytes(ArrayWriter(type: 3614, values) { $0.add($1) }.bytes)
  }
}

/// Writes a one-dimensional array in the binary format: dimensions, a NULL flag, the type's OID, the length, the lower
/// bound, then each element with its length.
private struct ArrayWriter {
  private(set) var bytes: [UInt8] = []

  init<Value>(type: Int32, _ values: [Value], add: (inout ArrayWriter, Value) -> Void) {
    // An empty array has no dimension.
    let head = values.isEmpty ? [0, 0, type] : [1, 1, type, Int32(truncatingIfNeeded: values.count), 1]
    for word in head { self.add(word) }
    for value in values { add(&self, value) }
  }

  private mutating func add(_ word: Int32) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ value: Int64?) {
    guard let value else { return add(Int32(-1)) }
    add(Int32(8))
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ value: String?) {
    guard let value else { return add(Int32(-1)) }
    var text = value.withoutNUL
    text.withUTF8 { source in
      add(Int32(truncatingIfNeeded: source.count))
      bytes.append(contentsOf: source)
    }
  }

  mutating func add(_ value: [UInt8]) {
    add(Int32(truncatingIfNeeded: value.count))
    bytes.append(contentsOf: value)
  }
}
