import NewsService

extension ByteBuffer {
  /// A JSON string (RFC 8259 section 7), quotes and all.
  ///
  /// Beyond what JSON asks for, DEL, the C1 controls and the bidirectional controls are escaped too: output is looked at on
  /// terminals, and U+009B begins an escape sequence there.
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    text.withBytes { appendEscaped($0) }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    let count = bytes.count
    var start = 0
    var index = 0
    while true {
      index = Self.nextSpecial(base, index, count)
      guard index < count else { break }
      let byte = base[index]
      if byte >= 0x80 {
        guard let (scalar, length) = Self.control(base + index, count - index) else {
          index += 1
          continue
        }
        append(UnsafeBufferPointer(start: base + start, count: index - start))
        appendUnicodeEscape(scalar)
        index += length
      } else {
        append(UnsafeBufferPointer(start: base + start, count: index - start))
        appendEscape(byte)
        index += 1
      }
      start = index
    }
    append(UnsafeBufferPointer(start: base + start, count: count - start))
  }

  /// The first index from `index` on whose byte may need an escape, else `count`. Eight bytes at a time while they are
  /// plain ASCII.
  private static func nextSpecial(_ base: UnsafePointer<UInt8>, _ index: Int, _ count: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = index
    while index + 8 <= count {
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      // The high bit of a byte is set where it is non-ASCII, below 0x20, a quote, a backslash or DEL. A borrow between
      // bytes can set one too many, never one too few; the bytes are looked at one by one then.
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let delete = word ^ (ones &* 0x7F)
      let hits =
        word | (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | (delete &- ones)
      if hits & highs == 0 {
        index += 8
        continue
      }
      for offset in 0..<8 where isSpecial(base[index + offset]) { return index + offset }
      index += 8
    }
    while index < count, !isSpecial(base[index]) { index += 1 }
    return index
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xC2 || byte == 0xE2
  }

  /// The C1 or bidirectional control that begins here, and its length in bytes.
  private static func control(_ base: UnsafePointer<UInt8>, _ count: Int) -> (UInt16, Int)? {
    if base[0] == 0xC2, count > 1, base[1] < 0xA0 { return (UInt16(base[1]), 2) }
    guard base[0] == 0xE2, count > 2 else { return nil }
    let scalar = UInt16(base[1] & 0x3F) << 6 | UInt16(base[2] & 0x3F) | 0x2000
    switch scalar {
    case 0x2028...0x202E, 0x2066...0x2069: return (scalar, 3)
    default: return nil
    }
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case 0x22: append(literal: "\\\"")
    case 0x5C: append(literal: "\\\\")
    case 0x0A: append(literal: "\\n")
    case 0x0D: append(literal: "\\r")
    case 0x09: append(literal: "\\t")
    default: appendUnicodeEscape(UInt16(byte))
    }
  }

  private mutating func appendUnicodeEscape(_ unit: UInt16) {
    append(literal: "\\u")
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(unit >> shift & 0xF)
      append(digit < 10 ? 48 + digit : 87 + digit)
    }
  }

  mutating func append(json value: FieldValue) {
    switch value {
    case .none: append(literal: "null")
    case .text(let text): append(json: text)
    case .number(let number): append(decimal: number)
    case .flag(let flag): append(literal: flag ? "true" : "false")
    case .time(let time):
      append(UInt8(ascii: "\""))
      append(time)
      append(UInt8(ascii: "\""))
    case .words(let words): appendArray(words) { $0.append(json: $1) }
    case .authors(let authors):
      appendArray(authors) { buffer, author in
        buffer.appendObject([
          ("name", FieldValue(author.name)), ("url", FieldValue(author.url)),
          ("email", FieldValue(author.email)),
        ])
      }
    case .enclosures(let enclosures):
      appendArray(enclosures) { buffer, enclosure in
        buffer.appendObject([
          ("url", .text(enclosure.url)), ("mime_type", FieldValue(enclosure.mimeType)),
          ("title", FieldValue(enclosure.title)), ("size", FieldValue(enclosure.size)),
          ("duration", FieldValue(enclosure.duration)),
        ])
      }
    }
  }

  private mutating func appendArray<Element>(
    _ elements: [Element],
    _ each: (inout ByteBuffer, Element) -> Void
  ) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      each(&self, element)
    }
    append(UInt8(ascii: "]"))
  }

  /// Members without a value are left out.
  mutating func appendObject(_ members: [(StaticString, FieldValue)]) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in members where value != .none {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      append(UInt8(ascii: "\""))
      append(literal: name)
      append(literal: "\":")
      append(json: value)
    }
    append(UInt8(ascii: "}"))
  }
}
