/// Writes JSON (RFC 8259) into a byte buffer, without a tree or intermediate strings. Inserts commas itself.
///
/// The caller must nest values correctly and call `key` before every value of an object. Output is UTF-8 without
/// insignificant white space. `JSONEscaping` lists the escapes.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  /// True if the next key or array element needs a comma before it.
  private var needsComma = false
  // Safe: set only while `passing` runs, by the one task that may change the writer.
  private nonisolated(unsafe) var output: (([UInt8]) -> Void)?

  public init(reservingCapacity capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the bytes written so far and empties the buffer, to write long output in pieces.
  public mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes.removeAll(keepingCapacity: false)
    return taken
  }

  /// Runs `body`, which writes long output, and passes the bytes to `output` in pieces of some 64 KiB, also within a text.
  /// The bytes of the last piece stay in the writer.
  public mutating func passing(to output: ([UInt8]) -> Void, _ body: (inout JSONWriter) -> Void) {
    withoutActuallyEscaping(output) { output in
      self.output = output
      body(&self)
      self.output = nil
    }
  }

  public mutating func beginObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  public mutating func endObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
    passOn()
  }

  public mutating func beginArray() {
    separate()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  public mutating func endArray() {
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key that is not known at compile time; escapes it.
  public mutating func key(dynamic name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func value(_ text: String) {
    separate()
    quote(text)
    needsComma = true
    passOn()
  }

  public mutating func value(_ number: Int64) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
    needsComma = true
  }

  public mutating func value(_ number: Int) {
    value(Int64(number))
  }

  /// Writes null for infinities and NaN, which JSON cannot represent.
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
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    needsComma = true
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let flag): self.value(flag)
    case .string(let text): self.value(text)
    case .number(let text):
      separate()
      bytes.append(contentsOf: text.utf8)
      needsComma = true
    case .array(let values):
      beginArray()
      for value in values { self.value(value) }
      endArray()
    case .object(let members, _):
      beginObject()
      for member in members {
        key(dynamic: member.name)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Appends a line feed between values, for JSON Lines.
  public mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  // Writes a key and its value; writes neither if the value is nil.

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

  /// Writes an object; `body` writes its members.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes a key and an object; `body` writes its members.
  public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// Writes a key and an array; `body` writes a value for each element.
  @inlinable
  public mutating func array<Element>(
    _ name: StaticString,
    _ elements: [Element],
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }

  /// Writes a key and an array with an object for each element, whose members `body` writes. If there are no elements, only
  /// writes something with `writesEmpty`.
  @inlinable
  public mutating func objects<Element>(
    _ name: StaticString,
    _ elements: [Element],
    writesEmpty: Bool = false,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    guard writesEmpty || !elements.isEmpty else { return }
    array(name, elements) { json, element in
      json.beginObject()
      body(&json, element)
      json.endObject()
    }
  }

  /// Writes a key and an array of texts. Writes neither if there are none.
  public mutating func texts(_ name: StaticString, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(name)
    beginArray()
    for text in texts { value(text) }
    endArray()
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    text.withBytes { text in
      guard text.count > Self.pieceSize else { return JSONEscaping.write(text, to: &bytes) }
      var start = 0
      while start < text.count {
        var end = min(start + Self.pieceSize, text.count)
        while end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
        JSONEscaping.write(UnsafeBufferPointer(rebasing: text[start..<end]), to: &bytes)
        passOn()
        start = end
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let pieceSize = 1 << 16

  private mutating func passOn() {
    guard bytes.count > Self.pieceSize, let output else { return }
    output(takeBytes())
  }
}
