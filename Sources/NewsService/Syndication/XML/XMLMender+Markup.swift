import NewsCore

/// What begins with `<`: comments, sections, instructions and declarations here, tags in a file of their own.
extension XMLMender {
  /// What begins with the `<` at `position`.
  mutating func mendMarkup() {
    let start = position
    markupStart = start
    guard start + 1 < input.count else {
      position = input.count
      note(start, "The document ends with a <.")
      return
    }
    switch input[start + 1] {
    case 0x21: mendDeclaration(start)
    case 0x3F: mendInstruction(start)
    case 0x2F: mendEndTag(start)
    case let byte where Self.isNameStart(byte): mendStartTag(start)
    default: literal(start)
    }
  }

  /// The `<` is text.
  mutating func literal(_ start: Int) {
    position = start + 1
    note(start, "A < stands alone; write &lt;.")
    if !open.isEmpty, !isRootClosed { output.append("&lt;") }
  }

  // MARK: Comments, sections, instructions

  private mutating func mendDeclaration(_ start: Int) {
    if starts(with: "<!--", at: start) {
      if let end = commentEnd(from: start + 4) {
        if let hyphens = doubleHyphen(from: start + 4, to: end) { note(hyphens, "-- stands in a comment.") }
        position = end + 3
      } else {
        note(start, "A comment does not end.")
        position = ByteText.firstIndex(of: 0x3C, in: input, from: start + 4) ?? input.count
      }
    } else if starts(with: "<![cdata[", at: start) {
      noteSpelling("<![CDATA[", at: start)
      mendSection(start)
    } else if starts(with: "<!doctype", at: start) {
      noteSpelling("<!DOCTYPE", at: start)
      position = mendDoctype(start)
    } else {
      note(start, "A declaration stands where none may.")
      position = (ByteText.firstIndex(of: 0x3E, in: input, from: start) ?? input.count - 1) + 1
    }
  }

  /// Where a comment's own end begins. The next one is another's where that one begins behind an item: comments do not
  /// nest, and somebody forgot an end.
  private mutating func commentEnd(from start: Int) -> Int? {
    if commentsAhead.end < start {
      commentsAhead.end = find(0x2D, 0x2D, from: start, unless: false) ?? .max
    }
    guard commentsAhead.end < .max else { return nil }
    if commentsAhead.item < start { commentsAhead.item = tag(from: start, isComment: false) }
    let item = commentsAhead.item
    guard item < commentsAhead.end else { return commentsAhead.end }
    if commentsAhead.start < item { commentsAhead.start = tag(from: item, isComment: true) }
    return commentsAhead.start < commentsAhead.end ? nil : commentsAhead.end
  }

  /// Where the next item's tag or comment begins; `.max` when there is none.
  private func tag(from start: Int, isComment: Bool) -> Int {
    var index = start
    while let found = ByteText.firstIndex(of: 0x3C, in: input, from: index) {
      if isComment ? starts(with: "<!--", at: found) : isItemTag(at: found) { return found }
      index = found + 1
    }
    return .max
  }

  private func isItemTag(at index: Int) -> Bool {
    let length = starts(with: "<item", at: index) ? 5 : starts(with: "<entry", at: index) ? 6 : 0
    guard length > 0, index + length < input.count else { return false }
    return !Self.isNameByte(input[index + length])
  }

  /// XML tells capitals from small letters (section 2.7).
  private mutating func noteSpelling(_ word: StaticString, at start: Int) {
    let length = word.utf8CodeUnitCount
    guard !ByteText.equalsExactly(UnsafeBufferPointer(rebasing: input[start..<(start + length)]), word) else {
      return
    }
    note(start, "\(word) is to be written in capitals.")
  }

  /// Where `--` stands between; not the one that ends the comment.
  private func doubleHyphen(from start: Int, to end: Int) -> Int? {
    var index = start
    while let found = ByteText.firstIndex(of: 0x2D, in: input, from: index), found < end {
      if input[found + 1] == 0x2D { return found }
      index = found + 1
    }
    return nil
  }

  /// The first place from `start` on where the two bytes stand before a `>`.
  func find(_ first: UInt8, _ second: UInt8, from start: Int, unless isKnownMissing: Bool) -> Int? {
    guard !isKnownMissing else { return nil }
    var index = start
    while let found = ByteText.firstIndex(of: first, in: input, from: index) {
      if found + 2 < input.count, input[found + 1] == second, input[found + 2] == 0x3E { return found }
      index = found + 1
    }
    return nil
  }

  private mutating func mendSection(_ start: Int) {
    let textStart = start + 9
    var end = input.count
    if let found = endOfOpenSection(from: textStart) {
      note(start, "A CDATA section does not end.")
      end = found
      position = found
    } else if let found = find(0x5D, 0x5D, from: textStart, unless: hasNoSectionEnd) {
      end = found
      position = found + 3
    } else {
      hasNoSectionEnd = true
      note(start, "A CDATA section does not end.")
      // It ends, at the latest, with the element that it stands in.
      if let element = open.last, let found = endTag(of: element, from: textStart) { end = found }
      position = end
    }
    guard !open.isEmpty, !isRootClosed else {
      note(start, "A CDATA section stands outside the root element.")
      return
    }
    mendCDATA(min(textStart, end)..<end)
  }

  /// Where the section is to end whose own end is missing: another one begins before any ends, and the element that it
  /// stands in ends before that; or an item begins in what is said of the feed itself.
  private func endOfOpenSection(from start: Int) -> Int? {
    guard let element = open.last else { return nil }
    var index = start
    var close: Int?
    while index < input.count {
      switch input[index] {
      case 0x5D where index + 2 < input.count && input[index + 1] == 0x5D && input[index + 2] == 0x3E:
        return nil
      case 0x3C:
        if close == nil, isEndTag(of: element, at: index) { close = index }
        if starts(with: "<![cdata[", at: index) { return close }
        if isItemTag(at: index), !isInItem {
          return close ?? ByteText.firstIndex(of: 0x3C, in: input, from: start)
        }
      default: break
      }
      index += 1
    }
    return nil
  }

  private var isInItem: Bool {
    open.contains { ByteText.equals(bytes($0), "item") || ByteText.equals(bytes($0), "entry") }
  }

  private func isEndTag(of element: OpenElement, at open: Int) -> Bool {
    let name = bytes(element)
    let after = open + 2 + name.count
    return after < input.count && input[open + 1] == 0x2F
      && input[(open + 2)..<after].elementsEqual(name) && !Self.isNameByte(input[after])
  }

  /// Where the end tag of `element` begins.
  private func endTag(of element: OpenElement, from start: Int) -> Int? {
    var index = start
    let name = bytes(element)
    while let found = ByteText.firstIndex(of: 0x3C, in: input, from: index) {
      let after = found + 2 + name.count
      if after <= input.count, input[found + 1] == 0x2F,
        input[(found + 2)..<after].elementsEqual(name)
      {
        return found
      }
      index = found + 1
    }
    return nil
  }

  private mutating func mendInstruction(_ start: Int) {
    if let end = instructionEnd(from: start + 2) {
      checkInstruction(start, end)
      position = end + 2
      return
    }
    note(start, "A processing instruction does not end.")
    let open = ByteText.firstIndex(of: 0x3C, in: input, from: start + 2) ?? input.count
    let rest = UnsafeBufferPointer(rebasing: input[min(start + 2, open)..<open])
    position = ByteText.firstIndex(of: 0x3E, in: rest, from: 0).map { start + 3 + $0 } ?? open
  }

  /// Where `?>` stands. Behind an item or another instruction it belongs to something else.
  private mutating func instructionEnd(from start: Int) -> Int? {
    guard !hasNoInstructionEnd else { return nil }
    var index = start
    while index + 1 < input.count {
      switch input[index] {
      case 0x3F where input[index + 1] == 0x3E: return index
      case 0x3C where input[index + 1] == 0x3F || isItemTag(at: index): return nil
      default: break
      }
      index += 1
    }
    hasNoInstructionEnd = true
    return nil
  }

  /// Notes what is wrong with the instruction whose `?>` stands at `end`.
  private mutating func checkInstruction(_ start: Int, _ end: Int) {
    var index = start + 2
    while index < end, Self.isNameByte(input[index]) { index += 1 }
    let target = UnsafeBufferPointer(rebasing: input[(start + 2)..<index])
    guard ByteText.equals(target, "xml") else {
      let isTarget = !target.isEmpty && Self.isNameStart(target[0])
      if !isTarget || index < end && input[index] > 0x20 {
        note(start, "A processing instruction has no name.")
      }
      return
    }
    if hasRoot {
      note(start, "A second XML declaration stands inside the document.")
    } else if !ByteText.equalsExactly(target, "xml")
      || !XMLDeclaration.isWellFormed(UnsafeBufferPointer(rebasing: input[index..<max(index, end)]))
    {
      note(start, "The XML declaration is ill-formed.")
    }
  }
}
