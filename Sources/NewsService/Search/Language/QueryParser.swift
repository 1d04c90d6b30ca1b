public import NewsCore

/// A parsed query.
public struct ParsedQuery: Hashable, Sendable {
  public var query: Query
  /// The order given with `sort:`; nil: none.
  public var order: ItemOrder?
}

/// Parses the query language: words that must all occur, `"a phrase"`, `word*`, `OR`, `-not`, parentheses, fields such
/// as `title:` and `since:3d`, `/a regular expression/`, `sort:`.
///
/// The parser accepts nearly any input: an operator without operands is a word, an unmatched quotation mark
/// or parenthesis is punctuation. The only errors are unknown fields, values that a field cannot read, a
/// negated `sort:`, invalid regular expressions, and queries beyond the limits.
public struct QueryParser {
  /// Maximum length of a query in bytes.
  public static let maximumLength = 8192
  /// Maximum nesting of parentheses.
  public static let maximumDepth = 32
  /// Maximum number of words, phrases and fields.
  public static let maximumTerms = 512

  private let scalars: [Unicode.Scalar]
  private let filter: FieldFilter
  private var index = 0
  private var terms = 0
  private var order: ItemOrder?

  /// Parses a query. `now` is the reference time of relative times such as `since:3d`.
  public static func parse(_ text: String, now: Timestamp) throws(QueryError) -> ParsedQuery {
    guard text.utf8.count <= maximumLength else {
      throw QueryError(
        code: .tooComplex,
        message:
          "the query is longer than \(maximumLength) bytes. Save parts of it as searches and combine them."
      )
    }
    var parser = QueryParser(text: text, now: now)
    let nodes = try parser.parseList(depth: 0, field: nil)
    return ParsedQuery(query: nodes.query, order: parser.order)
  }

  private init(text: String, now: Timestamp) {
    // SQLite ends a text at NUL.
    scalars = text.unicodeScalars.map { $0 == "\0" ? " " : $0 }
    filter = FieldFilter(now: now)
  }

  // MARK: Structure

  /// Parses up to the closing parenthesis or the end: alternatives separated by `OR`, each a list of terms that must
  /// all match.
  private mutating func parseList(depth: Int, field: QueryField?) throws(QueryError) -> QueryNode {
    guard depth <= Self.maximumDepth else {
      throw QueryError(
        code: .tooComplex,
        message: "the query has more than \(Self.maximumDepth) nested parentheses"
      )
    }
    var alternatives: [[QueryNode]] = [[]]
    while true {
      skipSpaces()
      guard index < scalars.count else { break }
      if depth > 0, scalars[index] == ")" { break }
      if isKeyword("OR"), alternatives.last?.isEmpty == false, hasOperand(after: index + 2, depth) {
        index += 2
        alternatives.append([])
        continue
      }
      if isKeyword("AND"), alternatives.last?.isEmpty == false, hasOperand(after: index + 3, depth) {
        index += 3
        continue
      }
      guard let node = try parseTerm(depth: depth, field: field) else { continue }
      alternatives[alternatives.count - 1].append(node)
    }
    return Self.combine(alternatives)
  }

  private static func combine(_ alternatives: [[QueryNode]]) -> QueryNode {
    var choices: [Query] = []
    var firstBlank: QueryNode?
    for list in alternatives {
      let full = list.filter { !$0.isBlank }
      if full.isEmpty {
        firstBlank = firstBlank ?? list.first
        continue
      }
      var parts: [Query] = []
      for node in full {
        if case .and(let inner) = node.query { parts += inner } else { parts.append(node.query) }
      }
      parts.removeAll { $0 == .all }
      let query: Query = parts.isEmpty ? .all : parts.count == 1 ? parts[0] : .and(parts)
      if case .or(let inner) = query { choices += inner } else { choices.append(query) }
    }
    if choices.isEmpty { return firstBlank ?? QueryNode(query: .all, isBlank: false) }
    return QueryNode(query: choices.count == 1 ? choices[0] : .or(choices))
  }

  /// Parses one term. Returns nil after `sort:`, or after a character that is not part of a term.
  private mutating func parseTerm(depth: Int, field: QueryField?) throws(QueryError) -> QueryNode? {
    terms += 1
    guard terms <= Self.maximumTerms else {
      throw QueryError(code: .tooComplex, message: "the query has more than \(Self.maximumTerms) terms")
    }
    if isKeyword("NOT"), hasOperand(after: index + 3, depth) {
      index += 3
      skipSpaces()
      return try parseNegated(depth: depth, field: field)
    }
    if scalars[index] == "-", index + 1 < scalars.count, isNegatable(scalars[index + 1], depth) {
      index += 1
      return try parseNegated(depth: depth, field: field)
    }
    skipDashes()
    if scalars[index] == "(" {
      index += 1
      return try parseGroup(depth: depth, field: field)
    }
    if scalars[index] == "/", let source = readRegex(depth) { return try FieldFilter.regex(source, field) }
    if let quoted = readQuoted(depth) {
      return try make(quoted, field)
    }
    if field == nil, let name = fieldName() {
      return try parseField(name, depth: depth)
    }
    let text = readWord(depth)
    guard !text.isEmpty else {
      index += 1
      return nil
    }
    return try make(text, field)
  }

  private mutating func parseNegated(depth: Int, field: QueryField?) throws(QueryError) -> QueryNode? {
    let orderBefore = order
    guard let node = try parseTerm(depth: depth, field: field) else {
      guard order == orderBefore else {
        throw QueryError(code: .badValue, message: "sort: says how to order; it cannot be negated")
      }
      return nil
    }
    if case .not(let inner) = node.query { return QueryNode(query: inner, isBlank: node.isBlank) }
    return node.isBlank ? node : QueryNode(query: .not(node.query))
  }

  private mutating func parseGroup(depth: Int, field: QueryField?) throws(QueryError) -> QueryNode? {
    let start = index
    let node = try parseList(depth: depth + 1, field: field)
    let isEmpty = !scalars[start..<index].contains { !$0.properties.isWhitespace }
    if index < scalars.count { index += 1 }
    return isEmpty ? QueryNode(query: .text(TextMatch(text: "()")), isBlank: true) : node
  }

  // MARK: Tokens

  private mutating func skipSpaces() {
    while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
  }

  /// Skips two or more dashes before a parenthesis, phrase, regular expression or field (`--(a OR b)`,
  /// `--"a b"`, `--/a/`, `--title:a`). Such dashes negate nothing; if they stayed, the parser would read the
  /// following text as plain words. Dashes before a word (`--word`) stay part of the word.
  private mutating func skipDashes() {
    var at = index
    while at < scalars.count, scalars[at] == "-" { at += 1 }
    guard at >= index + 2, at < scalars.count else { return }
    let start = index
    index = at
    let isStructure =
      scalars[at] == "(" || scalars[at] == "/" || Self.closingQuotes[scalars[at]] != nil
      || fieldName().flatMap(QueryField.init(named:)) != nil
    if !isStructure { index = start }
  }

  private func isBorder(_ at: Int, _ depth: Int) -> Bool {
    at >= scalars.count || scalars[at].properties.isWhitespace || (depth > 0 && scalars[at] == ")")
  }

  /// True when the keyword, in capitals, is at `index`, followed by white space or a parenthesis.
  private func isKeyword(_ keyword: String) -> Bool {
    let letters = keyword.unicodeScalars
    guard index + letters.count < scalars.count, scalars[index...].starts(with: letters) else { return false }
    let next = scalars[index + letters.count]
    return next.properties.isWhitespace || next == "("
  }

  private func hasOperand(after start: Int, _ depth: Int) -> Bool {
    var at = start
    while at < scalars.count, scalars[at].properties.isWhitespace { at += 1 }
    return at < scalars.count && !(depth > 0 && scalars[at] == ")")
  }

  private func isNegatable(_ next: Unicode.Scalar, _ depth: Int) -> Bool {
    !(next.properties.isWhitespace || next == "-" || (depth > 0 && next == ")"))
  }

  /// Reads up to white space, or to the parenthesis that closes the enclosing group; balanced parentheses belong to the
  /// word.
  private mutating func readWord(_ depth: Int) -> String {
    let start = index
    var open = 0
    while index < scalars.count, !scalars[index].properties.isWhitespace {
      if scalars[index] == "(" { open += 1 }
      if scalars[index] == ")" {
        if open == 0, depth > 0 { break }
        open -= 1
      }
      index += 1
    }
    return string(start..<index)
  }

  private func string(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  private static let closingQuotes: [Unicode.Scalar: [Unicode.Scalar]] = [
    "\"": ["\""], "“": ["”", "“"], "„": ["“", "”"], "«": ["»"], "»": ["«"], "「": ["」"], "『": ["』"],
  ]

  private struct Quoted {
    var text: String
    var isPrefix: Bool
  }

  /// Reads a phrase and an asterisk after it. Returns nil when the phrase is not closed; `index` does not move then.
  private mutating func readQuoted(_ depth: Int) -> Quoted? {
    guard let closing = Self.closingQuotes[scalars[index]] else { return nil }
    for honoursEscapes in [true, false] {
      var text = String.UnicodeScalarView()
      var at = index + 1
      while at < scalars.count, !closing.contains(scalars[at]) {
        if honoursEscapes, scalars[at] == "\\", at + 1 < scalars.count,
          closing.contains(scalars[at + 1]) || scalars[at + 1] == "\\"
        {
          at += 1
        }
        text.append(scalars[at])
        at += 1
      }
      guard at < scalars.count else { continue }
      index = at + 1
      let isPrefix = index < scalars.count && scalars[index] == "*"
      if isPrefix { index += 1 }
      return Quoted(text: String(text), isPrefix: isPrefix)
    }
    return nil
  }

  /// Reads the text between two slashes, if white space, a closing parenthesis or the end follows.
  private mutating func readRegex(_ depth: Int) -> String? {
    var at = index + 1
    while at < scalars.count {
      if scalars[at] == "\\" {
        at += 2
        continue
      }
      if scalars[at] == "/", at > index + 1, isBorder(at + 1, depth) {
        let source = string((index + 1)..<at)
        index = at + 1
        return source
      }
      at += 1
    }
    return nil
  }

  // MARK: Fields

  /// Returns the letters before a colon that is followed by a value; `index` does not move.
  private func fieldName() -> String? {
    var at = index
    while at < scalars.count, scalars[at].isASCII, scalars[at].properties.isAlphabetic || scalars[at] == "_" {
      at += 1
    }
    guard at > index, at + 1 < scalars.count, scalars[at] == ":", !isBorder(at + 1, 1) else { return nil }
    return string(index..<at)
  }

  private mutating func parseField(_ name: String, depth: Int) throws(QueryError) -> QueryNode? {
    let valueStart = index + name.unicodeScalars.count + 1
    guard let field = QueryField(named: name) else {
      let start = index
      let text = readWord(depth)
      let value = string(valueStart..<max(valueStart, index))
      if FieldFilter.isField(name, value) {
        index = start
        throw FieldFilter.unknownField(name, text)
      }
      return QueryNode.word(text)
    }
    index = valueStart
    if scalars[index] == "(", field != .sort {
      index += 1
      return try parseGroup(depth: depth, field: field)
    }
    if let quoted = readQuoted(depth) { return try make(quoted, field) }
    // Read a regular expression only for title and author: in other fields, such as `url:`, `/2026/` is part of a path.
    if field == .title || field == .author, scalars[index] == "/", let source = readRegex(depth) {
      return try FieldFilter.regex(source, field)
    }
    return try make(readWord(depth), field)
  }

  private mutating func make(_ quoted: Quoted, _ field: QueryField?) throws(QueryError) -> QueryNode? {
    switch field {
    case nil, .title, .author: FieldFilter.phrase(quoted.text, isPrefix: quoted.isPrefix, field)
    default: try make(quoted.text, field) ?? QueryNode(query: .all)
    }
  }

  /// Makes the condition for a value in a field. Returns nil for `sort:`, which sets the order instead.
  private mutating func make(_ value: String, _ field: QueryField?) throws(QueryError) -> QueryNode? {
    guard field != .sort else {
      order = try FieldFilter.order(value)
      return nil
    }
    return try filter.value(value, field)
  }
}
