import NewsSearch
import NewsStoresShared
import NewsCore

/// A query as an SQL condition on one row `i` of `items`.
///
/// The server cannot evaluate newsd's regular expressions, nor phrases in items stored without positions. For these,
/// the condition also selects items that do not match. `needsCheck` is then set, and the caller checks each item with
/// `QueryMatcher`.
struct ItemCondition {
  private(set) var sql = ""
  /// True if the condition may select items that do not match the query.
  private(set) var needsCheck = false
  private let connection: Connection
  private let hasClipped: Bool
  private var values: Values

  /// The parameters of a statement, numbered from 1.
  final class Values {
    private(set) var parameters: [Parameter] = []

    /// Appends a parameter and returns its placeholder, such as `$1`.
    func add(_ value: any ParameterConvertible) -> String {
      parameters.append(value.parameter)
      return "$\(parameters.count)"
    }
  }

  /// Translates a query whose saved searches are expanded. `hasClipped` is true if some items of the store lack
  /// positions or words. The condition's parameters are added to `values`.
  init(_ query: Query, hasClipped: Bool, _ values: Values, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    self.hasClipped = hasClipped
    self.values = values
    sql = try translate(query, selectsMore: true)
  }

  /// Translates a query. For a part that SQL cannot evaluate, the result is true with `selectsMore` and false without
  /// it. NOT inverts `selectsMore` for its operand.
  private mutating func translate(_ query: Query, selectsMore: Bool) throws(StoreError) -> String {
    if let words = WordQuery(query) { return condition(words, selectsMore: selectsMore) }
    switch query {
    case .all, .text: return "true"
    case .and(let parts): return try joined(parts, " AND ", empty: "true", selectsMore)
    case .or(let parts): return try joined(parts, " OR ", empty: "false", selectsMore)
    case .not(let inner): return "NOT coalesce(\(try translate(inner, selectsMore: !selectsMore)), false)"
    case .feedID(let id): return "i.feed = \(id.rawValue)"
    case .feed(let name): return Self.condition(feeds: try Self.feeds(named: name, connection))
    case .folder(let name): return Self.condition(feeds: try Self.feeds(inFolder: name, connection))
    case .tag(let name):
      return
        "EXISTS (SELECT 1 FROM item_tags AS t WHERE t.item = i.id AND t.tag = \(values.add(name.lowercased())))"
    case .url(let part):
      return "lower(i.url) LIKE lower(\(values.add("%" + Self.escaped(part) + "%")) COLLATE \"C\")"
    case .language(let tag):
      return "(lower(i.language) = lower(\(values.add(tag)) COLLATE \"C\") "
        + "OR lower(i.language) LIKE lower(\(values.add(Self.escaped(tag) + "-%")) COLLATE \"C\"))"
    case .isRead(let flag): return "i.is_read = \(flag ? 1 : 0)"
    case .isStarred(let flag): return "i.is_starred = \(flag ? 1 : 0)"
    case .hasEnclosure: return "i.has_enclosure = 1"
    case .since(let time): return "i.sort >= \(time.seconds)"
    case .until(let time): return "i.sort < \(time.seconds)"
    case .storedSince(let time): return "i.stored >= \(time.seconds)"
    case .regex(let pattern, _):
      do {
        _ = try BoundedRegex(pattern)
      } catch {
        throw StoreError(
          code: .badQuery,
          message: "/\(pattern)/ is not a valid regular expression: \(error.message)"
        )
      }
      needsCheck = true
      return selectsMore ? "true" : "false"
    case .saved(let name):
      throw StoreError(code: .badQuery, message: "no search is saved as '\(name)'")
    }
  }

  private mutating func condition(_ words: WordQuery, selectsMore: Bool) -> String {
    let match: String
    if !hasClipped {
      match = "w.words @@ \(values.add(words.text))::tsquery"
    } else if selectsMore {
      needsCheck = true
      match = Self.loose(words, values)
    } else {
      needsCheck = true
      match = "w.clipped = 0 AND w.words @@ \(values.add(words.text))::tsquery"
    }
    return "EXISTS (SELECT 1 FROM words AS w WHERE w.id = i.id AND (\(match)))"
  }

  /// The condition on a row `w` of `words`; selects more than the query where positions or words are missing.
  static func loose(_ words: WordQuery, _ values: Values) -> String {
    "w.words @@ \(values.add(words.text))::tsquery OR w.clipped = 1 AND w.words @@ "
      + "\(values.add(words.unordered))::tsquery OR w.clipped = 2"
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

  /// The ids are integers from the store, so they are safe to insert into SQL.
  private static func condition(feeds: [Int64]) -> String {
    switch feeds.count {
    case 0: "false"
    case 1: "i.feed = \(feeds[0])"
    default: "i.feed IN (\(feeds.map(String.init).joined(separator: ",")))"
    }
  }

  private static func feeds(named name: String, _ connection: Connection) throws(StoreError) -> [Int64] {
    FeedName.matching(name, among: try connection.feedNames())
  }

  private static func feeds(inFolder name: String, _ connection: Connection) throws(StoreError) -> [Int64] {
    let folders = try connection.query("SELECT id, folder FROM feeds WHERE folder IS NOT NULL").map {
      (id: $0.int64(0), folder: $0.string(1))
    }
    return FolderPath.matching(name, among: folders)
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
