import NewsCore
import NewsToolbox

/// A row of `articles` in an export.
struct ExportedArticle {
  private var state: String
  private var reason: String?
  private var attempts: Int64
  private var due: Int64?
  private var fetched: Int64?
  private(set) var feedText: String?
  var feedHTML: String?

  /// Nil when the item has none.
  init?(of id: Int64, _ connection: Connection) throws(StoreError) {
    let row = try connection.prepare(
      "SELECT state, reason, attempts, due, fetched, feed_text, feed_html FROM articles WHERE item = ?"
    )
    try row.bind(1, id)
    guard try row.step() else { return nil }
    state = row.string(0)
    reason = row.optionalString(1)
    attempts = row.int64(2)
    due = row.optionalInt64(3)
    fetched = row.optionalInt64(4)
    feedText = row.optionalString(5)
    feedHTML = row.optionalString(6)
  }

  /// Returns nil for an object without an article.
  init?(_ value: JSONValue) {
    func number(_ name: String) -> Int64? {
      value[name]?.integer.flatMap { ExportColumn.numbers.contains($0) ? $0 : nil }
    }
    guard let state = value["state"]?.string, ItemArticle.State(rawValue: state) != nil else { return nil }
    self.state = state
    reason = value["reason"]?.string
    attempts = number("attempts") ?? 0
    due = number("due")
    fetched = number("fetched")
    feedText = value["feed_text"]?.string
    feedHTML = feedText == nil ? nil : value["feed_html"]?.string
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [.init(name: "state", value: .string(state))]
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(.init(name: name, value: value)) }
    }
    add("reason", reason.map(JSONValue.string))
    add("attempts", attempts == 0 ? nil : .integer(attempts))
    add("due", due.map(JSONValue.integer))
    add("fetched", fetched.map(JSONValue.integer))
    add("feed_text", feedText.map(JSONValue.string))
    add("feed_html", feedHTML.map(JSONValue.string))
    return .object(members)
  }

  func insert(of id: Int64, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare(
      """
      INSERT INTO articles (item, state, reason, attempts, due, fetched, feed_text, feed_html)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    )
    try statement.bind(1, id)
    try statement.bind(2, state)
    try statement.bind(3, reason)
    try statement.bind(4, attempts)
    try statement.bind(5, due)
    try statement.bind(6, fetched)
    try statement.bind(7, feedText)
    try statement.bind(8, feedHTML)
    try statement.run()
  }
}
