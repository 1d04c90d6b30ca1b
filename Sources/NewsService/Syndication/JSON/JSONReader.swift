/// Reads JSON leniently: trailing commas, raw line breaks in strings and a cut-off end are put up with, and the first
/// breach is noted.
///
/// Values nested deeper than `maximumDepth` are passed over, so that the calls this makes are bounded by a constant.
struct JSONReader {
  static let maximumDepth = 64

  private let input: UnsafeBufferPointer<UInt8>
  private var position = 0
  private(set) var firstProblem: (offset: Int, message: String)?

  init(_ input: UnsafeBufferPointer<UInt8>) {
    self.input = input
  }

  /// The document's value; nil when there is none.
  mutating func read() -> JSONValue? {
    let value = value(depth: 0)
    skipSpace()
    if position < input.count { note("Something follows the JSON value.") }
    return value
  }

  private mutating func note(_ message: String) {
    if firstProblem == nil { firstProblem = (position, message) }
  }

  private var byte: UInt8 { position < input.count ? input[position] : 0 }

  private mutating func skipSpace() {
    while position < input.count, input[position] <= 0x20 { position += 1 }
  }

  private mutating func value(depth: Int) -> JSONValue? {
    skipSpace()
    guard position < input.count else {
      note("The JSON ends where a value should stand.")
      return nil
    }
    switch byte {
    case 0x7B:
      guard depth < Self.maximumDepth else { return skipNested() }
      return object(depth: depth)
    case 0x5B:
      guard depth < Self.maximumDepth else { return skipNested() }
      return array(depth: depth)
    case 0x22: return .string(string())
    case 0x2D, 0x2B, 0x2E, 0x30...0x39: return .number(number())
    default: return word()
    }
  }

  private mutating func object(depth: Int) -> JSONValue {
    let start = position
    position += 1
    var members: [(name: String, value: JSONValue)] = []
    var hasComma = false
    while true {
      skipSpace()
      guard position < input.count else {
        note("An object does not end.")
        return .object(members, at: start)
      }
      if byte == 0x7D {
        if hasComma { note("A comma stands before the end of an object.") }
        position += 1
        return .object(members, at: start)
      }
      if byte == 0x2C {
        if hasComma || members.isEmpty { note("A comma stands alone.") }
        hasComma = true
        position += 1
        continue
      }
      hasComma = false
      guard byte == 0x22 else {
        note("A member of an object has no name.")
        // Passed over: one byte at a time, up to the next quote or bracket.
        position += 1
        continue
      }
      let name = string()
      skipSpace()
      if byte == 0x3A { position += 1 } else { note("A name has no colon behind it.") }
      skipSpace()
      if byte == 0x7D || byte == 0x2C {
        note("A member of an object has no value.")
        continue
      }
      guard let value = value(depth: depth + 1) else { return .object(members, at: start) }
      members.append((name, value))
      skipSpace()
      if position < input.count, byte != 0x2C, byte != 0x7D { note("A comma is missing.") }
    }
  }

  private mutating func array(depth: Int) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    var hasComma = false
    while true {
      skipSpace()
      guard position < input.count else {
        note("An array does not end.")
        return .array(elements)
      }
      if byte == 0x5D {
        if hasComma { note("A comma stands before the end of an array.") }
        position += 1
        return .array(elements)
      }
      if byte == 0x2C {
        if hasComma || elements.isEmpty { note("A comma stands alone.") }
        hasComma = true
        position += 1
        continue
      }
      hasComma = false
      if byte == 0x7D || byte == 0x3A {
        note("An array holds what is no value.")
        position += 1
        continue
      }
      guard let value = value(depth: depth + 1) else { return .array(elements) }
      elements.append(value)
      skipSpace()
      if position < input.count, byte != 0x2C, byte != 0x5D { note("A comma is missing.") }
    }
  }

  /// Passes over an object or array that is too deep.
  private mutating func skipNested() -> JSONValue {
    note("Values are nested deeper than \(Self.maximumDepth).")
    var open = 0
    while position < input.count {
      switch byte {
      case 0x22:
        _ = string()
        continue
      case 0x7B, 0x5B: open += 1
      case 0x7D, 0x5D:
        open -= 1
        if open == 0 {
          position += 1
          return .null
        }
      default: break
      }
      position += 1
    }
    return .null
  }

  private mutating func number() -> String {
    let start = position
    while position < input.count {
      switch input[position] {
      case 0x2D, 0x2B, 0x2E, 0x30...0x39, 0x45, 0x65: position += 1
      default: return number(from: start)
      }
    }
    return number(from: start)
  }

  private mutating func number(from start: Int) -> String {
    let text = input[start..<position]
    if !Self.isNumber(text) { note("A number is not written as JSON asks.") }
    return String(decoding: text, as: UTF8.self)
  }

  /// RFC 8259 section 6.
  private static func isNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var rest = text
    func digits() -> Int {
      let count = rest.prefix(while: ASCII.isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == 0x2D { rest = rest.dropFirst() }
    let isZero = rest.first == 0x30
    let whole = digits()
    guard whole > 0, !isZero || whole == 1 else { return false }
    if rest.first == 0x2E {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if let byte = rest.first, byte | 0x20 == 0x65 {
      rest = rest.dropFirst()
      if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  private mutating func word() -> JSONValue? {
    let start = position
    while position < input.count, ASCII.isLetter(input[position]) { position += 1 }
    let text = UnsafeBufferPointer(rebasing: input[start..<position])
    if ByteText.equalsExactly(text, "true") { return .bool(true) }
    if ByteText.equalsExactly(text, "false") { return .bool(false) }
    if !ByteText.equalsExactly(text, "null") {
      note("Something stands where a value should.")
      if position == start { position += 1 }
    }
    return .null
  }

  // MARK: Strings

  private mutating func string() -> String {
    position += 1
    let start = position
    // Most strings hold no escape and are copied whole.
    while position < input.count, input[position] != 0x22, input[position] != 0x5C {
      if input[position] < 0x20 { note("A control character stands in a string.") }
      position += 1
    }
    if byte == 0x22 {
      let text = String(decoding: input[start..<position], as: UTF8.self)
      position += 1
      return text
    }
    var output = ByteBuffer(capacity: 256)
    output.append(UnsafeBufferPointer(rebasing: input[start..<position]))
    while position < input.count {
      let byte = input[position]
      if byte == 0x22 {
        position += 1
        return output.string()
      }
      position += 1
      if byte == 0x5C {
        escape(into: &output)
      } else {
        if byte < 0x20 { note("A control character stands in a string.") }
        output.append(byte)
      }
    }
    note("A string does not end.")
    return output.string()
  }

  private mutating func escape(into output: inout ByteBuffer) {
    guard position < input.count else { return }
    let byte = input[position]
    position += 1
    switch byte {
    case 0x62: output.append(0x08)
    case 0x66: output.append(0x0C)
    case 0x6E: output.append(0x0A)
    case 0x72: output.append(0x0D)
    case 0x74: output.append(0x09)
    case 0x75: unicode(into: &output)
    case 0x22, 0x2F, 0x5C: output.append(byte)
    default:
      note("An escape is not known.")
      output.append(byte)
    }
  }

  private mutating func unicode(into output: inout ByteBuffer) {
    guard let first = hexadecimal() else { return note("An escape lacks its four digits.") }
    var scalar = first
    if first & 0xFC00 == 0xD800 {
      scalar = 0xFFFD
      let mark = position
      if position + 1 < input.count, input[position] == 0x5C, input[position + 1] == 0x75 {
        position += 2
        if let second = hexadecimal(), second & 0xFC00 == 0xDC00 {
          scalar = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
        } else {
          position = mark
        }
      }
    } else if first & 0xFC00 == 0xDC00 {
      scalar = 0xFFFD
    }
    let (bytes, count) = HTMLEntities.utf8(scalar)
    output.append(HTMLEntities.Reference(length: 0, bytes: bytes, byteCount: count))
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= input.count else { return nil }
    var value: UInt32 = 0
    for index in position..<position + 4 {
      guard let digit = ASCII.hexValue(input[index]) else { return nil }
      value = value << 4 | digit
    }
    position += 4
    return value
  }
}
