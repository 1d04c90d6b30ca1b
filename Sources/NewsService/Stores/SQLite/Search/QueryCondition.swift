import NewsSearch
import NewsStoresShared
import NewsCore

/// The value of an SQL parameter.
enum SQLValue: Hashable {
  case integer(Int64)
  case text(String)

  func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    switch self {
    case .integer(let value): try statement.bind(index, value)
    case .text(let value): try statement.bind(index, value)
    }
  }
}

/// A query as an SQL condition on one row `i` of `items`.
struct QueryCondition {
  /// The way in which the condition looks up words when it is combined with others.
  enum WordLookup {
    /// Collects all matches before the first row is checked. Suits many rows.
    case gathered
    /// Queries the index for each row. Suits few rows.
    case perRow
  }

  private(set) var sql: String
  private(set) var values: [SQLValue] = []
  private let connection: Connection
  private let words: WordLookup

  init(_ query: Query, words: WordLookup, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    self.words = words
    sql = ""
    sql = try translate(query)
  }

  private mutating func translate(_ query: Query) throws(StoreError) -> String {
    if let expression = FullTextExpression(query) {
      values.append(.text(expression.text))
      switch words {
      case .gathered: return "i.key IN (SELECT rowid FROM search WHERE search MATCH ?)"
      case .perRow: return "EXISTS (SELECT 1 FROM search WHERE search MATCH ? AND rowid = i.key)"
      }
    }
    switch query {
    case .all: return "1"
    case .and(let parts): return try joined(parts, " AND ", empty: "1")
    case .or(let parts): return try joined(parts, " OR ", empty: "0")
    case .not(let inner): return "NOT coalesce(\(try translate(inner)), 0)"
    case .text: return "1"
    case .feedID(let id): return "i.feed = \(id.rawValue)"
    case .feed(let name): return Self.condition(feeds: try FeedLookup.named(name, connection))
    case .folder(let name): return Self.condition(feeds: try FeedLookup.inFolder(name, connection))
    case .tag(let name):
      values.append(.text(name.lowercased()))
      return "i.key IN (SELECT item FROM item_tags WHERE tag = (SELECT id FROM tags WHERE name = ?))"
    case .url(let part):
      values.append(.text(Self.pattern(containing: part)))
      return "i.url LIKE ? ESCAPE '\\'"
    case .language(let tag):
      values.append(.text(tag))
      values.append(.text(Self.escaped(tag) + "-%"))
      return "(i.language = ? COLLATE NOCASE OR i.language LIKE ? ESCAPE '\\')"
    case .isRead(let flag): return "i.is_read = \(flag ? 1 : 0)"
    case .isStarred(let flag): return "i.is_starred = \(flag ? 1 : 0)"
    case .hasEnclosure: return "i.has_enclosure = 1"
    case .since(let time): return "(\(ItemKey.condition(since: time, key: "i.key")))"
    case .until(let time): return "(\(ItemKey.condition(until: time, key: "i.key")))"
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
      let title = "newsd_regex(?, i.title)"
      func content(_ column: String) -> String {
        "newsd_regex(?, (SELECT c.\(column) FROM contents AS c WHERE c.id = i.id))"
      }
      values.append(.text(pattern))
      switch field {
      case .title: return title
      case .author: return content("author")
      case .any:
        values.append(.text(pattern))
        return "(\(title) OR \(content("text")))"
      }
    case .saved:
      return try translate(try QueryExpansion.expand(query, saved: connection.savedQuery))
    }
  }

  private mutating func joined(
    _ parts: [Query],
    _ separator: String,
    empty: String
  ) throws(StoreError) -> String {
    var conditions: [String] = []
    for part in parts { conditions.append(try translate(part)) }
    return conditions.isEmpty ? empty : "(" + conditions.joined(separator: separator) + ")"
  }

  /// Returns the condition for items of these feeds. The ids are integers from the store, so they are safe to insert
  /// into SQL.
  static func condition(feeds: [Int64]) -> String {
    feeds.count == 1 ? "i.feed = \(feeds[0])" : "i.feed IN (\(feeds.map(String.init).joined(separator: ",")))"
  }

  /// Prevents the query planner from using an index for this condition.
  mutating func keepFromIndex() { sql = "+(" + sql + ")" }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      if character == "%" || character == "_" || character == "\\" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(character)
    }
    return result
  }

  private static func pattern(containing part: String) -> String { "%" + escaped(part) + "%" }
}

/// Finds the feeds that part of a query refers to.
enum FeedLookup {
  /// Returns the feeds whose title or URL contains `name`, ignoring case.
  static func named(_ name: String, _ connection: Connection) throws(StoreError) -> [Int64] {
    FeedName.matching(name, among: try connection.feedNames())
  }

  /// Returns the feeds in the folder and its subfolders, ignoring case.
  static func inFolder(_ name: String, _ connection: Connection) throws(StoreError) -> [Int64] {
    let statement = try connection.prepare("SELECT id, folder FROM feeds WHERE folder IS NOT NULL")
    var folders: [(id: Int64, folder: String)] = []
    while try statement.step() { folders.append((statement.int64(0), statement.string(1))) }
    return FolderPath.matching(name, among: folders)
  }
}
