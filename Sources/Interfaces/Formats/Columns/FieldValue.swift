import NewsCore

/// A typed value of one column; each format encodes it in its own way.
enum FieldValue: Hashable, Sendable {
  case none
  case text(String)
  case number(Int64)
  case flag(Bool)
  case time(Timestamp)
  case words([String])
  case authors([Author])
  case enclosures([Enclosure])

  init(_ text: String?) {
    if let text { self = .text(text) } else { self = .none }
  }

  init(_ time: Timestamp?) {
    if let time { self = .time(time) } else { self = .none }
  }

  init(_ number: Int64?) {
    if let number { self = .number(number) } else { self = .none }
  }

  /// True if there is nothing to show: no value, empty text or an empty list.
  var isEmpty: Bool {
    switch self {
    case .none: true
    case .text(let text): text.isEmpty
    case .words(let words): words.isEmpty
    case .authors(let authors): authors.isEmpty
    case .enclosures(let enclosures): enclosures.isEmpty
    case .number, .flag, .time: false
    }
  }

  /// True for a flag that is set, and for other values that are not empty.
  var isTruthy: Bool {
    if case .flag(let flag) = self { return flag }
    return !isEmpty
  }

  /// The elements of a list; a single value counts as a list of one.
  var parts: [String] {
    switch self {
    case .none: []
    case .words(let words): words
    case .authors(let authors): authors.map(\.displayName)
    case .enclosures(let enclosures): enclosures.map(\.url)
    case .text, .number, .flag, .time: [text]
    }
  }

  /// The value as one string for table cells and templates. Lists are joined with a comma, enclosures with a space.
  var text: String {
    switch self {
    case .none: ""
    case .text(let text): text
    case .number(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .time(let time): time.rfc3339
    case .words, .authors: parts.joined(separator: ", ")
    case .enclosures: parts.joined(separator: " ")
    }
  }
}
