package import NewsCore
package import NewsToolbox

/// A row of `articles` in an export.
package struct ExportedArticle {
  private var state: String
  private var reason: String?
  private var attempts: Int64
  private var due: Int64?
  private var fetched: Int64?
  package private(set) var feedText: String?
  package var feedHTML: String?

  /// The columns from which `init(row:)` reads.
  package static let columns = "state, reason, attempts, due, fetched, feed_text, feed_html"

  package init(row: borrowing some StoreRow & ~Copyable) {
    state = row.string(0)
    reason = row.optionalString(1)
    attempts = row.int64(2)
    due = row.optionalInt64(3)
    fetched = row.optionalInt64(4)
    feedText = row.optionalString(5)
    feedHTML = row.optionalString(6)
  }

  /// Decodes an article. Returns nil for an object that is no article.
  package init?(_ value: JSONValue) {
    func number(_ name: String) -> Int64? {
      value[name]?.integer.flatMap { ExportColumn.numbers.contains($0) ? $0 : nil }
    }
    guard let state = value["state"]?.string, ItemArticle.State(rawValue: state) != nil else { return nil }
    self.state = state
    reason = (value["reason"]?.string).map { GivenName.cut($0) }
    attempts = number("attempts") ?? 0
    due = number("due")
    fetched = number("fetched")
    feedText = (value["feed_text"]?.string).map { StoredItem.cut($0) }
    feedHTML = feedText == nil ? nil : value["feed_html"]?.string.flatMap { StoredItem.whole($0) }
  }

  package var json: JSONValue {
    .object(of: [
      "state": .string(state), "reason": reason.map(JSONValue.string),
      "attempts": attempts == 0 ? nil : .integer(attempts), "due": due.map(JSONValue.integer),
      "fetched": fetched.map(JSONValue.integer), "feed_text": feedText.map(JSONValue.string),
      "feed_html": feedHTML.map(JSONValue.string),
    ])
  }

  /// The values of `columns`.
  package var values: [StoreValue] {
    [
      .text(state), StoreValue(reason), .integer(attempts), StoreValue(due), StoreValue(fetched),
      StoreValue(feedText), StoreValue(feedHTML),
    ]
  }
}
