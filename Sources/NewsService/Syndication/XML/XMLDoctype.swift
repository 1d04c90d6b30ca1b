/// A document type declaration without an internal subset (XML 1.0 section 2.8).
enum XMLDoctype {
  /// Where it ends; nil when it has a subset, is ill-formed, or does not end.
  static func end(_ open: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let text = UnsafeBufferPointer(start: open, count: min(end - open, 4096))
    var index = 9
    guard text.count > index,
      ByteText.equalsExactly(UnsafeBufferPointer(rebasing: text[..<9]), "<!DOCTYPE")
    else { return nil }

    func skipSpace() -> Bool {
      let start = index
      while index < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[index]) { index += 1 }
      return index > start
    }
    func name() -> UnsafeBufferPointer<UInt8>? {
      let start = index
      guard index < text.count, XMLMender.isNameStart(text[index]) || text[index] == 0x3A else { return nil }
      while index < text.count, XMLMender.isNameByte(text[index]) { index += 1 }
      return UnsafeBufferPointer(rebasing: text[start..<index])
    }
    func literal() -> Bool {
      guard index < text.count, text[index] == 0x22 || text[index] == 0x27,
        let close = ByteText.firstIndex(of: text[index], in: text, from: index + 1)
      else { return false }
      index = close + 1
      return true
    }

    guard skipSpace(), name() != nil else { return nil }
    let isSpaced = skipSpace()
    if isSpaced, index < text.count, text[index] != 0x3E {
      guard let word = name(), skipSpace(), literal() else { return nil }
      if ByteText.equalsExactly(word, "PUBLIC") {
        guard skipSpace(), literal() else { return nil }
      } else if !ByteText.equalsExactly(word, "SYSTEM") {
        return nil
      }
      _ = skipSpace()
    }
    return index < text.count && text[index] == 0x3E ? open + index + 1 : nil
  }
}

/// The XML declaration (XML 1.0 section 2.8).
enum XMLDeclaration {
  /// True for what may stand between `<?xml` and `?>`.
  static func isWellFormed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    var expected: [StaticString] = ["version", "encoding", "standalone"]
    while true {
      let start = index
      while index < text.count, text[index] <= 0x20 { index += 1 }
      if index == text.count { return expected.count < 3 }
      guard index > start else { return false }
      let nameStart = index
      while index < text.count, ASCII.isLetter(text[index]) { index += 1 }
      let name = UnsafeBufferPointer(rebasing: text[nameStart..<index])
      guard let position = expected.firstIndex(where: { ByteText.equalsExactly(name, $0) }),
        position == 0 || expected.count < 3
      else { return false }
      expected.removeFirst(position + 1)
      while index < text.count, text[index] <= 0x20 { index += 1 }
      guard index < text.count, text[index] == 0x3D else { return false }
      index += 1
      while index < text.count, text[index] <= 0x20 { index += 1 }
      guard index < text.count, text[index] == 0x22 || text[index] == 0x27,
        let close = ByteText.firstIndex(of: text[index], in: text, from: index + 1)
      else { return false }
      let value = text[(index + 1)..<close]
      let isName = value.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D
      }
      guard !value.isEmpty, isName else { return false }
      index = close + 1
    }
  }
}
