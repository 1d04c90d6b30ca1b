import NewsStoresShared
import NewsCore
import NewsToolbox

/// A parameter of a statement. Scalars are sent as text, so that the server decides their types; arrays and bytes are
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
    case .integers(let numbers): self = .array(numbers)
    }
  }

  /// For `$n::bigint[]`.
  static func array(_ values: [Int64?]) -> Parameter {
    var writer = ArrayWriter(type: 20, count: values.count)
    for value in values { writer.add(value) }
    return .binary(writer.bytes)
  }

  static func array(_ values: [Int64]) -> Parameter {
    var writer = ArrayWriter(type: 20, count: values.count)
    for value in values { writer.add(value) }
    return .binary(writer.bytes)
  }

  /// For `$n::text[]`.
  static func array(_ values: [String?]) -> Parameter {
    var writer = ArrayWriter(type: 25, count: values.count)
    for value in values { writer.add(value) }
    return .binary(writer.bytes)
  }

  /// For `$n::bytea[]`.
  static func array(bytes values: [[UInt8]]) -> Parameter {
    var writer = ArrayWriter(type: 17, count: values.count)
    for value in values { writer.add(value) }
    return .binary(writer.bytes)
  }

  /// For `$n::tsvector[]`.
  static func array(vectors values: [[UInt8]]) -> Parameter {
    var writer = ArrayWriter(type: 3614, count: values.count)
    for value in values { writer.add(value) }
    return .binary(writer.bytes)
  }
}

/// Writes a one-dimensional array in the binary format: dimensions, a NULL flag, the type's OID, the length, the lower
/// bound, then each element with its length.
private struct ArrayWriter {
  private(set) var bytes: [UInt8] = []

  init(type: Int32, count: Int) {
    guard count > 0 else {
      // An empty array has no dimension.
      for word in [0, 0, type] { add(word) }
      return
    }
    for word in [1, 1, type, Int32(truncatingIfNeeded: count), 1] { add(word) }
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

/// A value that can be a parameter.
protocol ParameterConvertible {
  var parameter: Parameter { get }
}

extension Parameter: ParameterConvertible {
  var parameter: Parameter { self }
}
extension StoreValue: ParameterConvertible {
  var parameter: Parameter { Parameter(self) }
}
extension Int64: ParameterConvertible {
  var parameter: Parameter { .text(String(self)) }
}
extension Int: ParameterConvertible {
  var parameter: Parameter { .text(String(self)) }
}
extension Bool: ParameterConvertible {
  var parameter: Parameter { .text(self ? "1" : "0") }
}
extension String: ParameterConvertible {
  var parameter: Parameter { .text(withoutNUL) }
}
extension Timestamp: ParameterConvertible {
  var parameter: Parameter { .text(String(seconds)) }
}
extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
  var parameter: Parameter { self?.parameter ?? .null }
}
