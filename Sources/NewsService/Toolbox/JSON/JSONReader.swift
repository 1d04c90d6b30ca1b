/// Reads JSON leniently: accepts trailing commas, raw line breaks in strings and a truncated end, and records the
/// first error.
///
/// Values nested deeper than `maximumDepth` are skipped, which bounds the recursion.
public struct JSONReader {
  public static let maximumDepth = 64

  private let input: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// Number of values that may still be read.
  private var rest: Int
  public private(set) var firstProblem: (offset: Int, message: String)?

  /// Reads at most `mostValues` values, and ends there as at a truncated end.
  public init(_ input: UnsafeBufferPointer<UInt8>, mostValues: Int = .max) {
    self.input = input
    rest = mostValues
  }

  /// True if the document was left because it has more than `mostValues` values.
  public var isTooLarge: Bool { rest == 0 && firstProblem != nil }

  /// Returns the document's value; nil if there is none.
  public mutating func read() -> JSONValue? {
    let value = value(depth: 0)
    skipSpace()
    if position < input.count { note("something follows the JSON value") }
    return value
  }

  private mutating func note(_ message: String) {
    if firstProblem == nil { firstProblem = (position, message) }
  }

  private var byte: UInt8 { position < input.count ? input[position] : 0 }

  private mutating func skipSpace() {
    while position < input.count, input[position] <= UInt8(ascii: " ") {
      switch byte {
      case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "): break
      default: note("a control character is outside of strings")
      }
      position += 1
    }
  }

  private mutating func value(depth: Int) -> JSONValue? {
    skipSpace()
    guard position < input.count else {
      note("the JSON ends where a value is expected")
      return nil
    }
    guard rest > 0 else {
      note("the JSON has too many values")
      position = input.count
      return nil
    }
    rest -= 1
    switch byte {
    case UInt8(ascii: "{"):
      guard depth < Self.maximumDepth else { return skipNested() }
      return object(depth: depth)
    case UInt8(ascii: "["):
      guard depth < Self.maximumDepth else { return skipNested() }
      return array(depth: depth)
    case UInt8(ascii: "\""): return .string(string())
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(number())
    default: return word()
    }
  }

  private mutating func object(depth: Int) -> JSONValue {
    let start = position
    position += 1
    var members: [JSONValue.Member] = []
    var hasComma = false
    while true {
      skipSpace()
      guard position < input.count else {
        note("an object does not end")
        return .object(members, at: start)
      }
      if byte == UInt8(ascii: "}") {
        if hasComma { note("a comma precedes the end of an object") }
        position += 1
        return .object(members, at: start)
      }
      if byte == UInt8(ascii: ",") {
        if hasComma || members.isEmpty { note("a comma has no value before it") }
        hasComma = true
        position += 1
        continue
      }
      hasComma = false
      guard byte == UInt8(ascii: "\"") else {
        note("a member of an object has no name")
        // Skip one byte at a time up to the next quote, comma or `}`.
        position += 1
        continue
      }
      let name = string()
      skipSpace()
      if byte == UInt8(ascii: ":") { position += 1 } else { note("a name is not followed by a colon") }
      skipSpace()
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: ",") {
        note("a member of an object has no value")
        continue
      }
      guard let value = value(depth: depth + 1) else { return .object(members, at: start) }
      members.append(JSONValue.Member(name: name, value: value))
      skipSpace()
      if position < input.count, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}") {
        note("a comma is missing")
      }
    }
  }

  private mutating func array(depth: Int) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    var hasComma = false
    while true {
      skipSpace()
      guard position < input.count else {
        note("an array does not end")
        return .array(elements)
      }
      if byte == UInt8(ascii: "]") {
        if hasComma { note("a comma precedes the end of an array") }
        position += 1
        return .array(elements)
      }
      if byte == UInt8(ascii: ",") {
        if hasComma || elements.isEmpty { note("a comma has no value before it") }
        hasComma = true
        position += 1
        continue
      }
      hasComma = false
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: ":") {
        note("an array contains an unexpected character")
        position += 1
        continue
      }
      guard let value = value(depth: depth + 1) else { return .array(elements) }
      elements.append(value)
      skipSpace()
      if position < input.count, byte != UInt8(ascii: ","), byte != UInt8(ascii: "]") {
        note("a comma is missing")
      }
    }
  }

  /// Skips an object or array that is nested too deeply.
  private mutating func skipNested() -> JSONValue {
    note("values are nested deeper than \(Self.maximumDepth)")
    var open = 0
    while position < input.count {
      switch byte {
      case UInt8(ascii: "\""):
        _ = string()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
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
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "E"), UInt8(ascii: "e"):
        position += 1
      default: return number(from: start)
      }
    }
    return number(from: start)
  }

  private mutating func number(from start: Int) -> String {
    let text = input[start..<position]
    if !Self.isNumber(text) { note("a number is not valid JSON") }
    return String(decoding: text, as: UTF8.self)
  }

  /// True for a number in the grammar of RFC 8259 section 6.
  private static func isNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var rest = text
    func digits() -> Int {
      let count = rest.prefix(while: ASCII.isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let isZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !isZero || whole == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  private mutating func word() -> JSONValue? {
    let start = position
    while position < input.count, ASCII.isLetter(input[position]) { position += 1 }
    let text = input[start..<position]
    if text.elementsEqual("true".utf8) { return .bool(true) }
    if text.elementsEqual("false".utf8) { return .bool(false) }
    if !text.elementsEqual("null".utf8) {
      note("a value is neither a string, a number, true, false nor null")
      if position == start { position += 1 }
    }
    return .null
  }

  // MARK: Strings

  private mutating func string() -> String {
    position += 1
    let start = position
    // Most strings have no escape and are copied as a whole.
    while position < input.count, input[position] != UInt8(ascii: "\""), input[position] != UInt8(ascii: "\\")
    {
      if input[position] < UInt8(ascii: " ") { note("a string contains a control character") }
      position += 1
    }
    if byte == UInt8(ascii: "\"") {
      let text = String(streamSafe: input[start..<position])
      position += 1
      return text
    }
    var output = ByteBuffer(capacity: 256)
    output.append(UnsafeBufferPointer(rebasing: input[start..<position]))
    while position < input.count {
      let byte = input[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return output.string()
      }
      position += 1
      if byte == UInt8(ascii: "\\") {
        escape(into: &output)
      } else {
        if byte < UInt8(ascii: " ") { note("a string contains a control character") }
        output.append(byte)
      }
    }
    note("a string does not end")
    return output.string()
  }

  private mutating func escape(into output: inout ByteBuffer) {
    guard position < input.count else { return }
    let byte = input[position]
    position += 1
    switch byte {
    case UInt8(ascii: "b"): output.append(ASCII.backspace)
    case UInt8(ascii: "f"): output.append(ASCII.formFeed)
    case UInt8(ascii: "n"): output.append(UInt8(ascii: "\n"))
    case UInt8(ascii: "r"): output.append(UInt8(ascii: "\r"))
    case UInt8(ascii: "t"): output.append(UInt8(ascii: "\t"))
    case UInt8(ascii: "u"): unicode(into: &output)
    case UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "\\"): output.append(byte)
    default:
      note("unknown escape")
      output.append(byte)
    }
  }

  private mutating func unicode(into output: inout ByteBuffer) {
    guard let first = hexadecimal() else { return note("a \\u escape has fewer than four digits") }
    var scalar = first
    if first & 0xFC00 == 0xD800 {
      scalar = 0xFFFD
      let mark = position
      if position + 1 < input.count, input[position] == UInt8(ascii: "\\"),
        input[position + 1] == UInt8(ascii: "u")
      {
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
    for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
      output.append(byte)
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= input.count else { return nil }
    var value: UInt32 = 0
    for index in position..<position + 4 {
      guard let digit = ASCII.hexValue(input[index]) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }
}
