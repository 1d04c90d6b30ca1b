import NewsService

/// Names and addresses in one text: `name@example.org (A Name)`, `A Name <name@example.org>` and their kin.
enum PersonText {
  /// `text` is plain and on one line.
  static func parse(_ text: String) -> Author? {
    // A treatise, whatever signs stand in it.
    guard text.utf8.count <= 4096 else { return Author(name: text) }
    guard text.utf8.contains(0x40) else { return named(text) }
    return addressed(text)
  }

  /// `Name`, or `Name ()` where a program left the address out.
  private static func named(_ text: String) -> Author? {
    var utf8 = Substring(text).utf8
    if utf8.last == 0x29 || utf8.last == 0x3E {
      let bracket: UInt8 = utf8.last == 0x29 ? 0x28 : 0x3C
      if utf8.dropLast().last == bracket { utf8 = utf8.dropLast(2) }
    }
    while utf8.last == 0x20 { utf8.removeLast() }
    while utf8.first == 0x20 { utf8.removeFirst() }
    return utf8.isEmpty ? nil : Author(name: String(Substring(utf8)))
  }

  private static func addressed(_ text: String) -> Author? {
    let text = trimmed(text[...])
    for (open, close) in [("(", ")"), ("<", ">")] {
      guard let start = text.firstIndex(of: Character(open)),
        let end = text[start...].lastIndex(of: Character(close))
      else { continue }
      let inside = trimmed(text[text.index(after: start)..<end])
      let outside = trimmed(text[..<start] + text[text.index(after: end)...])
      if isAddress(inside), !isAddress(outside) { return author(outside, inside) }
      if isAddress(outside) { return author(inside, outside) }
    }
    if isAddress(text) { return Author(email: String(withoutScheme(text))) }
    // An address among words, as `name@example.org A Name`.
    let words = text.split(separator: " ")
    if let address = words.first(where: { isAddress(strip($0)) }) {
      let rest = words.filter { $0 != address }.joined(separator: " ")
      return author(trimmed(rest[...]), strip(address))
    }
    return Author(name: String(text))
  }

  private static func author(_ name: Substring, _ address: Substring) -> Author {
    let name = unquoted(name)
    return Author(name: name.isEmpty ? nil : String(name), email: String(withoutScheme(address)))
  }

  private static func unquoted(_ name: Substring) -> Substring {
    guard name.utf8.count >= 2, name.first == "\"", name.last == "\"" else { return name }
    return trimmed(name.dropFirst().dropLast())
  }

  private static func strip(_ word: Substring) -> Substring {
    var word = word
    while let first = word.first, first == "(" || first == "<" || first == "[" { word = word.dropFirst() }
    while let last = word.last, last == ")" || last == ">" || last == "]" || last == "," {
      word = word.dropLast()
    }
    return word
  }

  private static func withoutScheme(_ address: Substring) -> Substring {
    address.lowercased().hasPrefix("mailto:") ? address.dropFirst(7) : address
  }

  /// One `@` between something and something, and no space.
  static func isAddress(_ text: Substring) -> Bool {
    var at: Int?
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case ...0x20, 0x28, 0x29, 0x2C, 0x3C, 0x3E: return false
      case 0x40:
        if at != nil { return false }
        at = index
      default: break
      }
    }
    guard let at else { return false }
    return at > 0 && at < text.utf8.count - 1
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first == " " { text = text.dropFirst() }
    while let last = text.last, last == " " { text = text.dropLast() }
    return text
  }

  private static func trimmed(_ text: String) -> Substring { trimmed(text[...]) }
}
