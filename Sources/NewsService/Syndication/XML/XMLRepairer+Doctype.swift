/// Reads the entities of document type declarations, and drops the declarations.
extension XMLRepairer {
  /// Reads the entities of the internal subset. Returns the end of the declaration.
  mutating func repairDoctype(_ start: Int) -> Int {
    if hasRoot { note(start, "a DOCTYPE follows the start of the root element") }
    if hasDoctype { note(start, "a second DOCTYPE follows the first") }
    hasDoctype = true
    if let base = input.baseAddress, let after = XMLDoctype.end(base + start, base + input.count) {
      let declaration = UnsafeBufferPointer(rebasing: input[start..<(after - base)])
      entities.hasExternalSubset = declaration.contains {
        $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'")
      }
      return after - base
    }
    var hasSubset = false
    var index = start + 9
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: ">"):
        if !hasSubset { note(start, "the DOCTYPE is ill-formed") }
        return index + 1
      case UInt8(ascii: "["):
        hasSubset = true
        guard !hasNoSubsetEnd, let end = readSubset(from: index + 1) else {
          hasNoSubsetEnd = true
          note(start, "the DOCTYPE does not end")
          return (ByteText.firstIndex(of: UInt8(ascii: ">"), in: input, from: start) ?? input.count - 1) + 1
        }
        index = end
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let close = ByteText.firstIndex(of: input[index], in: input, from: index + 1) else {
          note(start, "the DOCTYPE does not end")
          return (ByteText.firstIndex(of: UInt8(ascii: ">"), in: input, from: start) ?? input.count - 1) + 1
        }
        entities.hasExternalSubset = true
        index = close + 1
      default: index += 1
      }
    }
    note(start, "the DOCTYPE does not end")
    return input.count
  }

  /// Reads the internal subset and returns the index after its `]`; nil if `]` is missing.
  private mutating func readSubset(from start: Int) -> Int? {
    var index = start
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "]"): return index + 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let close = ByteText.firstIndex(of: input[index], in: input, from: index + 1) else {
          return nil
        }
        index = close + 1
      case UInt8(ascii: "<"):
        if starts(with: "<!--", at: index) {
          guard let end = find(UInt8(ascii: "-"), UInt8(ascii: "-"), from: index + 4, unless: false) else {
            return nil
          }
          index = end + 3
        } else if starts(with: "<?", at: index) {
          guard let end = find(UInt8(ascii: "?"), from: index + 2) else { return nil }
          index = end + 2
        } else if starts(with: "<!doctype", at: index) {
          note(index, "a DOCTYPE is inside another")
          index += 9
        } else if starts(with: "<!entity", at: index) {
          index = readEntity(index + 8)
        } else {
          index += 1
        }
      case UInt8(ascii: "%"):
        // A parameter entity may declare any entity.
        entities.hasExternalSubset = true
        index += 1
      default: index += 1
      }
    }
    return nil
  }

  /// Reads an entity declaration of the form `name "value"`; ignores other forms.
  private mutating func readEntity(_ start: Int) -> Int {
    var index = start
    while index < input.count, input[index] <= UInt8(ascii: " ") { index += 1 }
    let nameStart = index
    while index < input.count, ByteText.isNameByte(input[index]) { index += 1 }
    let name = UnsafeBufferPointer(rebasing: input[nameStart..<index])
    while index < input.count, input[index] <= UInt8(ascii: " ") { index += 1 }
    guard !name.isEmpty, index < input.count,
      input[index] == UInt8(ascii: "\"") || input[index] == UInt8(ascii: "'"),
      let close = ByteText.firstIndex(of: input[index], in: input, from: index + 1)
    else { return index }
    let value = UnsafeBufferPointer(rebasing: input[(index + 1)..<close])
    if !Self.isEntityValue(value) { note(index, "the text of an entity contains an unescaped & or %") }
    entities.declare(name, value)
    return close + 1
  }

  /// True if every `&` begins a reference (XML 1.0 section 2.3) and the value has no reference to a parameter entity,
  /// which only external subsets may contain (section 2.8).
  private static func isEntityValue(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard ByteText.firstIndex(of: UInt8(ascii: "%"), in: value) == nil else { return false }
    var index = 0
    while let found = ByteText.firstIndex(of: UInt8(ascii: "&"), in: value, from: index) {
      var end = found + 1
      while end < value.count, ByteText.isNameByte(value[end]) || value[end] == UInt8(ascii: "#") { end += 1 }
      guard end > found + 1, end < value.count, value[end] == UInt8(ascii: ";") else { return false }
      index = end + 1
    }
    return true
  }

  /// Returns the index of the first `byte` followed by `>`.
  private func find(_ byte: UInt8, from start: Int) -> Int? {
    var index = start
    while let found = ByteText.firstIndex(of: byte, in: input, from: index) {
      if found + 1 < input.count, input[found + 1] == UInt8(ascii: ">") { return found }
      index = found + 1
    }
    return nil
  }
}
