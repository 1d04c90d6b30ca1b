import NewsText
import NewsToolbox

extension ByteBuffer {
  /// Appends a cell of a TSV line. Writes tab, line feed, carriage return and backslash as `\t`, `\n`, `\r`, `\\`;
  /// drops other control characters.
  mutating func append(tsv value: FieldValue) {
    switch value {
    case .none: break
    case .number(let number): append(decimal: number)
    case .time(let time): append(time)
    case .text(let text): append(tsv: text)
    case .flag, .words, .authors, .enclosures: append(tsv: value.text)
    }
  }

  mutating func append(tsv text: String) {
    text.withBytes { bytes in
      appendReplacing(bytes) { byte in
        switch byte {
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\\"): "\\\\"
        case 0x00...0x1F, 0x7F: ""
        default: nil
        }
      }
    }
  }

  /// Appends a field of a CSV record (RFC 4180 section 2), quoted if it has a comma, a quote, a line break, or a
  /// space at either end.
  ///
  /// With `escapesFormulas`, puts `'` before text that a spreadsheet would run as a formula.
  mutating func append(csv value: FieldValue, escapesFormulas: Bool = false) {
    switch value {
    case .none: break
    case .number(let number): append(decimal: number)
    case .time(let time): append(time)
    case .text(let text): append(csv: text, escapesFormulas: escapesFormulas)
    case .flag, .words, .authors, .enclosures: append(csv: value.text, escapesFormulas: escapesFormulas)
    }
  }

  mutating func append(csv text: String, escapesFormulas: Bool = false) {
    let isFormula = escapesFormulas && Self.beginsFormula(text)
    (isFormula ? "'" + text : text).withBytes { bytes in
      let needsQuotes = bytes.contains { byte in
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
          || byte == UInt8(ascii: "\r")
      }
      let isPadded = bytes.first == UInt8(ascii: " ") || bytes.last == UInt8(ascii: " ")
      if needsQuotes || isPadded { append(UInt8(ascii: "\"")) }
      appendReplacing(bytes) { byte in
        switch byte {
        case UInt8(ascii: "\""): "\"\""
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): nil
        case 0x00...0x1F, 0x7F: ""
        default: nil
        }
      }
      if needsQuotes || isPadded { append(UInt8(ascii: "\"")) }
    }
  }

  /// True if a spreadsheet may run this text as a formula. Some spreadsheets also run full-width signs, and some skip
  /// invisible characters. Control characters are skipped, because they are not written.
  private static func beginsFormula(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      if "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(scalar) { return true }
      switch scalar.properties.generalCategory {
      case .control, .format: continue
      default: return false
      }
    }
    return false
  }

  /// Appends bytes, substituting each byte for which `replacement` returns text.
  ///
  /// Also substitutes multi-byte controls. Drops C1 and bidirectional controls, because output is read on
  /// terminals. Writes U+0085, U+2028 and U+2029, which many readers take for line ends, as spaces.
  mutating func appendReplacing(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ replacement: (UInt8) -> StaticString?
  ) {
    guard let base = bytes.baseAddress else { return }
    var start = 0
    var index = 0
    while index < bytes.count {
      let text: StaticString
      var length = 1
      if let one = replacement(base[index]) {
        text = one
      } else if base[index] >= 0xC2, let more = Self.control(base + index, bytes.count - index) {
        (text, length) = more
      } else {
        index += 1
        continue
      }
      append(UnsafeBufferPointer(start: base + start, count: index - start))
      append(literal: text)
      index += length
      start = index
    }
    append(UnsafeBufferPointer(start: base + start, count: bytes.count - start))
  }

  /// The replacement for the multi-byte control at `base`, and the length of the control; nil if there is none.
  private static func control(_ base: UnsafePointer<UInt8>, _ count: Int) -> (StaticString, Int)? {
    if base[0] == 0xC2, count > 1, base[1] < 0xA0 { return (base[1] == 0x85 ? " " : "", 2) }
    // Drop U+FFFE and U+FFFF, which XML forbids: much of the output is converted to XML later.
    if base[0] == 0xEF, count > 2, base[1] == 0xBF, base[2] >= 0xBE { return ("", 3) }
    guard base[0] == 0xE2, count > 2 else { return nil }
    switch (base[1], base[2]) {
    case (0x80, 0xA8), (0x80, 0xA9): return (" ", 3)
    case (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return ("", 3)
    default: return nil
    }
  }
}
