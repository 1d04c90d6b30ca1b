package import NewsCore
import NewsSearch

/// Translates a query to an SQL condition on one row `i` of `items`. A store defines what its database cannot share.
package protocol QueryDialect {
  associatedtype Session: StoreSession
  var session: Session { get }
  var values: StatementValues { get }
  /// Returns the condition for words; nil for a query that the full-text index cannot answer. See `translate` for
  /// `selectsMore`.
  mutating func words(_ query: Query, selectsMore: Bool) -> String?
  /// Returns the condition for a regular expression, which is valid.
  mutating func regex(_ pattern: String, in field: TextMatch.Field, selectsMore: Bool) -> String
  /// Returns the condition for a tag in lower case; its parameter is given.
  func tag(_ parameter: String) -> String
  /// Returns the condition that `column` is like the pattern in `parameter`, ignoring the case of ASCII letters. A
  /// backslash escapes.
  func like(_ column: String, _ parameter: String) -> String
  func since(_ time: Timestamp) -> String
  func until(_ time: Timestamp) -> String
}

/// The values of a statement's parameters.
package final class StatementValues {
  package private(set) var all: [StoreValue] = []

  package init() {}

  /// Appends a value and returns its parameter, such as `$1`.
  package func add(_ value: any StoreValueConvertible) -> String {
    all.append(value.storeValue)
    return "$\(all.count)"
  }
}

extension QueryDialect {
  /// Translates a query. For a part that SQL cannot evaluate, the result is true with `selectsMore` and false without
  /// it. NOT inverts `selectsMore` for its operand.
  package mutating func translate(_ query: Query, selectsMore: Bool = true) throws(StoreError) -> String {
    if let words = words(query, selectsMore: selectsMore) { return words }
    switch query {
    case .all, .text: return "true"
    case .and(let parts): return try joined(parts, " AND ", empty: "true", selectsMore)
    case .or(let parts): return try joined(parts, " OR ", empty: "false", selectsMore)
    case .not(let inner): return "NOT coalesce(\(try translate(inner, selectsMore: !selectsMore)), false)"
    case .feedID(let id): return "i.feed = \(id.rawValue)"
    case .feed, .folder: return FeedName.condition(feeds: try feeds(of: query))
    case .tag(let name): return tag(values.add(name.lowercased()))
    case .label(let name):
      let labels = try session.labels(named: name).map { values.add($0) }
      guard !labels.isEmpty else { return "false" }
      return "i.id IN (SELECT item FROM item_labels WHERE label IN (\(labels.joined(separator: ", "))))"
    case .url(let part): return like("i.url", values.add("%" + Self.escaped(part) + "%"))
    case .language(let tag):
      let tag = Self.escaped(tag)
      return "(\(like("i.language", values.add(tag))) OR \(like("i.language", values.add(tag + "-%"))))"
    case .isRead(let flag): return "i.is_read = \(flag ? 1 : 0)"
    case .isStarred(let flag): return "i.is_starred = \(flag ? 1 : 0)"
    case .hasEnclosure: return "i.has_enclosure = 1"
    case .since(let time): return since(time)
    case .until(let time): return until(time)
    case .storedSince(let time): return "i.stored >= \(time.seconds)"
    case .regex(let pattern, let field):
      do {
        _ = try BoundedRegex(pattern)
      } catch {
        throw StoreError(
          code: .badQuery,
          message: "/\(pattern)/ is not a valid regular expression: \(error.message)"
        )
      }
      return regex(pattern, in: field, selectsMore: selectsMore)
    case .saved: return try translate(try session.expanded(query), selectsMore: selectsMore)
    }
  }

  private mutating func joined(
    _ parts: [Query],
    _ separator: String,
    empty: String,
    _ selectsMore: Bool
  ) throws(StoreError) -> String {
    var conditions: [String] = []
    for part in parts { conditions.append(try translate(part, selectsMore: selectsMore)) }
    return conditions.isEmpty ? empty : "(" + conditions.joined(separator: separator) + ")"
  }

  /// Returns the feeds that the query names: by a part of the title or URL, or by their folder. Case is ignored.
  package func feeds(of query: Query) throws(StoreError) -> [Int64] {
    switch query {
    case .feed(let name): return FeedName.matching(name, among: try session.feedNames())
    case .folder(let name):
      let folders = try session.rows("SELECT id, folder FROM feeds WHERE folder IS NOT NULL") {
        (id: $0.int64(0), folder: $0.string(1))
      }
      return FolderPath.matching(name, among: folders)
    default: return []
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
