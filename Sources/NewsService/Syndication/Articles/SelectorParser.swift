import NewsCore
import NewsToolbox

/// Reads lists of CSS selectors (the part of Selectors Level 4 that article rules need).
struct SelectorParser {
  /// Maximum number of steps in all alternatives together.
  static let maximumSteps = 64
  /// Maximum number of names, ids, classes, attributes and pseudo-classes in all parts together, also inside `:not()` and
  /// `:has()`. Each is compared with each element of a page.
  private static let maximumConditions = 256
  /// Maximum length in bytes.
  private static let maximumLength = 8 << 10

  /// The numbers that a formula may have.
  private static let numbers = -1_000_000...1_000_000

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var steps = 0
  private var conditions = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  static func parse(_ text: String) throws(SelectorProblem) -> SelectorList {
    guard text.utf8.count <= maximumLength else {
      throw SelectorProblem(position: 1, message: "longer than \(maximumLength) bytes")
    }
    var parser = SelectorParser(text)
    let list = SelectorList(selectors: try parser.list(isInner: false))
    guard parser.position == parser.scalars.count else { throw parser.problem("unexpected ')'") }
    return list
  }

  private func problem(_ message: String, at offset: Int? = nil) -> SelectorProblem {
    SelectorProblem(position: (offset ?? position) + 1, message: message)
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private static func isSpace(_ scalar: Unicode.Scalar?) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" || scalar == "\u{C}"
  }

  private mutating func skipSpace() {
    while Self.isSpace(next) { position += 1 }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  // MARK: Lists and selectors

  private mutating func list(isInner: Bool) throws(SelectorProblem) -> [Selector] {
    var result: [Selector] = []
    repeat {
      skipSpace()
      result.append(try selector(isInner: isInner))
      skipSpace()
    } while take(",")
    if !isInner, let next, next != ")" { throw problem("unexpected '\(next)'") }
    return result
  }

  private mutating func selector(isInner: Bool) throws(SelectorProblem) -> Selector {
    var result = Selector(steps: [])
    var combinator = Selector.Combinator.descendant
    if isInner, let first = symbol() {
      combinator = first
      skipSpace()
    }
    while true {
      steps += 1
      guard steps <= Self.maximumSteps else { throw problem("more than \(Self.maximumSteps) parts") }
      result.steps.append(
        Selector.Step(combinator: combinator, compound: try compound(isInner: isInner, isPlain: false))
      )
      let hadSpace = Self.isSpace(next)
      skipSpace()
      if let symbol = symbol() {
        combinator = symbol
        skipSpace()
        continue
      }
      guard hadSpace, let next, next != ",", next != ")" else { return result }
      combinator = .descendant
    }
  }

  private mutating func symbol() -> Selector.Combinator? {
    switch next {
    case ">": take(.child)
    case "+": take(.next)
    case "~": take(.later)
    default: nil
    }
  }

  private mutating func take(_ combinator: Selector.Combinator) -> Selector.Combinator {
    position += 1
    return combinator
  }

  /// Reads a compound. `isPlain` is true inside `:not()`, where this parser accepts neither combinators nor `:has()`.
  private mutating func compound(isInner: Bool, isPlain: Bool) throws(SelectorProblem) -> Selector.Compound {
    let start = position
    var result = Selector.Compound()
    if take("*") {
      // `*` matches any element.
      try countCondition()
    } else if Self.beginsName(next) {
      try countCondition()
      result.type = try name().map { $0 < 0x80 ? ASCII.lowercase($0) : $0 }
    }
    while let sign = next {
      if sign == "#" || sign == "." || sign == "[" || sign == ":" { try countCondition() }
      switch sign {
      case "#":
        position += 1
        result.ids.append(try name())
      case ".":
        position += 1
        result.classes.append(try name())
      case "[":
        result.attributes.append(try attribute())
      case ":":
        try pseudo(into: &result, isInner: isInner, isPlain: isPlain)
      case "|":
        throw problem("namespaces are not supported")
      default:
        guard position > start else { throw problem("expected a selector, found '\(sign)'") }
        return result
      }
    }
    guard position > start else { throw problem("expected a selector") }
    return result
  }

  private mutating func countCondition() throws(SelectorProblem) {
    conditions += 1
    guard conditions <= Self.maximumConditions else {
      throw problem("more than \(Self.maximumConditions) conditions")
    }
  }

  // MARK: Names and values

  private static func beginsName(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return isNamePart(scalar) && !(scalar.value >= 0x30 && scalar.value <= 0x39) || scalar == "\\"
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: scalar.value >= 0x80
    }
  }

  private mutating func name() throws(SelectorProblem) -> [UInt8] {
    var result: [UInt8] = []
    while let scalar = next {
      if scalar == "\\" {
        position += 1
        result += try escape()
      } else if Self.isNamePart(scalar) {
        result += Array(String(scalar).utf8)
        position += 1
      } else {
        break
      }
    }
    guard !result.isEmpty else { throw problem("expected a name") }
    return result
  }

  /// Reads an escape after its backslash: up to six hexadecimal digits, or one literal character.
  private mutating func escape() throws(SelectorProblem) -> [UInt8] {
    var value: UInt32 = 0
    var digits = 0
    while digits < 6, let scalar = next, scalar.isASCII, let digit = ASCII.hexValue(UInt8(scalar.value)) {
      value = value << 4 | UInt32(digit)
      digits += 1
      position += 1
    }
    if digits > 0 {
      if Self.isSpace(next) { position += 1 }
      return Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }
    guard let scalar = next else { throw problem("a backslash has nothing after it") }
    position += 1
    return Array(String(scalar).utf8)
  }

  private mutating func attribute() throws(SelectorProblem) -> Selector.Attribute {
    position += 1
    skipSpace()
    var result = Selector.Attribute(
      name: try name().map { $0 < 0x80 ? ASCII.lowercase($0) : $0 },
      match: .exists,
      value: [],
      ignoresCase: false
    )
    skipSpace()
    if take("]") { return result }
    switch next {
    case "=": result.match = .equals
    case "~": result.match = .word
    case "|": result.match = .dashed
    case "^": result.match = .prefix
    case "$": result.match = .suffix
    case "*": result.match = .part
    default: throw problem("expected '=' or ']'")
    }
    position += 1
    if result.match != .equals, !take("=") { throw problem("expected '='") }
    skipSpace()
    result.value = try value()
    skipSpace()
    if next == "i" || next == "I" {
      position += 1
      result.ignoresCase = true
      skipSpace()
    }
    guard take("]") else { throw problem("expected ']'") }
    return result
  }

  private mutating func value() throws(SelectorProblem) -> [UInt8] {
    guard let quote = next, quote == "\"" || quote == "'" else { return try name() }
    let start = position
    position += 1
    var result: [UInt8] = []
    while let scalar = next {
      position += 1
      if scalar == quote { return result }
      if scalar == "\\" {
        result += try escape()
      } else {
        result += Array(String(scalar).utf8)
      }
    }
    throw problem("a quotation mark is not closed", at: start)
  }

  // MARK: Pseudo-classes

  private mutating func pseudo(
    into compound: inout Selector.Compound,
    isInner: Bool,
    isPlain: Bool
  ) throws(SelectorProblem) {
    let start = position
    position += 1
    if next == ":" { throw problem("pseudo-elements are not supported", at: start) }
    let word = String(streamSafe: try name()).lowercased()
    switch word {
    case "first-child", "last-child", "first-of-type", "last-of-type":
      compound.places.append(
        Selector.Place(a: 0, b: 1, isFromEnd: word.hasPrefix("last"), isOfType: word.hasSuffix("type"))
      )
    case "only-child", "only-of-type":
      for isFromEnd in [false, true] {
        compound.places.append(
          Selector.Place(a: 0, b: 1, isFromEnd: isFromEnd, isOfType: word.hasSuffix("type"))
        )
      }
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
      let (a, b) = try formula()
      compound.places.append(
        Selector.Place(a: a, b: b, isFromEnd: word.hasPrefix("nth-last"), isOfType: word.hasSuffix("type"))
      )
    case "not":
      guard !isPlain else { throw problem("':not()' inside ':not()' is not supported", at: start) }
      guard take("(") else { throw problem("expected '('") }
      repeat {
        skipSpace()
        compound.excluded.append(try self.compound(isInner: isInner, isPlain: true))
        skipSpace()
      } while take(",")
      guard take(")") else { throw problem("expected ',' or ')' in ':not()'") }
    case "has":
      guard !isPlain, !isInner else { throw problem("':has()' is not supported inside another", at: start) }
      guard take("(") else { throw problem("expected '('") }
      compound.inner.append(try list(isInner: true))
      guard take(")") else { throw problem("expected ')'") }
    default:
      throw problem("':\(word)' is not supported", at: start)
    }
  }

  /// Reads the argument of `:nth-child()`: `odd`, `even`, `3`, `2n+1`, `-n + 3`.
  private mutating func formula() throws(SelectorProblem) -> (a: Int, b: Int) {
    guard take("(") else { throw problem("expected '('") }
    skipSpace()
    let start = position
    while let scalar = next, scalar != ")" { position += 1 }
    let text = scalars[start..<position].filter { !Self.isSpace($0) }
    guard take(")") else { throw problem("expected ')'") }
    var written = String.UnicodeScalarView()
    written.append(contentsOf: text)
    let formula = String(written).lowercased()
    if formula == "odd" { return (2, 1) }
    if formula == "even" { return (2, 0) }
    let parts = formula.utf8.split(separator: UInt8(ascii: "n"), omittingEmptySubsequences: false)
      .map { String(streamSafe: $0) }
    func number(_ text: String, _ empty: Int) -> Int? {
      switch text {
      case "": return empty
      case "+": return 1
      case "-": return -1
      default: return Int(text).flatMap { Self.numbers.contains($0) ? $0 : nil }
      }
    }
    if parts.count == 1, let b = Int(formula), Self.numbers.contains(b) { return (0, b) }
    guard parts.count == 2, let a = number(parts[0], 1),
      let b = number(parts[1], 0)
    else { throw problem("expected a number, 'odd', 'even' or a formula like '2n+1'", at: start) }
    return (a, b)
  }
}
