/// Text and references.
extension XMLMender {
  /// Everything up to the next `<`.
  mutating func mendText() {
    let end = nextTag(from: position)
    guard end > position else { return }
    guard !open.isEmpty, !isRootClosed else {
      if input[position..<end].contains(where: { $0 > 0x20 }) {
        note(position, hasRoot ? "Text follows the root element." : "Text stands before the root element.")
      }
      position = end
      return
    }
    while position < end, !isFinished {
      let pieceEnd = endOfPiece(from: position, to: end)
      mend(position..<pieceEnd, inAttribute: false)
      position = pieceEnd
      if pieceEnd < end, isFieldFull() { position = end }
    }
    position = end
  }

  /// Where a `<` stands; looking for it does not bring all of a long document into memory.
  private func nextTag(from start: Int) -> Int {
    var index = start
    while index < input.count {
      let end = min(index + LongText.size, input.count)
      let piece = UnsafeBufferPointer(rebasing: input[index..<end])
      if let found = ByteText.firstIndex(of: 0x3C, in: piece, from: 0) { return index + found }
      if end < input.count { parser.giveBackDocument() }
      index = end
    }
    return input.count
  }

  /// A long text is mended in pieces that end between words.
  private func endOfPiece(from start: Int, to end: Int) -> Int {
    guard end - start > LongText.size else { return end }
    let rest = UnsafeBufferPointer(rebasing: input[(start + LongText.pieceSize)..<end])
    return rest.firstIndex { $0 == 0x20 || $0 == 0x3E }.map { start + LongText.pieceSize + $0 + 1 } ?? end
  }

  private mutating func isFieldFull() -> Bool {
    flush()
    return parser.isFieldFull
  }

  /// Copies text with its mistakes put right.
  mutating func mend(_ range: Range<Int>, inAttribute: Bool) {
    let input = input
    var index = range.lowerBound
    var runStart = index
    while index < range.upperBound {
      let byte = input[index]
      switch byte {
      case 0x26:
        copy(runStart..<index, inAttribute)
        index = mendReference(at: index, limit: range.upperBound, inAttribute: inAttribute)
        runStart = index
      case 0x3C:
        copy(runStart..<index, inAttribute)
        output.append("&lt;")
        note(index, "A < stands in an attribute's value.")
        index += 1
        runStart = index
      case 0x22 where inAttribute:
        copy(runStart..<index, inAttribute)
        output.append("&quot;")
        index += 1
        runStart = index
      case 0x5D where !inAttribute:
        if index + 2 < range.upperBound, input[index + 1] == 0x5D, input[index + 2] == 0x3E {
          copy(runStart..<index, inAttribute)
          output.append("]]&gt;")
          note(index, "]]> stands in text.")
          index += 3
          runStart = index
        } else {
          index += 1
        }
      case 0x09, 0x0A, 0x20...0x7E:
        index += 1
      case 0x0D:
        copy(runStart..<index, inAttribute)
        index += endLine(at: index)
        runStart = index
      case ..<0x20, 0x7F:
        if byte == 0x7F {
          index += 1
          break
        }
        copy(runStart..<index, inAttribute)
        note(index, "A control character stands in text.")
        index += 1
        runStart = index
      default:
        let length = characterLength(at: index, limit: range.upperBound)
        if length > 0 {
          index += length
        } else {
          copy(runStart..<index, inAttribute)
          index += mendStray(at: index, limit: range.upperBound)
          runStart = index
        }
      }
    }
    copy(runStart..<range.upperBound, inAttribute)
  }

  /// Text as it stands. What is finished goes on to the parser, so that a long text is not in memory twice; an
  /// attribute may yet be taken back.
  private mutating func copy(_ range: Range<Int>, _ inAttribute: Bool = false) {
    let text = UnsafeBufferPointer(rebasing: input[range])
    guard !inAttribute, output.count + text.count >= XMLPushParser.chunkSize else {
      output.append(text)
      return
    }
    flush()
    if !isFinished, !parser.push(text) { isFinished = true }
  }

  /// The carriage return at `index` becomes a line feed, with one behind it (XML 1.0 section 2.11); how many bytes that
  /// were.
  private mutating func endLine(at index: Int) -> Int {
    output.append(0x0A)
    return index + 1 < input.count && input[index + 1] == 0x0A ? 2 : 1
  }

  /// Bytes of the character at `index`; 0 for bytes that are none, and for U+FFFE and U+FFFF, which XML forbids.
  private func characterLength(at index: Int, limit: Int) -> Int {
    guard let base = input.baseAddress else { return 0 }
    let length = UTF8Check.sequenceLength(base + index, limit - index)
    if length == 3, input[index] == 0xEF, input[index + 1] == 0xBF, input[index + 2] >= 0xBE { return 0 }
    return length
  }

  /// Replaces what is no character; returns how many bytes that were.
  private mutating func mendStray(at index: Int, limit: Int) -> Int {
    if input[index] == 0xEF, index + 2 < limit, input[index + 1] == 0xBF, input[index + 2] >= 0xBE,
      input[index + 2] <= 0xBF
    {
      note(index, "U+FFFE or U+FFFF stands in text.")
      return 3
    }
    if let base = input.baseAddress, UTF8Check.isSurrogatePair(base + index, limit - index) {
      let high = UInt32(input[index + 1] & 0x0F) << 6 | UInt32(input[index + 2] & 0x3F)
      let low = UInt32(input[index + 4] & 0x0F) << 6 | UInt32(input[index + 5] & 0x3F)
      let (bytes, count) = HTMLEntities.utf8(0x10000 + high << 10 + low)
      output.append(HTMLEntities.Reference(length: 0, bytes: bytes, byteCount: count))
      note(index, "A character is written as two surrogates, which is no UTF-8.")
      return 6
    }
    output.append("\u{FFFD}")
    note(index, "A byte belongs to no UTF-8 character.")
    return 1
  }

  /// CDATA: no references, no markup.
  mutating func mendCDATA(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    output.append("<![CDATA[")
    var index = range.lowerBound
    var runStart = index
    var sectionStart = index
    while index < range.upperBound {
      let byte = input[index]
      if index - sectionStart >= Self.longestSection, byte & 0xC0 != 0x80 {
        copy(runStart..<index)
        output.append("]]><![CDATA[")
        runStart = index
        sectionStart = index
        if isFieldFull() {
          runStart = range.upperBound
          break
        }
      }
      if byte >= 0x20, byte < 0x80 {
        index += 1
        continue
      }
      if byte == 0x09 || byte == 0x0A {
        index += 1
        continue
      }
      if byte == 0x0D {
        copy(runStart..<index)
        index += endLine(at: index)
        runStart = index
        continue
      }
      let length = byte < 0x20 ? 0 : characterLength(at: index, limit: range.upperBound)
      if length > 0 {
        index += length
        continue
      }
      copy(runStart..<index)
      if byte < 0x20 {
        note(index, "A control character stands in text.")
        index += 1
      } else {
        index += mendStray(at: index, limit: range.upperBound)
      }
      runStart = index
    }
    copy(runStart..<range.upperBound)
    output.append("]]>")
  }

  /// libxml2 keeps what it was given of a section until it sees its end.
  private static let longestSection = 1 << 13

  // MARK: References

  /// The reference or bare ampersand at `start`; returns where it ends.
  private mutating func mendReference(at start: Int, limit: Int, inAttribute: Bool) -> Int {
    if start + 1 < limit, input[start + 1] == 0x23 { return mendNumeric(at: start, limit: limit) }
    var end = start + 1
    while end < limit, end - start <= 64, Self.isNameByte(input[end]) { end += 1 }
    guard end > start + 1, end < limit, input[end] == 0x3B else {
      output.append("&amp;")
      note(start, "An ampersand stands alone; write &amp;.")
      return start + 1
    }
    let name = UnsafeBufferPointer(rebasing: input[(start + 1)..<end])
    if ByteText.equalsExactly(name, "lt") || ByteText.equalsExactly(name, "gt")
      || ByteText.equalsExactly(name, "amp") || ByteText.equalsExactly(name, "quot")
      || ByteText.equalsExactly(name, "apos")
    {
      output.append(UnsafeBufferPointer(rebasing: input[start...end]))
      return end + 1
    }
    if let value = entities.value(of: name, limit: limits.maximumEntityBytes) {
      if value.contains(0x3C), acceptsFindings {
        note(
          start,
          "The entity \(String(decoding: name, as: UTF8.self)) stands for markup; it is read as text."
        )
      }
      emitText(value)
      if entities.isExhausted {
        if acceptsFindings {
          note(
            start,
            "The document's entities add more than \(limits.maximumEntityBytes) bytes; the rest was left out."
          )
        }
      }
      return end + 1
    }
    if let value = HTMLEntities.shared.characters(named: String(decoding: name, as: UTF8.self)) {
      emitText(Array(value.utf8))
      if !entities.hasExternalSubset {
        if acceptsFindings {
          note(start, "The entity \(String(decoding: name, as: UTF8.self)) is not declared.")
        }
      }
      return end + 1
    }
    output.append("&amp;")
    if acceptsFindings { note(start, "The entity \(String(decoding: name, as: UTF8.self)) is not known.") }
    return start + 1
  }

  private mutating func mendNumeric(at start: Int, limit: Int) -> Int {
    var index = start + 2
    let isHexadecimal = index < limit && input[index] | 0x20 == 0x78
    if isHexadecimal { index += 1 }
    let digits = index
    var value: UInt32 = 0
    while index < limit {
      let digit: UInt32
      if isHexadecimal, let hex = ASCII.hexValue(input[index]) {
        digit = hex
      } else if !isHexadecimal, ASCII.isDigit(input[index]) {
        digit = UInt32(input[index] - 0x30)
      } else {
        break
      }
      if value <= 0x10FFFF { value = value * (isHexadecimal ? 16 : 10) + digit }
      index += 1
    }
    guard index > digits else {
      output.append("&amp;")
      note(start, "An ampersand stands alone; write &amp;.")
      return start + 1
    }
    if index < limit, input[index] == 0x3B {
      index += 1
    } else {
      note(start, "A character reference has no semicolon.")
    }
    if (0xD800...0xDBFF).contains(value), let (low, end) = lowSurrogate(at: index, limit: limit) {
      let (bytes, count) = HTMLEntities.utf8(0x10000 + (value & 0x3FF) << 10 + low)
      output.append(HTMLEntities.Reference(length: 0, bytes: bytes, byteCount: count))
      note(start, "A character is written as two surrogates.")
      return end
    }
    let isCharacter =
      value == 9 || value == 10 || value == 13 || (0x20...0xD7FF).contains(value)
      || (0xE000...0xFFFD).contains(value) || (0x10000...0x10FFFF).contains(value)
    guard isCharacter else {
      note(start, "A reference stands for no character that XML allows.")
      return index
    }
    var number = value
    var reversed: [UInt8] = []
    while number > 0 {
      reversed.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
      number /= 10
    }
    output.append("&#")
    for digit in reversed.reversed() { output.append(digit) }
    output.append(0x3B)
    return index
  }

  /// The ten bits of a low surrogate that is referred to at `start`, and where the reference ends.
  private func lowSurrogate(at start: Int, limit: Int) -> (UInt32, Int)? {
    guard let base = input.baseAddress, start + 2 < limit, input[start] == 0x26, input[start + 1] == 0x23
    else {
      return nil
    }
    let isHexadecimal = input[start + 2] | 0x20 == 0x78
    let digits = start + (isHexadecimal ? 3 : 2)
    guard let semicolon = ByteScan.find(0x3B, base + digits, base + min(limit, digits + 8)) else {
      return nil
    }
    let text = UnsafeBufferPointer(start: base + digits, count: semicolon - base - digits)
    let value = UInt32(String(decoding: text, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    guard let value, (0xDC00...0xDFFF).contains(value) else { return nil }
    return (value & 0x3FF, semicolon - base + 1)
  }

  /// Text that is no markup, whatever stands in it.
  private mutating func emitText(_ text: [UInt8]) {
    text.withUnsafeBufferPointer { bytes in
      for byte in bytes {
        switch byte {
        case 0x26: output.append("&amp;")
        case 0x3C: output.append("&lt;")
        case 0x3E: output.append("&gt;")
        case 0x22: output.append("&quot;")
        default: output.append(byte)
        }
      }
    }
  }
}
