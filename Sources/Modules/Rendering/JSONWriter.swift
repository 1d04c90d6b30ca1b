/// Writes JSON (RFC 8259) into a byte buffer: no tree, no intermediate strings, commas placed by itself.
///
/// The caller keeps the nesting right; `key` comes before every value of an object. Output is UTF-8 without
/// insignificant white space. Control characters, U+2028 and U+2029 are escaped, so that one value is one line for
/// every reader.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  /// True when the next key or array element needs a comma before it.
  private var needsComma = false

  public init(reservingCapacity capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Hands over what has been written so far and goes on with an empty buffer; for writing long output in pieces.
  public mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes.removeAll(keepingCapacity: false)
    return taken
  }

  public mutating func beginObject() {
    separate()
    bytes.append(0x7B)
    needsComma = false
  }

  public mutating func endObject() {
    bytes.append(0x7D)
    needsComma = true
  }

  public mutating func beginArray() {
    separate()
    bytes.append(0x5B)
    needsComma = false
  }

  public mutating func endArray() {
    bytes.append(0x5D)
    needsComma = true
  }

  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(0x22)
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(0x22)
    bytes.append(0x3A)
    needsComma = false
  }

  /// A key that is not known at compile time; escaped as needed.
  public mutating func key(dynamic name: String) {
    separate()
    quote(name)
    bytes.append(0x3A)
    needsComma = false
  }

  public mutating func value(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  public mutating func value(_ number: Int64) {
    separate()
    var magnitude = number.magnitude
    if number < 0 { bytes.append(0x2D) }
    if magnitude == 0 {
      bytes.append(0x30)
    } else {
      let start = bytes.count
      while magnitude > 0 {
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + magnitude % 10))
        magnitude /= 10
      }
      bytes[start...].reverse()
    }
    needsComma = true
  }

  public mutating func value(_ number: Int) {
    value(Int64(number))
  }

  /// Infinities and NaN, which JSON cannot say, become null.
  public mutating func value(_ number: Double) {
    guard number.isFinite else {
      null()
      return
    }
    separate()
    bytes.append(contentsOf: number.description.utf8)
    needsComma = true
  }

  public mutating func value(_ flag: Bool) {
    separate()
    let word: StaticString = flag ? "true" : "false"
    word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])
    needsComma = true
  }

  /// A line feed between values: one value a line.
  public mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  // Key and value together; nothing at all for nil.

  public mutating func field(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  public mutating func field(_ name: StaticString, _ number: Int64?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  public mutating func field(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  public mutating func field(_ name: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    key(name)
    value(flag)
  }

  private mutating func separate() {
    if needsComma { bytes.append(0x2C) }
  }

  private mutating func quote(_ text: String) {
    bytes.append(0x22)
    var text = text
    text.withUTF8 { escape($0) }
    bytes.append(0x22)
  }

  /// Copies runs that need no escape in one piece.
  private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
    var runStart = 0
    var index = 0
    let count = utf8.count
    while index < count {
      let byte = utf8[index]
      if byte >= 0x20, byte != 0x22, byte != 0x5C, byte != 0x7F, byte != 0xE2 {
        index += 1
        continue
      }
      var width = 1
      if byte == 0xE2 {
        // U+2028 and U+2029 end a line in JavaScript and in some line readers.
        guard index + 2 < count, utf8[index + 1] == 0x80, utf8[index + 2] & 0xFE == 0xA8 else {
          index += 1
          continue
        }
        width = 3
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart..<index]))
      switch byte {
      case 0x22: appendEscape(0x22)
      case 0x5C: appendEscape(0x5C)
      case 0x0A: appendEscape(0x6E)
      case 0x0D: appendEscape(0x72)
      case 0x09: appendEscape(0x74)
      case 0x08: appendEscape(0x62)
      case 0x0C: appendEscape(0x66)
      case 0xE2: appendUnicode(0x2000 | UInt16(utf8[index + 2] & 0x3F))
      default: appendUnicode(UInt16(byte))
      }
      index += width
      runStart = index
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart..<count]))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(0x5C)
    bytes.append(byte)
  }

  private mutating func appendUnicode(_ unit: UInt16) {
    bytes.append(0x5C)
    bytes.append(0x75)
    var shift: UInt16 = 12
    while true {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      if shift == 0 { break }
      shift -= 4
    }
  }
}
