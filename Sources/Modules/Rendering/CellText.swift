import NewsService

extension ByteBuffer {
  /// A cell of a TSV line: tab, line feed, carriage return and backslash as `\t`, `\n`, `\r`, `\\`; other control
  /// characters are dropped.
  mutating func append(tsv value: FieldValue) {
    switch value {
    case .none: break
    case .number(let number): append(decimal: number)
    case .time(let time): append(time)
    case .text(let text): append(tsv: text)
    case .flag, .words, .authors, .enclosures: append(tsv: value.flat)
    }
  }

  mutating func append(tsv text: String) {
    text.withBytes { bytes in
      appendReplacing(bytes) { byte in
        switch byte {
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x5C: "\\\\"
        case 0x00...0x1F, 0x7F: ""
        default: nil
        }
      }
    }
  }

  /// A field of a CSV record (RFC 4180 section 2): quoted where it holds a comma, a quote or a line break.
  mutating func append(csv value: FieldValue) {
    switch value {
    case .none: break
    case .number(let number): append(decimal: number)
    case .time(let time): append(time)
    case .text(let text): append(csv: text)
    case .flag, .words, .authors, .enclosures: append(csv: value.flat)
    }
  }

  mutating func append(csv text: String) {
    text.withBytes { bytes in
      let needsQuotes = bytes.contains { byte in
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
      }
      let isPadded = bytes.first == 0x20 || bytes.last == 0x20
      if needsQuotes || isPadded { append(UInt8(ascii: "\"")) }
      appendReplacing(bytes) { byte in
        switch byte {
        case UInt8(ascii: "\""): "\"\""
        case 0x09, 0x0A, 0x0D: nil
        case 0x00...0x1F, 0x7F: ""
        default: nil
        }
      }
      if needsQuotes || isPadded { append(UInt8(ascii: "\"")) }
    }
  }

  /// Copies runs of bytes, with those replaced that `replacement` has something for. C1 controls, which take two bytes in
  /// UTF-8, are dropped: as bytes they are harmless to files, on a terminal they are not.
  mutating func appendReplacing(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ replacement: (UInt8) -> StaticString?
  ) {
    guard let base = bytes.baseAddress else { return }
    var start = 0
    var index = 0
    while index < bytes.count {
      let byte = base[index]
      let isC1 = byte == 0xC2 && index + 1 < bytes.count && base[index + 1] < 0xA0
      guard let text = isC1 ? "" : replacement(byte) else {
        index += 1
        continue
      }
      append(UnsafeBufferPointer(start: base + start, count: index - start))
      append(literal: text)
      index += isC1 ? 2 : 1
      start = index
    }
    append(UnsafeBufferPointer(start: base + start, count: bytes.count - start))
  }
}
