/// Document type declarations: read for the entities that they declare, and left out.
extension XMLMender {
  /// Reads the internal subset's entities; returns where the declaration ends.
  mutating func mendDoctype(_ start: Int) -> Int {
    if hasRoot { note(start, "A DOCTYPE stands inside the document.") }
    if hasDoctype { note(start, "A second DOCTYPE follows the first.") }
    hasDoctype = true
    if let base = input.baseAddress, let after = XMLDoctype.end(base + start, base + input.count) {
      let declaration = UnsafeBufferPointer(rebasing: input[start..<(after - base)])
      entities.hasExternalSubset = declaration.contains { $0 == 0x22 || $0 == 0x27 }
      return after - base
    }
    var hasSubset = false
    var index = start + 9
    while index < input.count {
      switch input[index] {
      case 0x3E:
        if !hasSubset { note(start, "The DOCTYPE is ill-formed.") }
        return index + 1
      case 0x5B:
        hasSubset = true
        guard !hasNoSubsetEnd, let end = readSubset(from: index + 1) else {
          hasNoSubsetEnd = true
          note(start, "The DOCTYPE does not end.")
          return (ByteText.firstIndex(of: 0x3E, in: input, from: start) ?? input.count - 1) + 1
        }
        index = end
      case 0x22, 0x27:
        guard let close = ByteText.firstIndex(of: input[index], in: input, from: index + 1) else {
          note(start, "The DOCTYPE does not end.")
          return (ByteText.firstIndex(of: 0x3E, in: input, from: start) ?? input.count - 1) + 1
        }
        entities.hasExternalSubset = true
        index = close + 1
      default: index += 1
      }
    }
    note(start, "The DOCTYPE does not end.")
    return input.count
  }

  /// Behind the `]`; nil when there is none.
  private mutating func readSubset(from start: Int) -> Int? {
    var index = start
    while index < input.count {
      switch input[index] {
      case 0x5D: return index + 1
      case 0x22, 0x27:
        guard let close = ByteText.firstIndex(of: input[index], in: input, from: index + 1) else {
          return nil
        }
        index = close + 1
      case 0x3C:
        if starts(with: "<!--", at: index) {
          guard let end = find(0x2D, 0x2D, from: index + 4, unless: false) else { return nil }
          index = end + 3
        } else if starts(with: "<?", at: index) {
          guard let end = find(0x3F, from: index + 2) else { return nil }
          index = end + 2
        } else if starts(with: "<!doctype", at: index) {
          note(index, "A DOCTYPE stands inside another.")
          index += 9
        } else if starts(with: "<!entity", at: index) {
          index = readEntity(index + 8)
        } else {
          index += 1
        }
      case 0x25:
        // A parameter entity may declare anything.
        entities.hasExternalSubset = true
        index += 1
      default: index += 1
      }
    }
    return nil
  }

  /// `name "value"`; everything else is passed over.
  private mutating func readEntity(_ start: Int) -> Int {
    var index = start
    while index < input.count, input[index] <= 0x20 { index += 1 }
    let nameStart = index
    while index < input.count, Self.isNameByte(input[index]) { index += 1 }
    let name = UnsafeBufferPointer(rebasing: input[nameStart..<index])
    while index < input.count, input[index] <= 0x20 { index += 1 }
    guard !name.isEmpty, index < input.count, input[index] == 0x22 || input[index] == 0x27,
      let close = ByteText.firstIndex(of: input[index], in: input, from: index + 1)
    else { return index }
    let value = UnsafeBufferPointer(rebasing: input[(index + 1)..<close])
    if !Self.isEntityValue(value) { note(index, "The text of an entity holds a bare & or %.") }
    entities.declare(name, value)
    return close + 1
  }

  /// References and nothing that only begins like one (XML 1.0 section 2.3). Parameter entities may stand in external
  /// subsets alone (section 2.8).
  private static func isEntityValue(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard ByteText.firstIndex(of: 0x25, in: value) == nil else { return false }
    var index = 0
    while let found = ByteText.firstIndex(of: 0x26, in: value, from: index) {
      var end = found + 1
      while end < value.count, isNameByte(value[end]) || value[end] == 0x23 { end += 1 }
      guard end > found + 1, end < value.count, value[end] == 0x3B else { return false }
      index = end + 1
    }
    return true
  }

  /// Where the byte stands before a `>`.
  private func find(_ byte: UInt8, from start: Int) -> Int? {
    var index = start
    while let found = ByteText.firstIndex(of: byte, in: input, from: index) {
      if found + 1 < input.count, input[found + 1] == 0x3E { return found }
      index = found + 1
    }
    return nil
  }
}
