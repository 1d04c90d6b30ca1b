import NewsToolbox

/// Repairs text and references.
extension XMLRepairer {
  /// Repairs the text up to the next `<`.
  mutating func repairText() {
    let end = nextTag(from: position)
    guard end > position else { return }
    guard !open.isEmpty, !isRootClosed else {
      if input[position..<end].contains(where: { $0 > UInt8(ascii: " ") }) {
        note(position, hasRoot ? "text follows the root element" : "text precedes the root element")
      }
      position = end
      return
    }
    repair(position..<end, inAttribute: false)
    position = end
  }

  /// Returns the index of the next `<`. Releases the pages of a long text during the search.
  private func nextTag(from start: Int) -> Int {
    var index = start
    while index < input.count {
      let end = min(index + LongText.size, input.count)
      let piece = UnsafeBufferPointer(rebasing: input[index..<end])
      if let found = ByteText.firstIndex(of: UInt8(ascii: "<"), in: piece, from: 0) { return index + found }
      if end < input.count { parser.releaseDocument() }
      index = end
    }
    return input.count
  }

  /// Writes text with its errors corrected.
  mutating func repair(_ range: Range<Int>, inAttribute: Bool) {
    let input = input
    var index = range.lowerBound
    var runStart = index
    while index < range.upperBound {
      let byte = input[index]
      switch byte {
      case UInt8(ascii: "&"):
        copy(runStart..<index, inAttribute)
        index = repairReference(at: index, limit: range.upperBound, inAttribute: inAttribute)
        runStart = index
      case UInt8(ascii: "<"):
        copy(runStart..<index, inAttribute)
        output.append("&lt;")
        note(index, "the value of an attribute contains an unescaped \"<\"")
        index += 1
        runStart = index
      case UInt8(ascii: "\"") where inAttribute:
        copy(runStart..<index, inAttribute)
        output.append("&quot;")
        index += 1
        runStart = index
      case UInt8(ascii: "]") where !inAttribute:
        if index + 2 < range.upperBound, input[index + 1] == UInt8(ascii: "]"),
          input[index + 2] == UInt8(ascii: ">")
        {
          copy(runStart..<index, inAttribute)
          output.append("]]&gt;")
          note(index, "the text contains an unescaped \"]]>\"")
          index += 3
          runStart = index
        } else {
          index += 1
        }
      case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: " ")...UInt8(ascii: "~"):
        index += 1
      case UInt8(ascii: "\r"):
        copy(runStart..<index, inAttribute)
        index += endLine(at: index)
        runStart = index
      case ..<UInt8(ascii: " "), 0x7F:
        if byte == 0x7F {
          index += 1
          break
        }
        copy(runStart..<index, inAttribute)
        note(index, "the text contains a control character")
        index += 1
        runStart = index
      default:
        let length = characterLength(at: index, limit: range.upperBound)
        if length > 0 {
          index += length
        } else {
          copy(runStart..<index, inAttribute)
          index += repairStray(at: index, limit: range.upperBound)
          runStart = index
        }
      }
    }
    copy(runStart..<range.upperBound, inAttribute)
  }

  /// Writes unchanged text. Large text goes to the parser at once, so that only one copy is in memory. Text of
  /// attributes is kept in the buffer, because the tag may still be dropped.
  private mutating func copy(_ range: Range<Int>, _ inAttribute: Bool = false) {
    let text = UnsafeBufferPointer(rebasing: input[range])
    guard !inAttribute, output.count + text.count >= XMLPushParser.chunkSize else {
      output.append(text)
      return
    }
    flush()
    if !isFinished, !parser.push(text) { isFinished = true }
  }

  /// Writes a line feed for the carriage return at `index` and an optional line feed after it (XML 1.0 section 2.11).
  /// Returns the number of bytes consumed.
  private mutating func endLine(at index: Int) -> Int {
    output.append(UInt8(ascii: "\n"))
    return index + 1 < input.count && input[index + 1] == UInt8(ascii: "\n") ? 2 : 1
  }

  /// Returns the length of the character at `index`; 0 for invalid UTF-8, U+FFFE and U+FFFF.
  private func characterLength(at index: Int, limit: Int) -> Int {
    guard let base = input.baseAddress else { return 0 }
    let length = UTF8Check.sequenceLength(base + index, limit - index)
    if length == 3, input[index] == 0xEF, input[index + 1] == 0xBF, input[index + 2] >= 0xBE { return 0 }
    return length
  }

  /// Replaces an invalid byte by U+FFFD and a surrogate pair by its character, or drops U+FFFE or U+FFFF.
  /// Returns the number of bytes consumed.
  private mutating func repairStray(at index: Int, limit: Int) -> Int {
    if input[index] == 0xEF, index + 2 < limit, input[index + 1] == 0xBF, input[index + 2] >= 0xBE,
      input[index + 2] <= 0xBF
    {
      note(index, "the text contains U+FFFE or U+FFFF, which XML does not allow")
      return 3
    }
    if let base = input.baseAddress, UTF8Check.isSurrogatePair(base + index, limit - index) {
      let high = UInt32(input[index + 1] & 0x0F) << 6 | UInt32(input[index + 2] & 0x3F)
      let low = UInt32(input[index + 4] & 0x0F) << 6 | UInt32(input[index + 5] & 0x3F)
      let (bytes, count) = HTMLEntities.utf8(0x10000 + high << 10 + low)
      output.append(HTMLEntities.Reference(length: 0, bytes: bytes, byteCount: count))
      note(index, "a character is written as two surrogates, which is not valid UTF-8")
      return 6
    }
    output.append("\u{FFFD}")
    note(index, "a byte belongs to no UTF-8 character")
    return 1
  }

  /// Writes the content of a CDATA section, which contains neither references nor markup.
  mutating func repairCDATA(_ range: Range<Int>) {
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
      }
      if byte >= UInt8(ascii: " "), byte < 0x80 {
        index += 1
        continue
      }
      if byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") {
        index += 1
        continue
      }
      if byte == UInt8(ascii: "\r") {
        copy(runStart..<index)
        index += endLine(at: index)
        runStart = index
        continue
      }
      let length = byte < UInt8(ascii: " ") ? 0 : characterLength(at: index, limit: range.upperBound)
      if length > 0 {
        index += length
        continue
      }
      copy(runStart..<index)
      if byte < UInt8(ascii: " ") {
        note(index, "the text contains a control character")
        index += 1
      } else {
        index += repairStray(at: index, limit: range.upperBound)
      }
      runStart = index
    }
    copy(runStart..<range.upperBound)
    output.append("]]>")
  }

  /// Maximum bytes of a written CDATA section, because libxml2 buffers a section until its end.
  private static let longestSection = 1 << 13

  // MARK: References

  /// Writes the reference or bare ampersand at `start` and returns its end.
  private mutating func repairReference(at start: Int, limit: Int, inAttribute: Bool) -> Int {
    if start + 1 < limit, input[start + 1] == UInt8(ascii: "#") {
      return repairNumeric(at: start, limit: limit)
    }
    var end = start + 1
    while end < limit, end - start <= 64, ByteText.isNameByte(input[end]) { end += 1 }
    guard end > start + 1, end < limit, input[end] == UInt8(ascii: ";") else {
      output.append("&amp;")
      note(start, "unescaped \"&\"; write `&amp;`")
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
      if value.contains(UInt8(ascii: "<")), acceptsFindings {
        note(
          start,
          "the entity \(String(streamSafe: name)) contains markup; it is read as text"
        )
      }
      emitText(value)
      if entities.isExhausted {
        if acceptsFindings {
          note(
            start,
            "the document's entities add more than \(limits.maximumEntityBytes) bytes; the rest was left out"
          )
        }
      }
      return end + 1
    }
    if let value = HTMLEntities.shared.characters(named: String(streamSafe: name)) {
      emitText(Array(value.utf8))
      if !entities.hasExternalSubset {
        if acceptsFindings {
          note(start, "the entity \(String(streamSafe: name)) is not declared")
        }
      }
      return end + 1
    }
    output.append("&amp;")
    if acceptsFindings { note(start, "the entity \(String(streamSafe: name)) is not known") }
    return start + 1
  }

  private mutating func repairNumeric(at start: Int, limit: Int) -> Int {
    var index = start + 2
    let isHexadecimal = index < limit && input[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal {
      if input[index] == UInt8(ascii: "X") {
        note(start, "a hexadecimal reference begins with &#X; write &#x")
      }
      index += 1
    }
    let digits = index
    var value: UInt32 = 0
    while index < limit {
      let digit: UInt32
      if isHexadecimal, let hex = ASCII.hexValue(input[index]) {
        digit = UInt32(hex)
      } else if !isHexadecimal, ASCII.isDigit(input[index]) {
        digit = UInt32(input[index] - UInt8(ascii: "0"))
      } else {
        break
      }
      if value <= 0x10FFFF { value = value * (isHexadecimal ? 16 : 10) + digit }
      index += 1
    }
    guard index > digits else {
      output.append("&amp;")
      note(start, "unescaped \"&\"; write `&amp;`")
      return start + 1
    }
    if index < limit, input[index] == UInt8(ascii: ";") {
      index += 1
    } else {
      note(start, "a character reference has no semicolon")
    }
    if (0xD800...0xDBFF).contains(value), let (low, end) = lowSurrogate(at: index, limit: limit) {
      let (bytes, count) = HTMLEntities.utf8(0x10000 + (value & 0x3FF) << 10 + low)
      output.append(HTMLEntities.Reference(length: 0, bytes: bytes, byteCount: count))
      note(start, "a character is written as two surrogates")
      return end
    }
    guard XMLReference.isAllowed(value) else {
      note(start, "a reference names a character that XML does not allow")
      return index
    }
    var number = value
    var reversed: [UInt8] = []
    while number > 0 {
      reversed.append(UInt8(ascii: "0") + UInt8(number % 10))
      number /= 10
    }
    output.append("&#")
    for digit in reversed.reversed() { output.append(digit) }
    output.append(UInt8(ascii: ";"))
    return index
  }

  /// Reads the reference to a low surrogate at `start`. Returns its lower ten bits and the end of the reference.
  private func lowSurrogate(at start: Int, limit: Int) -> (UInt32, Int)? {
    guard let base = input.baseAddress, start + 2 < limit, input[start] == UInt8(ascii: "&"),
      input[start + 1] == UInt8(ascii: "#")
    else {
      return nil
    }
    let isHexadecimal = input[start + 2] | 0x20 == UInt8(ascii: "x")
    let digits = start + (isHexadecimal ? 3 : 2)
    guard let semicolon = ByteScan.find(UInt8(ascii: ";"), base + digits, base + min(limit, digits + 8))
    else {
      return nil
    }
    let text = UnsafeBufferPointer(start: base + digits, count: semicolon - base - digits)
    let value = UInt32(String(streamSafe: text), radix: isHexadecimal ? 16 : 10)
    guard let value, (0xDC00...0xDFFF).contains(value) else { return nil }
    return (value & 0x3FF, semicolon - base + 1)
  }

  /// Writes text with all markup escaped.
  private mutating func emitText(_ text: [UInt8]) {
    text.withUnsafeBufferPointer { bytes in
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "&"): output.append("&amp;")
        case UInt8(ascii: "<"): output.append("&lt;")
        case UInt8(ascii: ">"): output.append("&gt;")
        case UInt8(ascii: "\""): output.append("&quot;")
        default: output.append(byte)
        }
      }
    }
  }
}
