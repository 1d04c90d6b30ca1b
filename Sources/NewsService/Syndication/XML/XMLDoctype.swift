import NewsToolbox

/// A document type declaration without an internal subset (XML 1.0 section 2.8).
enum XMLDoctype {
  /// Returns the end of the declaration. Returns nil if the declaration has a subset, is ill-formed, or has no end.
  static func end(_ open: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let text = UnsafeBufferPointer(start: open, count: min(end - open, 4096))
    var index = 9
    guard text.count > index,
      ByteText.equalsExactly(UnsafeBufferPointer(rebasing: text[..<9]), "<!DOCTYPE")
    else { return nil }

    func skipSpace() -> Bool {
      let start = index
      while index < text.count,
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(text[index])
      { index += 1 }
      return index > start
    }
    func name() -> UnsafeBufferPointer<UInt8>? {
      let start = index
      guard index < text.count, XMLRepairer.isNameStart(text[index]) || text[index] == UInt8(ascii: ":")
      else { return nil }
      while index < text.count, ByteText.isNameByte(text[index]) { index += 1 }
      return UnsafeBufferPointer(rebasing: text[start..<index])
    }
    func literal() -> Bool {
      guard index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'"),
        let close = ByteText.firstIndex(of: text[index], in: text, from: index + 1)
      else { return false }
      index = close + 1
      return true
    }

    guard skipSpace(), name() != nil else { return nil }
    let isSpaced = skipSpace()
    if isSpaced, index < text.count, text[index] != UInt8(ascii: ">") {
      guard let word = name(), skipSpace(), literal() else { return nil }
      if ByteText.equalsExactly(word, "PUBLIC") {
        guard skipSpace(), literal() else { return nil }
      } else if !ByteText.equalsExactly(word, "SYSTEM") {
        return nil
      }
      _ = skipSpace()
    }
    return index < text.count && text[index] == UInt8(ascii: ">") ? open + index + 1 : nil
  }
}

/// The XML declaration (XML 1.0 section 2.8).
enum XMLDeclaration {
  /// True for valid content between `<?xml` and `?>`.
  static func isWellFormed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    var expected: [StaticString] = ["version", "encoding", "standalone"]
    while true {
      let start = index
      while index < text.count, text[index] <= UInt8(ascii: " ") { index += 1 }
      if index == text.count { return expected.count < 3 }
      guard index > start else { return false }
      let nameStart = index
      while index < text.count, ASCII.isLetter(text[index]) { index += 1 }
      let name = UnsafeBufferPointer(rebasing: text[nameStart..<index])
      guard let position = expected.firstIndex(where: { ByteText.equalsExactly(name, $0) }),
        position == 0 || expected.count < 3
      else { return false }
      expected.removeFirst(position + 1)
      while index < text.count, text[index] <= UInt8(ascii: " ") { index += 1 }
      guard index < text.count, text[index] == UInt8(ascii: "=") else { return false }
      index += 1
      while index < text.count, text[index] <= UInt8(ascii: " ") { index += 1 }
      guard index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'"),
        let close = ByteText.firstIndex(of: text[index], in: text, from: index + 1)
      else { return false }
      let value = text[(index + 1)..<close]
      let isName = value.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: "-")
      }
      guard !value.isEmpty, isName else { return false }
      index = close + 1
    }
  }
}
