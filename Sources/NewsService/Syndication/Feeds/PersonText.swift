import NewsToolbox
import NewsCore

/// Parses names and addresses: `name@example.org (A Name)`, `A Name <name@example.org>` and similar.
enum PersonText {
  /// Maximum length of a person's text in bytes.
  private static let maximumLength = 4096

  /// Parses the name and address of one person from plain text on one line. Cuts a long name or address.
  static func parse(_ text: String) -> Author? {
    var person = person(text)
    if let name = person?.name { person?.name = GivenName.cut(name) }
    if let email = person?.email { person?.email = GivenName.cut(email) }
    return person
  }

  private static func person(_ text: String) -> Author? {
    guard text.utf8.count <= maximumLength else { return Author(name: text) }
    guard text.utf8.contains(UInt8(ascii: "@")) || text.utf8.contains(UInt8(ascii: "/")) else {
      return named(text)
    }
    return addressed(text)
  }

  /// True if the text may name several people.
  static func mayBeSeveral(_ text: String) -> Bool {
    var addresses = 0
    var hasSemicolon = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "@") { addresses += 1 }
      if byte == UInt8(ascii: ";") { hasSemicolon = true }
    }
    return addresses > 1 || addresses == 0 && hasSemicolon
  }

  /// Parses the names and addresses of several people. Commas, semicolons, ampersands and `and` separate people if
  /// each part has an address (RFC 5322 section 3.4). Without addresses, only semicolons do: `Marks and Spencer` and
  /// `Doe, Jane` are one person each.
  static func people(_ text: String) -> [Author] {
    if text.utf8.count <= maximumLength {
      if text.utf8.contains(UInt8(ascii: "@")) {
        let people = parts(of: text, at: [",", ";", "&", "and"]).map(parse)
        if people.count > 1, people.allSatisfy({ $0?.email != nil }) { return people.compactMap { $0 } }
      } else if text.utf8.contains(UInt8(ascii: ";")) {
        let people = parts(of: text, at: [";"]).map(parse)
        if people.count > 1, people.allSatisfy({ $0?.name != nil }) { return people.compactMap { $0 } }
      }
    }
    return parse(text).map { [$0] } ?? []
  }

  /// Parses a text without address: `Name`, or `Name ()` from a program that left the address empty.
  private static func named(_ text: String) -> Author? {
    var name = trimmed(text[...])
    for empty in ["()", "<>"] where name.hasSuffix(empty) { name = trimmed(name.dropLast(2)) }
    return name.isEmpty ? nil : Author(name: String(name))
  }

  private static func addressed(_ text: String) -> Author? {
    var person = Author()
    var rest: [Token] = []
    for token in tokens(of: text) {
      let inside = token.content
      if person.email == nil, isAddress(withoutScheme(inside)) {
        person.email = String(withoutScheme(inside))
      } else if person.url == nil, isPage(inside) {
        person.url = URLResolver.resolve(String(inside), against: nil)
      } else {
        rest.append(token)
      }
    }
    guard person != Author() else { return named(text) }
    // Without other words, the brackets contain the name: `name@example.org (A Name)`.
    let words = rest.contains { !$0.isBracket && !isSeparator($0.text) }
    let name = rest.map { words ? $0.text : $0.content }.filter { !$0.isEmpty }.joined(separator: " ")
    person.name = cleaned(name[...])
    return person
  }

  // MARK: Parts

  private struct Token {
    /// The token as written.
    var text: Substring
    /// The text inside a token's brackets, or a word without punctuation at both ends.
    var content: Substring
    var isBracket: Bool
  }

  /// Splits the text into words and bracketed parts; an unclosed bracket extends to the end.
  private static func tokens(of text: String) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(text).utf8
    while let first = rest.first {
      if first == UInt8(ascii: " ") {
        rest.removeFirst()
        continue
      }
      if let close = closing(first) {
        let end = self.end(of: rest, open: first, close: close)
        let whole = end.map { rest[...$0] } ?? rest
        let inside = end == nil ? whole.dropFirst() : whole.dropFirst().dropLast()
        tokens.append(Token(text: Substring(whole), content: trimmed(Substring(inside)), isBracket: true))
        rest = rest[whole.endIndex...]
      } else {
        let word = rest.prefix { $0 != UInt8(ascii: " ") && closing($0) == nil }
        tokens.append(Token(text: Substring(word), content: stripped(Substring(word)), isBracket: false))
        rest = rest[word.endIndex...]
      }
    }
    return tokens
  }

  private static func closing(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "<"): UInt8(ascii: ">")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    default: nil
    }
  }

  /// Returns the index of the bracket that closes the first bracket, counting nested ones.
  private static func end(of text: Substring.UTF8View, open: UInt8, close: UInt8) -> Substring.Index? {
    var depth = 0
    for index in text.indices {
      if text[index] == open { depth += 1 }
      if text[index] == close {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  /// Splits the text at separators outside brackets and quotation marks; words such as `and` count as whole words
  /// only.
  private static func parts(of text: String, at separators: Set<Substring>) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    var isQuoted = false
    func finish() {
      let trimmed = trimmed(part[...])
      if !trimmed.isEmpty { parts.append(String(trimmed)) }
      part = ""
    }
    for word in text.split(ascii: " ", omittingEmptySubsequences: true) {
      if depth == 0, !isQuoted, separators.contains(word) {
        finish()
        continue
      }
      for character in word {
        switch character {
        case "\"": isQuoted.toggle()
        case "(", "<": depth += 1
        case ")", ">": depth = max(depth - 1, 0)
        default: break
        }
        if depth == 0, !isQuoted, character == "," || character == ";",
          separators.contains(String(character)[...])
        {
          finish()
        } else {
          part.append(character)
        }
      }
      part.append(" ")
    }
    finish()
    return parts
  }

  // MARK: Words

  private static func cleaned(_ name: Substring) -> String? {
    var name = trimmed(name, of: isSeparator)
    if name.utf8.count >= 2, name.utf8.first == UInt8(ascii: "\""), name.utf8.last == UInt8(ascii: "\"") {
      name = trimmed(name.dropFirst().dropLast())
    }
    for empty in ["()", "<>"] where name.hasSuffix(empty) { name = trimmed(name.dropLast(2)) }
    return name.isEmpty ? nil : String(name)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "-")
  }

  /// True for a word that is a dash or consists of separators.
  private static func isSeparator(_ word: Substring) -> Bool {
    word.utf8.allSatisfy(isSeparator) || word == "–" || word == "—"
  }

  private static func stripped(_ word: Substring) -> Substring {
    trimmed(word) {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ")")
        || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "]")
    }
  }

  /// Removes `mailto:` and its query.
  private static func withoutScheme(_ address: Substring) -> Substring {
    guard address.utf8.count > 7, address.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "m"),
      address.prefix(7).lowercased() == "mailto:"
    else { return address }
    return address.dropFirst(7).prefix { $0 != "?" }
  }

  private static func isPage(_ text: Substring) -> Bool {
    text.utf8.contains(UInt8(ascii: ":")) && WebAddress.isWeb(String(text))
      && !text.utf8.contains(UInt8(ascii: " "))
  }

  /// True if the text has exactly one `@`, between other characters, and no sign that addresses cannot contain.
  static func isAddress(_ text: Substring) -> Bool {
    var at: Int?
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case ...UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "/"),
        UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"):
        return false
      case UInt8(ascii: "@"):
        if at != nil { return false }
        at = index
      default: break
      }
    }
    guard let at else { return false }
    return at > 0 && at < text.utf8.count - 1
  }

  private static func trimmed(
    _ text: Substring,
    of isTrimmed: (UInt8) -> Bool = { _ in false }
  ) -> Substring {
    var utf8 = text.utf8
    while let first = utf8.first, first == UInt8(ascii: " ") || isTrimmed(first) { utf8.removeFirst() }
    while let last = utf8.last, last == UInt8(ascii: " ") || isTrimmed(last) { utf8.removeLast() }
    return Substring(utf8)
  }
}
