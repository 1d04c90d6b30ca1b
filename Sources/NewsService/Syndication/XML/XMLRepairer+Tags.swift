import NewsToolbox

/// Repairs start and end tags.
extension XMLRepairer {
  // MARK: End tags

  mutating func repairEndTag(_ start: Int) {
    var end = start + 2
    while end < input.count, ByteText.isNameByte(input[end]) { end += 1 }
    let name = UnsafeBufferPointer(rebasing: input[(start + 2)..<end])
    var close = end
    while close < input.count, input[close] <= UInt8(ascii: " ") { close += 1 }
    if close < input.count, input[close] == UInt8(ascii: ">") {
      position = close + 1
    } else {
      note(start, "an end tag is not closed by >")
      // Skip to the next bracket of either kind.
      while close < input.count, input[close] != UInt8(ascii: ">"), input[close] != UInt8(ascii: "<") {
        close += 1
      }
      position = close < input.count && input[close] == UInt8(ascii: ">") ? close + 1 : close
    }
    guard !name.isEmpty else {
      note(start, "an end tag has no name")
      return
    }
    guard let index = openIndex(of: name) else {
      if acceptsFindings {
        note(start, "the end tag </\(String(streamSafe: name))> matches no open element")
      }
      return
    }
    if index < open.count - 1 {
      if acceptsFindings {
        note(
          start,
          "\(self.name(open[open.count - 1])) is not closed before </\(String(streamSafe: name))>"
        )
      }
    }
    closeElements(downTo: index)
  }

  /// Ends the element at `index` and all elements inside it. The root's end tag is written at the end of the
  /// document.
  private mutating func closeElements(downTo index: Int) {
    closeLast(open.count - max(index, 1))
    if index == 0 { isRootClosed = true }
  }

  // MARK: Start tags

  mutating func repairStartTag(_ start: Int) {
    var end = start + 1
    while end < input.count, ByteText.isNameByte(input[end]), isPartOfName(end) { end += 1 }
    var element = OpenElement(start: start + 1, length: end - start - 1)
    guard element.length > 0 else { return literal(start) }
    element.hash = Self.hash(bytes(element))
    if element.length > Self.longestName {
      // Only newsd refuses such names; libxml2 accepts up to 50,000 bytes.
      element.isRenamed = true
      note(start, "a name is longer than \(Self.longestName) bytes")
    } else if !names.admit(bytes(element), limits), !RepairedElements.isKnown(bytes(element)) {
      element.isRenamed = true
      noteNames(start)
    }
    beginElement(element, at: start)
    let outputStart = output.count
    let findingCount = findings.count
    output.append(UInt8(ascii: "<"))
    emitName(element)
    guard let isEmpty = repairAttributes(from: end, of: start) else {
      // Another tag or the end of the document comes first, so this is not a tag.
      output.truncate(to: outputStart)
      truncateFindings(to: findingCount)
      return literal(start)
    }
    guard open.count < limits.maximumDepth else {
      output.truncate(to: outputStart)
      if acceptsFindings {
        note(
          start,
          "elements are nested deeper than \(limits.maximumDepth); the document was read up to there"
        )
      }
      position = input.count
      isRootClosed = true
      return
    }
    if !hasRoot { setRootPrefix(element) }
    hasRoot = true
    if isEmpty, !open.isEmpty {
      output.append("/>")
      parser.expect(.emptyTag, at: start)
    } else {
      output.append(UInt8(ascii: ">"))
      parser.expect(.startTag, at: start)
      push(element)
      if isEmpty { isRootClosed = true }
    }
  }

  /// Maximum length of a name or namespace in bytes.
  private static let longestName = 4096

  /// True if the byte at the index is part of a name: ASCII or valid UTF-8.
  private func isPartOfName(_ index: Int) -> Bool {
    guard input[index] >= 0x80, let base = input.baseAddress else { return true }
    if input[index] & 0xC0 == 0x80 { return true }
    return UTF8Check.sequenceLength(base + index, input.count - index) > 0
  }

  /// Closes elements that must have ended before the new one: an item before an item, a field before a field.
  private mutating func beginElement(_ element: OpenElement, at start: Int) {
    if isRootClosed, !open.isEmpty {
      note(start, "a second root element follows the first")
      isRootClosed = false
    }
    let name = fieldName(bytes(element))
    if ByteText.equals(name, "item") || ByteText.equals(name, "entry") {
      if let index = openIndex(of: bytes(element)), index > 0 {
        if acceptsFindings { note(start, "\(self.name(open[index])) is not closed before the next one") }
        closeElements(downTo: index)
      } else if let index = open.indices.dropFirst().first(where: {
        RepairedElements.endsBeforeItems(fieldName(bytes(open[$0])))
      }) {
        // Close the fields of the feed before its first item.
        if acceptsFindings { note(start, "\(self.name(open[index])) is not closed before an item") }
        closeElements(downTo: index)
      }
      return
    }
    guard open.count > 2, let last = open.last, RepairedElements.ends(fieldName(bytes(last)), before: name)
    else {
      return
    }
    if acceptsFindings { note(start, "\(self.name(last)) is not closed before \(self.name(element))") }
    closeElements(downTo: open.count - 1)
  }

  /// Writes the attributes and advances past the tag. Returns true for an empty-element tag, and nil if the tag has
  /// no end.
  private mutating func repairAttributes(from start: Int, of tag: Int) -> Bool? {
    attributeNames.removeAll(keepingCapacity: true)
    let limit = min(input.count, tag + limits.maximumTagBytes)
    var index = start
    while index < limit {
      let byte = input[index]
      switch byte {
      case UInt8(ascii: ">"):
        position = index + 1
        return false
      case UInt8(ascii: "/"):
        if index + 1 < input.count, input[index + 1] == UInt8(ascii: ">") {
          position = index + 2
          return true
        }
        index += 1
      case ...UInt8(ascii: " "):
        if byte < UInt8(ascii: " "), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\t"),
          byte != UInt8(ascii: "\r")
        {
          note(index, "a tag contains a control character")
        }
        index += 1
      case UInt8(ascii: "<"):
        guard endsInValue(from: start, to: index) else { return nil }
        note(tag, "a start tag is not closed by >")
        position = index
        return false
      case let byte where Self.isNameStart(byte):
        if index > start, input[index - 1] == UInt8(ascii: "\"") || input[index - 1] == UInt8(ascii: "'") {
          note(index, "a space is missing before an attribute")
        }
        guard let end = repairAttribute(at: index, of: tag, limit: limit) else { return nil }
        index = end
      default:
        note(index, "a tag contains text that is not an attribute")
        index += 1
      }
    }
    guard limit < input.count else { return nil }
    if acceptsFindings {
      note(tag, "a start tag is longer than \(limits.maximumTagBytes) bytes; its end was left out")
    }
    position = (ByteText.firstIndex(of: UInt8(ascii: ">"), in: input, from: limit) ?? input.count - 1) + 1
    return false
  }

  /// True if a quoted value directly precedes the next tag, so that only `>` is missing.
  private func endsInValue(from start: Int, to end: Int) -> Bool {
    var index = end
    while index > start, input[index - 1] <= UInt8(ascii: " ") || input[index - 1] == UInt8(ascii: "/") {
      index -= 1
    }
    return index > start + 1
      && (input[index - 1] == UInt8(ascii: "\"") || input[index - 1] == UInt8(ascii: "'"))
  }

  private mutating func repairAttribute(at start: Int, of tag: Int, limit: Int) -> Int? {
    var end = start
    while end < limit, ByteText.isNameByte(input[end]), isPartOfName(end) { end += 1 }
    guard end > start else { return start + 1 }
    let name = OpenElement(start: start, length: end - start)
    var index = end
    while index < limit, input[index] <= UInt8(ascii: " ") { index += 1 }
    var value = end..<end
    if index < limit, input[index] == UInt8(ascii: "=") {
      index += 1
      while index < limit, input[index] <= UInt8(ascii: " ") { index += 1 }
      guard index < limit else { return nil }
      let quote = input[index]
      if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        guard let close = closingQuote(quote, from: index + 1, limit: limit) else {
          if input.count <= limit { return nil }
          return limit
        }
        value = (index + 1)..<close.end
        if !close.isQuote { note(index, "the value of an attribute has no closing quote") }
        index = close.isQuote ? close.end + 1 : close.end
      } else {
        let valueStart = index
        while index < limit, input[index] > UInt8(ascii: " "), input[index] != UInt8(ascii: ">"),
          input[index] != UInt8(ascii: "<")
        { index += 1 }
        if index < limit, input[index] == UInt8(ascii: ">"), index > valueStart,
          input[index - 1] == UInt8(ascii: "/"), !isLink(tag)
        {
          index -= 1
        }
        value = valueStart..<index
        note(valueStart, "the value of an attribute has no quotes")
      }
    } else {
      index = end
      note(start, "an attribute has no value")
    }
    guard attributeNames.count < limits.maximumAttributes else {
      if attributeNames.count == limits.maximumAttributes {
        if acceptsFindings {
          note(
            start,
            "a start tag has more than \(limits.maximumAttributes) attributes; the rest was left out"
          )
        }
        attributeNames.append(name)
      }
      return index
    }
    let nameBytes = bytes(name)
    if nameBytes.count > Self.longestName
      || ByteText.hasPrefix(nameBytes, "xmlns") && value.count > Self.longestName
    {
      note(start, "a name is longer than \(Self.longestName) bytes")
      return index
    }
    if attributeNames.contains(where: { bytes($0).elementsEqual(nameBytes) }) {
      if acceptsFindings {
        note(start, "the attribute \(String(streamSafe: nameBytes)) is repeated")
      }
      return index
    }
    attributeNames.append(name)
    // Namespaces count towards the limit on names.
    let isNamespace = ByteText.hasPrefix(nameBytes, "xmlns")
    guard names.admit(nameBytes, limits) || RepairedElements.isKnownAttribute(nameBytes),
      !isNamespace || names.admit(UnsafeBufferPointer(rebasing: input[value]), limits)
    else {
      noteNames(start)
      return index
    }
    output.append(UInt8(ascii: " "))
    output.append(nameBytes)
    output.append("=\"")
    repair(value, inAttribute: true)
    output.append(UInt8(ascii: "\""))
    return index
  }

  /// True for HTML's `a`, which is never empty: a slash at the end of its unquoted value is part of the value (HTML
  /// standard, section 13.1.2.3).
  private func isLink(_ tag: Int) -> Bool {
    tag + 2 < input.count && input[tag + 1] | 0x20 == UInt8(ascii: "a") && input[tag + 2] <= UInt8(ascii: " ")
  }

  private mutating func noteNames(_ offset: Int) {
    guard !hasNotedNames else { return }
    hasNotedNames = true
    note(
      offset,
      "there are more than \(limits.maximumNames) different names, or more than \(limits.maximumNameBytes) bytes of "
        + "them; the rest is ignored"
    )
  }

  /// Returns the end of an attribute value: its closing quote, or the `>` before the next tag.
  private func closingQuote(_ quote: UInt8, from start: Int, limit: Int) -> (end: Int, isQuote: Bool)? {
    var index = start
    var bracket: Int?
    while index < limit {
      let byte = input[index]
      if byte == quote { return (index, true) }
      if byte == UInt8(ascii: ">"), bracket == nil { bracket = index }
      if byte == UInt8(ascii: "<"), let bracket { return (bracket, false) }
      index += 1
    }
    return bracket.map { ($0, false) }
  }
}
