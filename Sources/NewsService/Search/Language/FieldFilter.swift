import NewsCore
import NewsToolbox

/// A parsed part of a query.
struct QueryNode {
  var query: Query
  /// True for a word without tokens (`&`): it is ignored unless it is the whole query.
  var isBlank = false

  static func word(_ text: String) -> QueryNode { words(TextMatch(text: text)) }

  static func words(_ match: TextMatch) -> QueryNode {
    QueryNode(query: .text(match), isBlank: TermPattern(match).isEmpty)
  }
}

/// Turns a field and its value into a condition, and decides which names count as fields.
struct FieldFilter {
  /// The reference time of relative times such as `since:3d`.
  let now: Timestamp

  /// Returns the condition for `value` in `field`; `sort` selects everything.
  func value(_ value: String, _ field: QueryField?) throws(QueryError) -> QueryNode {
    switch field {
    case nil, .title, .author:
      var match = TextMatch(field: Self.textField(field), text: value)
      if value.unicodeScalars.count > 1, value.hasSuffix(bytesOf: "*") {
        match.text = String(value.unicodeScalars.dropLast())
        match.kind = .prefix
      }
      return .words(match)
    case .feed: return QueryNode(query: .feed(value))
    case .folder: return QueryNode(query: .folder(value))
    case .tag: return QueryNode(query: .tag(value))
    case .label: return QueryNode(query: .label(value))
    case .url: return QueryNode(query: .url(value))
    case .lang: return QueryNode(query: .language(value))
    case .saved: return QueryNode(query: .saved(value))
    case .is: return QueryNode(query: try Self.state(value))
    case .has:
      _ = try Self.choice(.has, value, ["enclosure"])
      return QueryNode(query: .hasEnclosure)
    case .since: return QueryNode(query: .since(try time(.since, value)))
    case .until: return QueryNode(query: .until(try time(.until, value)))
    case .stored: return QueryNode(query: .storedSince(try time(.stored, value)))
    case .sort: return QueryNode(query: .all)
    }
  }

  static func phrase(_ text: String, isPrefix: Bool, _ field: QueryField?) -> QueryNode {
    .words(TextMatch(field: textField(field), kind: isPrefix ? .prefix : .phrase, text: text))
  }

  static func regex(_ source: String, _ field: QueryField?) throws(QueryError) -> QueryNode {
    do {
      _ = try BoundedRegex(source)
    } catch {
      throw QueryError(
        code: .badRegex,
        message: "/\(source)/ is not a valid regular expression: \(error.message)"
      )
    }
    return QueryNode(query: .regex(source, textField(field)))
  }

  static func order(_ value: String) throws(QueryError) -> ItemOrder? {
    ItemOrder(rawValue: try choice(.sort, value, ItemOrder.allCases.map(\.rawValue)))
  }

  private static func textField(_ field: QueryField?) -> TextMatch.Field {
    field == .title ? .title : field == .author ? .author : .any
  }

  private static let schemes: Set<String> = [
    "http", "https", "ftp", "ftps", "file", "mailto", "magnet", "tel", "data", "news", "urn", "feed",
    "javascript",
    "about", "git", "ssh", "irc", "ws", "wss", "xmpp", "doi", "isbn", "arxiv", "localhost", "blob", "view",
  ]

  /// True when `name:value` looks like a field rather than a URL, a port, a C++ name or a smiley.
  static func isField(_ name: String, _ value: String) -> Bool {
    guard name.utf8.count >= 2, name.utf8.allSatisfy({ ASCII.isLowercase($0) || $0 == UInt8(ascii: "_") }),
      !schemes.contains(name),
      let first = value.utf8.first
    else { return false }
    if first == UInt8(ascii: ":") || first == UInt8(ascii: "/") || first == UInt8(ascii: "\\") {
      return false
    }
    // Digits are a port or a time of day, unless the name resembles a field.
    if value.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }) {
      return !QueryField.near(name).isEmpty
    }
    return !TermPattern(TextMatch(text: value)).isEmpty
  }

  static func unknownField(_ name: String, _ text: String) -> QueryError {
    let near = QueryField.near(name)
    let known = QueryField.allCases.map { $0.rawValue + ":" }.joined(separator: " ")
    let words = text.replacing(ascii: "\"", with: "")
    let hint = near.isEmpty ? " Fields are \(known)." : EditDistance.question(near)
    return QueryError(
      code: .unknownField,
      message: "there is no field \(name):.\(hint) To search for the words, put them in quotes: \"\(words)\"."
    )
  }

  private static func state(_ value: String) throws(QueryError) -> Query {
    switch try choice(.is, value, ["unread", "read", "starred", "unstarred"]) {
    case "read": .isRead(true)
    case "unread": .isRead(false)
    case "starred": .isStarred(true)
    default: .isStarred(false)
    }
  }

  private static func choice(_ field: QueryField, _ value: String, _ choices: [String]) throws(QueryError)
    -> String
  {
    let lower = value.lowercased()
    if choices.contains(lower) { return lower }
    let near = EditDistance.suggestions(for: lower, among: choices).map { "\(field.rawValue):\($0)" }
    let others = choices.dropLast().joined(separator: ", ")
    let list = (others.isEmpty ? "" : others + " or ") + choices.suffix(1).joined()
    throw QueryError(
      code: .badValue,
      message: "\(field.rawValue): takes \(list), not '\(value)'.\(EditDistance.question(near))"
    )
  }

  private func time(_ field: QueryField, _ value: String) throws(QueryError) -> Timestamp {
    if let time = TimeExpression.parse(value, now: now) { return time }
    throw QueryError(
      code: .badDate,
      message: "\(field.rawValue): cannot read '\(value)' as a time. Write \(TimeExpression.examples)."
    )
  }
}
