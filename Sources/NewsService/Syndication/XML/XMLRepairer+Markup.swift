import NewsToolbox

/// Repairs comments, CDATA sections, processing instructions and declarations.
extension XMLRepairer {
  /// Repairs the markup at `position`.
  mutating func repairMarkup() {
    let start = position
    markupStart = start
    guard start + 1 < input.count else {
      position = input.count
      note(start, "the document ends with a <")
      return
    }
    switch input[start + 1] {
    case UInt8(ascii: "!"): repairDeclaration(start)
    case UInt8(ascii: "?"): repairInstruction(start)
    case UInt8(ascii: "/"): repairEndTag(start)
    case let byte where Self.isNameStart(byte): repairStartTag(start)
    default: literal(start)
    }
  }

  /// Writes the `<` at `start` as text.
  mutating func literal(_ start: Int) {
    position = start + 1
    note(start, "unescaped \"<\"; write `&lt;`")
    if !open.isEmpty, !isRootClosed { output.append("&lt;") }
  }

  // MARK: Comments, sections, instructions

  private mutating func repairDeclaration(_ start: Int) {
    if starts(with: "<!--", at: start) {
      if let end = commentEnd(from: start + 4) {
        if let hyphens = doubleHyphen(from: start + 4, to: end) {
          note(hyphens, "a comment contains \"--\"")
        }
        position = end + 3
      } else {
        note(start, "a comment does not end")
        position = ByteText.firstIndex(of: UInt8(ascii: "<"), in: input, from: start + 4) ?? input.count
      }
    } else if starts(with: "<![cdata[", at: start) {
      noteSpelling("<![CDATA[", at: start)
      repairSection(start)
    } else if starts(with: "<!doctype", at: start) {
      noteSpelling("<!DOCTYPE", at: start)
      position = repairDoctype(start)
    } else {
      note(start, "a declaration is not allowed here")
      position = (ByteText.firstIndex(of: UInt8(ascii: ">"), in: input, from: start) ?? input.count - 1) + 1
    }
  }

  /// Returns the index of the comment's end. Returns nil if an item and then another comment begin before that end:
  /// comments do not nest, so the comment has no end of its own.
  private mutating func commentEnd(from start: Int) -> Int? {
    if commentsAhead.end < start {
      commentsAhead.end = find(UInt8(ascii: "-"), UInt8(ascii: "-"), from: start, unless: false) ?? .max
    }
    guard commentsAhead.end < .max else { return nil }
    if commentsAhead.item < start { commentsAhead.item = tag(from: start, isComment: false) }
    let item = commentsAhead.item
    guard item < commentsAhead.end else { return commentsAhead.end }
    if commentsAhead.start < item { commentsAhead.start = tag(from: item, isComment: true) }
    return commentsAhead.start < commentsAhead.end ? nil : commentsAhead.end
  }

  /// Returns the index of the next comment or item tag; `.max` if there is none.
  private func tag(from start: Int, isComment: Bool) -> Int {
    var index = start
    while let found = ByteText.firstIndex(of: UInt8(ascii: "<"), in: input, from: index) {
      if isComment ? starts(with: "<!--", at: found) : isItemTag(at: found) { return found }
      index = found + 1
    }
    return .max
  }

  private func isItemTag(at index: Int) -> Bool {
    let name = fieldName(rest(index + 1))
    let length = ByteText.hasPrefix(name, "item") ? 4 : ByteText.hasPrefix(name, "entry") ? 5 : 0
    guard length > 0, length < name.count else { return false }
    return !ByteText.isNameByte(name[length])
  }

  /// Records a finding if a keyword is not in capitals (XML 1.0 section 2.7).
  private mutating func noteSpelling(_ word: StaticString, at start: Int) {
    let length = word.utf8CodeUnitCount
    guard !ByteText.equalsExactly(UnsafeBufferPointer(rebasing: input[start..<(start + length)]), word) else {
      return
    }
    note(start, "\(word) must be in capitals")
  }

  /// Returns the index of the first `--` inside the comment; nil if there is none.
  private func doubleHyphen(from start: Int, to end: Int) -> Int? {
    var index = start
    while let found = ByteText.firstIndex(of: UInt8(ascii: "-"), in: input, from: index), found < end {
      if input[found + 1] == UInt8(ascii: "-") { return found }
      index = found + 1
    }
    return nil
  }

  /// Returns the index of the first sequence of `first`, `second` and `>`. Returns nil if there is none, or if
  /// `isKnownMissing` is true.
  func find(_ first: UInt8, _ second: UInt8, from start: Int, unless isKnownMissing: Bool) -> Int? {
    guard !isKnownMissing else { return nil }
    var index = start
    while let found = ByteText.firstIndex(of: first, in: input, from: index) {
      if found + 2 < input.count, input[found + 1] == second, input[found + 2] == UInt8(ascii: ">") {
        return found
      }
      index = found + 1
    }
    return nil
  }

  private mutating func repairSection(_ start: Int) {
    let textStart = start + 9
    var end = input.count
    if let found = endOfOpenSection(from: textStart) {
      note(start, "a CDATA section does not end")
      end = found
      position = found
    } else if let found = find(UInt8(ascii: "]"), UInt8(ascii: "]"), from: textStart, unless: hasNoSectionEnd)
    {
      end = found
      position = found + 3
    } else {
      hasNoSectionEnd = true
      note(start, "a CDATA section does not end")
      // A section without `]]>` ends at the end of its element.
      if let element = open.last, let found = endTag(of: element, from: textStart) { end = found }
      position = end
    }
    guard !open.isEmpty, !isRootClosed else {
      note(start, "a CDATA section is outside the root element")
      return
    }
    repairCDATA(min(textStart, end)..<end)
  }

  /// Returns the end of a section if another section, or outside items an item, begins before its `]]>`;
  /// otherwise nil. The end is the end tag of its element. Without one, it is the first `<` if an item
  /// follows, and nil if a section follows.
  private func endOfOpenSection(from start: Int) -> Int? {
    guard let element = open.last else { return nil }
    var index = start
    var close: Int?
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "]")
      where index + 2 < input.count && input[index + 1] == UInt8(ascii: "]")
        && input[index + 2] == UInt8(ascii: ">"):
        return nil
      case UInt8(ascii: "<"):
        if close == nil, isEndTag(of: element, at: index) { close = index }
        if starts(with: "<![cdata[", at: index) { return close }
        if isItemTag(at: index), !isInItem {
          return close ?? ByteText.firstIndex(of: UInt8(ascii: "<"), in: input, from: start)
        }
      default: break
      }
      index += 1
    }
    return nil
  }

  private var isInItem: Bool {
    open.contains {
      let name = fieldName(bytes($0))
      return ByteText.equals(name, "item") || ByteText.equals(name, "entry")
    }
  }

  private func isEndTag(of element: OpenElement, at open: Int) -> Bool {
    let name = bytes(element)
    let after = open + 2 + name.count
    return after < input.count && input[open + 1] == UInt8(ascii: "/")
      && input[(open + 2)..<after].elementsEqual(name) && !ByteText.isNameByte(input[after])
  }

  /// Returns the index of the next end tag of `element`; nil if there is none.
  private func endTag(of element: OpenElement, from start: Int) -> Int? {
    var index = start
    let name = bytes(element)
    while let found = ByteText.firstIndex(of: UInt8(ascii: "<"), in: input, from: index) {
      let after = found + 2 + name.count
      if after <= input.count, input[found + 1] == UInt8(ascii: "/"),
        input[(found + 2)..<after].elementsEqual(name)
      {
        return found
      }
      index = found + 1
    }
    return nil
  }

  private mutating func repairInstruction(_ start: Int) {
    if let end = instructionEnd(from: start + 2) {
      checkInstruction(start, end)
      position = end + 2
      return
    }
    note(start, "a processing instruction does not end")
    let open = ByteText.firstIndex(of: UInt8(ascii: "<"), in: input, from: start + 2) ?? input.count
    let rest = UnsafeBufferPointer(rebasing: input[min(start + 2, open)..<open])
    position = ByteText.firstIndex(of: UInt8(ascii: ">"), in: rest, from: 0).map { start + 3 + $0 } ?? open
  }

  /// Returns the index of the instruction's `?>`. Returns nil if an item or another instruction begins first.
  private mutating func instructionEnd(from start: Int) -> Int? {
    guard !hasNoInstructionEnd else { return nil }
    var index = start
    while index + 1 < input.count {
      switch input[index] {
      case UInt8(ascii: "?") where input[index + 1] == UInt8(ascii: ">"): return index
      case UInt8(ascii: "<") where isInstruction(at: index) || isItemTag(at: index): return nil
      default: break
      }
      index += 1
    }
    hasNoInstructionEnd = true
    return nil
  }

  private func isInstruction(at index: Int) -> Bool {
    index + 2 < input.count && input[index + 1] == UInt8(ascii: "?") && Self.isNameStart(input[index + 2])
  }

  /// Records the errors of the instruction from `start` to `end`.
  private mutating func checkInstruction(_ start: Int, _ end: Int) {
    var index = start + 2
    while index < end, ByteText.isNameByte(input[index]) { index += 1 }
    let target = UnsafeBufferPointer(rebasing: input[(start + 2)..<index])
    guard ByteText.equals(target, "xml") else {
      let isTarget = !target.isEmpty && Self.isNameStart(target[0])
      if !isTarget || index < end && input[index] > UInt8(ascii: " ") {
        note(start, "a processing instruction has no name")
      }
      return
    }
    if hasRoot {
      note(start, "the document has a second XML declaration")
    } else if !ByteText.equalsExactly(target, "xml")
      || !XMLDeclaration.isWellFormed(UnsafeBufferPointer(rebasing: input[index..<max(index, end)]))
    {
      note(start, "the XML declaration is ill-formed")
    }
  }
}
