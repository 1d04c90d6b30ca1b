import NewsToolbox
/// A JSON value as the store keeps and exports it. The output is canonical: equal values give equal bytes.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Any other number, in its original notation.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// An object; members keep their order.
  case object([Member])

  struct Member: Hashable, Sendable {
    var name: String
    var value: JSONValue
  }

  subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }
  var integer: Int64? {
    if case .integer(let value) = self { return value }
    return nil
  }
  var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }
  var array: [JSONValue]? {
    if case .array(let value) = self { return value }
    return nil
  }
  var members: [Member]? {
    if case .object(let value) = self { return value }
    return nil
  }

  // MARK: Writing

  var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
    case .number(let value): bytes.append(contentsOf: value.utf8)
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    text.withBytes { JSONEscaping.write($0, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }

  // MARK: Reading

  /// Returns nil if the bytes are not exactly one JSON value (RFC 8259) or nest deeper than 64 levels.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = Reader(bytes: bytes)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.position == bytes.count else { return nil }
    self = value
  }

  init?(_ text: String) {
    var text = text
    guard let value = text.withUTF8({ JSONValue(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = value
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    mutating func skipSpace() {
      while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
      let count = word.utf8CodeUnitCount
      guard bytes.count - position >= count else { return false }
      for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
      position += count
      return true
    }

    mutating func value(depth: Int) -> JSONValue? {
      guard depth < 64 else { return nil }
      skipSpace()
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case UInt8(ascii: "{"): return object(depth: depth)
      case UInt8(ascii: "["): return array(depth: depth)
      case UInt8(ascii: "\""): return string().map(JSONValue.string)
      case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
      case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
      case UInt8(ascii: "n"): return take("null") ? .null : nil
      default: return number()
      }
    }

    private mutating func object(depth: Int) -> JSONValue? {
      position += 1
      var members: [Member] = []
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      while true {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), let name = string() else {
          return nil
        }
        skipSpace()
        guard take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
        members.append(Member(name: name, value: value))
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        guard take(UInt8(ascii: ",")) else { return nil }
      }
    }

    private mutating func array(depth: Int) -> JSONValue? {
      position += 1
      var values: [JSONValue] = []
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(values) }
      while true {
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        guard take(UInt8(ascii: ",")) else { return nil }
      }
    }

    private mutating func number() -> JSONValue? {
      let start = position
      _ = take(UInt8(ascii: "-"))
      while position < bytes.count {
        switch bytes[position] {
        case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"),
          UInt8(ascii: "-"):
          position += 1
          continue
        default: break
        }
        break
      }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      if let integer = Int64(text) { return .integer(integer) }
      return Double(text).map { _ in .number(text) }
    }

    private mutating func string() -> String? {
      position += 1
      var start = position
      var buffer: [UInt8] = []
      while position < bytes.count {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") {
          let rest = bytes[start..<position]
          position += 1
          if buffer.isEmpty { return String(decoding: rest, as: UTF8.self) }
          buffer.append(contentsOf: rest)
          return String(decoding: buffer, as: UTF8.self)
        }
        guard byte >= 0x20 else { return nil }
        guard byte == UInt8(ascii: "\\") else {
          position += 1
          continue
        }
        buffer.append(contentsOf: bytes[start..<position])
        position += 1
        guard escape(into: &buffer) else { return nil }
        start = position
      }
      return nil
    }

    /// Decodes the escape sequence after a backslash.
    private mutating func escape(into buffer: inout [UInt8]) -> Bool {
      guard position < bytes.count else { return false }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "n"): buffer.append(0x0A)
      case UInt8(ascii: "r"): buffer.append(0x0D)
      case UInt8(ascii: "t"): buffer.append(0x09)
      case UInt8(ascii: "b"): buffer.append(0x08)
      case UInt8(ascii: "f"): buffer.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
      case UInt8(ascii: "u"):
        guard let first = hex() else { return false }
        var scalar = UInt32(first)
        if 0xD800..<0xDC00 ~= scalar, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
          bytes[position + 1] == UInt8(ascii: "u")
        {
          position += 2
          guard let second = hex(), 0xDC00..<0xE000 ~= second else { return false }
          scalar = 0x10000 + ((scalar - 0xD800) << 10) + (UInt32(second) - 0xDC00)
        }
        buffer.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
      default: return false
      }
      return true
    }

    private mutating func hex() -> UInt16? {
      guard position + 4 <= bytes.count else { return nil }
      let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      position += 4
      return UInt16(digits, radix: 16)
    }
  }
}
