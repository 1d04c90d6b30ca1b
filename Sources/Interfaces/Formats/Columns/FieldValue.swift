import Modules
import NewsCore

/// A value of one column, typed, so that every format writes it its own way.
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

  /// True when there is nothing to show: absent, empty text, an empty list.
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

  /// True for a flag that is set and for a value that is not empty.
  var holds: Bool {
    if case .flag(let flag) = self { return flag }
    return !isEmpty
  }

  /// The parts of a list; a single value is a list of one.
  var parts: [String] {
    switch self {
    case .none: []
    case .words(let words): words
    case .authors(let authors): authors.map(\.displayName)
    case .enclosures(let enclosures): enclosures.map(\.url)
    case .text, .number, .flag, .time: [flat]
    }
  }

  /// In one string, as table cells and templates show it; lists are joined with a comma, enclosures with a space.
  var flat: String {
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

/// The columns of one kind of record; raw values are the machine names, the same in every format.
protocol RecordField: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  associatedtype Record: Sendable
  /// The columns of JSON without `--fields`.
  static var usualColumns: [Self] { get }
  /// The columns of the other table formats without `--fields`.
  static var defaultColumns: [Self] { get }
  /// What `ids` prints.
  static var identity: Self { get }
  func value(of record: Record) -> FieldValue
  /// True for points in time.
  var isTime: Bool { get }
}

extension RecordField {
  static var usualColumns: [Self] { Array(allCases) }

  /// The columns that `names` ask for.
  ///
  /// - Throws: A usage error that names the unknown column and the one nearest to it.
  static func columns(named names: [String]) throws(UserMessage) -> [Self] {
    var columns: [Self] = []
    for name in names {
      guard let column = Self(rawValue: name) else {
        let all = Self.allCases.map(\.rawValue)
        throw UserMessage(
          code: .usage,
          text: Spelling.unknown("field", name, among: all)
        )
      }
      columns.append(column)
    }
    return columns
  }
}
