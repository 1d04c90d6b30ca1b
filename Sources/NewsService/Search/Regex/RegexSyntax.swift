/// A parsed regular expression.
indirect enum RegexNode {
  case empty
  case set(ScalarSet)
  case assertion(RegexAssertion)
  case sequence([RegexNode])
  case choice([RegexNode])
  /// `most` is nil for an unbounded repetition.
  case repetition(RegexNode, least: Int, most: Int?)
}

/// A condition on the position between two characters.
enum RegexAssertion: UInt8 {
  case lineStart, lineEnd, textStart, textEnd, wordBorder, noWordBorder
}

/// A set of scalars: ranges, optionally all word characters or all others.
struct ScalarSet {
  var ranges: [ClosedRange<UInt32>] = []
  var hasWord = false
  var hasNonWord = false
  var isNegated = false
}

/// Parses the common subset of POSIX and PCRE syntax.
struct RegexParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  private(set) var ignoresCase = true

  private static let maximumDepth = 64

  static func parse(_ source: String) throws(RegexError) -> RegexNode {
    var parser = RegexParser(scalars: Array(source.unicodeScalars))
    let node = try parser.choice()
    guard parser.index == parser.scalars.count else { throw RegexError("a ) has no ( before it") }
    return node
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  private mutating func choice() throws(RegexError) -> RegexNode {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(RegexError) -> RegexNode {
    var parts: [RegexNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      var part = try atom()
      while let (least, most) = try quantifier() {
        part = .repetition(part, least: least, most: most)
      }
      parts.append(part)
    }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
  }

  private mutating func quantifier() throws(RegexError) -> (Int, Int?)? {
    let bounds: (Int, Int?)
    switch next {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      guard let counted = try countedBounds() else { return nil }
      // Ignore laziness: it does not affect whether there is a match.
      _ = take("?")
      return counted
    default: return nil
    }
    index += 1
    _ = take("?")
    return bounds
  }

  /// Parses `{3}`, `{3,}`, `{3,5}` and `{,5}`; returns nil when the brace is an ordinary character.
  private mutating func countedBounds() throws(RegexError) -> (Int, Int?)? {
    let start = index
    index += 1
    let least = number()
    var most = least
    let hasComma = take(",")
    if hasComma { most = number() }
    guard take("}"), least != nil || (hasComma && most != nil) else {
      index = start
      return nil
    }
    guard (least ?? 0) <= 1000, (most ?? 0) <= 1000 else {
      throw RegexError("a repetition counts to 1000 at most")
    }
    if let most, most < least ?? 0 { throw RegexError("a repetition has its larger number first") }
    return (least ?? 0, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let digit = next, digit.value &- 0x30 < 10 {
      value = min((value ?? 0) * 10 + Int(digit.value - 0x30), 100_000)
      index += 1
    }
    return value
  }

  private mutating func atom() throws(RegexError) -> RegexNode {
    let scalar = scalars[index]
    switch scalar {
    case "(":
      index += 1
      return try group()
    case "[":
      index += 1
      return .set(try bracket())
    case ".":
      index += 1
      return .set(ScalarSet(ranges: [0x0A...0x0A], isNegated: true))
    case "^":
      index += 1
      return .assertion(.lineStart)
    case "$":
      index += 1
      return .assertion(.lineEnd)
    case "*", "+", "?":
      throw RegexError("there is nothing before \(scalar) to repeat")
    case "\\":
      index += 1
      return try escape()
    case "{":
      if try countedBounds() != nil { throw RegexError("there is nothing before { to repeat") }
      fallthrough
    default:
      index += 1
      return .set(literal(scalar))
    }
  }

  private mutating func group() throws(RegexError) -> RegexNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw RegexError("groups are nested more than \(Self.maximumDepth) deep")
    }
    let caseBefore = ignoresCase
    if take("?") {
      if take("<") || (take("P") && take("<")) {
        guard next != "=", next != "!" else { throw RegexError("lookbehind is not supported") }
        while let letter = next, letter != ">" {
          guard letter != ")" else { break }
          index += 1
        }
        guard take(">") else { throw RegexError("the name of a group does not end") }
      } else if next == "=" || next == "!" {
        throw RegexError("lookahead is not supported")
      } else if try flags() {
        return .empty
      }
    }
    let node = try choice()
    guard take(")") else { throw RegexError("a ( has no ) after it") }
    ignoresCase = caseBefore
    return node
  }

  /// Parses `(?:`, `(?i:` and `(?-i)`. Returns true if the flags were the whole group and apply from here on.
  private mutating func flags() throws(RegexError) -> Bool {
    var turnsOn = true
    while let flag = next {
      index += 1
      switch flag {
      case "-": turnsOn = false
      case "i": ignoresCase = turnsOn
      case "m", "s", "u": break
      case ":": return false
      case ")": return true
      default: throw RegexError("(?\(flag) is not supported")
      }
    }
    throw RegexError("a ( has no ) after it")
  }

  // MARK: Characters

  private func literal(_ scalar: Unicode.Scalar) -> ScalarSet {
    var set = ScalarSet()
    add(scalar.value...scalar.value, to: &set)
    return set
  }

  /// Adds the range and, if case is ignored, the other case of its letters.
  private func add(_ range: ClosedRange<UInt32>, to set: inout ScalarSet) {
    set.ranges.append(range)
    guard ignoresCase, range.count <= 2048 else { return }
    for value in range {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      let upper = scalar.properties.uppercaseMapping.unicodeScalars
      for mapping in [lower, upper] where mapping.count == 1 {
        guard let other = mapping.first?.value, !range.contains(other) else { continue }
        if let last = set.ranges.last, last.upperBound &+ 1 == other, set.ranges.count > 1 {
          set.ranges[set.ranges.count - 1] = last.lowerBound...other
        } else {
          set.ranges.append(other...other)
        }
      }
    }
  }

  private mutating func escape() throws(RegexError) -> RegexNode {
    guard let scalar = next else { throw RegexError("it ends with a \\") }
    switch scalar {
    case "b": index += 1; return .assertion(.wordBorder)
    case "B": index += 1; return .assertion(.noWordBorder)
    case "A": index += 1; return .assertion(.textStart)
    case "z", "Z": index += 1; return .assertion(.textEnd)
    case "1"..."9": throw RegexError("references to groups (\\\(scalar)) are not supported")
    default: break
    }
    if let set = Self.namedSet(scalar) {
      index += 1
      return .set(set)
    }
    return .set(literal(try escapedScalar()))
  }

  private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  private static let spaces: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
  ]

  private static func namedSet(_ letter: Unicode.Scalar) -> ScalarSet? {
    switch letter {
    case "d": ScalarSet(ranges: digits)
    case "D": ScalarSet(ranges: digits, isNegated: true)
    case "s": ScalarSet(ranges: spaces)
    case "S": ScalarSet(ranges: spaces, isNegated: true)
    case "w": ScalarSet(hasWord: true)
    case "W": ScalarSet(hasNonWord: true)
    default: nil
    }
  }

  /// Returns the character that the escape sequence at `index` denotes.
  private mutating func escapedScalar() throws(RegexError) -> Unicode.Scalar {
    let scalar = scalars[index]
    index += 1
    switch scalar {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "f": return "\u{0C}"
    case "v": return "\u{0B}"
    case "e": return "\u{1B}"
    case "0": return "\0"
    case "x": return try hexadecimal(2)
    case "u": return try hexadecimal(4)
    default: break
    }
    guard !scalar.isASCII || !scalar.properties.isAlphabetic else {
      throw RegexError("\\\(scalar) is not supported")
    }
    return scalar
  }

  private mutating func hexadecimal(_ digits: Int) throws(RegexError) -> Unicode.Scalar {
    let isBraced = take("{")
    var value: UInt32 = 0
    var count = 0
    while count < (isBraced ? 6 : digits), let digit = next, digit.isASCII,
      let number = Character(digit).hexDigitValue
    {
      value = value << 4 | UInt32(number)
      count += 1
      index += 1
    }
    guard count > 0, !isBraced || take("}"), let scalar = Unicode.Scalar(value) else {
      throw RegexError("\\x and \\u need hexadecimal digits of a character")
    }
    return scalar
  }

  /// Returns the complement of `ranges`.
  private static func others(than ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var others: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if next < range.lowerBound { others.append(next...range.lowerBound - 1) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10FFFF { others.append(next...0x10FFFF) }
    return others
  }

  /// Parses a bracket expression; `index` is after the opening bracket.
  private mutating func bracket() throws(RegexError) -> ScalarSet {
    var set = ScalarSet()
    set.isNegated = take("^")
    var isFirst = true
    while let scalar = next {
      if scalar == "]", !isFirst {
        index += 1
        return set
      }
      isFirst = false
      if scalar == "[", index + 1 < scalars.count, scalars[index + 1] == ":" {
        if try namedClass(&set) { continue }
      }
      if scalar == "\\", index + 1 < scalars.count, let named = Self.namedSet(scalars[index + 1]) {
        index += 2
        set.ranges += named.isNegated ? Self.others(than: named.ranges) : named.ranges
        set.hasWord = set.hasWord || named.hasWord
        set.hasNonWord = set.hasNonWord || named.hasNonWord
        continue
      }
      let low = try bracketScalar()
      guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
        add(low.value...low.value, to: &set)
        continue
      }
      index += 1
      let high = try bracketScalar()
      guard low <= high else { throw RegexError("the range \(low)-\(high) runs backwards") }
      add(low.value...high.value, to: &set)
    }
    throw RegexError("a [ has no ] after it")
  }

  private mutating func bracketScalar() throws(RegexError) -> Unicode.Scalar {
    guard let scalar = next else { throw RegexError("a [ has no ] after it") }
    index += 1
    guard scalar == "\\" else { return scalar }
    guard let escaped = next else { throw RegexError("it ends with a \\") }
    if escaped == "b" {
      index += 1
      return "\u{08}"
    }
    return try escapedScalar()
  }

  /// Parses `[:alpha:]` and other named classes; returns false when the text at `index` is no named class.
  private mutating func namedClass(_ set: inout ScalarSet) throws(RegexError) -> Bool {
    var at = index + 2
    var name = ""
    while at < scalars.count, scalars[at].isASCII, scalars[at].properties.isAlphabetic, name.utf8.count < 8 {
      name.unicodeScalars.append(scalars[at])
      at += 1
    }
    guard at + 1 < scalars.count, scalars[at] == ":", scalars[at + 1] == "]" else { return false }
    switch name {
    case "alpha", "alnum", "word": set.hasWord = true
    case "digit": set.ranges += Self.digits
    case "space", "blank": set.ranges += Self.spaces
    case "lower", "upper":
      add(name == "lower" ? 0x61...0x7A : 0x41...0x5A, to: &set)
    case "punct":
      set.ranges += [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E, 0x2010...0x2027, 0x3001...0x3002]
    case "xdigit": set.ranges += [0x30...0x39, 0x41...0x46, 0x61...0x66]
    default: throw RegexError("there is no class [:\(name):]")
    }
    index = at + 2
    return true
  }
}

/// Why a text is not a valid regular expression.
public struct RegexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A clause without final punctuation: "a ( has no ) after it".
  public let message: String
  public var description: String { message }
  init(_ message: String) { self.message = message }
  static let tooLarge = RegexError("it is too large (long repetitions count as often as they repeat)")
}
