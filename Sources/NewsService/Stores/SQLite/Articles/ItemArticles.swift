import NewsStoresShared
import NewsCore
import NewsToolbox

/// Rows of `articles`.
enum ItemArticles {
  /// Reads an item's row.
  static func read(_ id: NewsItem.ID, _ connection: Connection) throws(StoreError) -> ItemArticle? {
    let row = try connection.prepare(
      "SELECT state, reason, fetched, feed_text, feed_html FROM articles WHERE item = ?"
    )
    try row.bind(1, id.rawValue)
    guard try row.step(), let state = ItemArticle.State(rawValue: row.string(0)) else { return nil }
    return ItemArticle(
      state: state,
      reason: row.optionalString(1),
      fetched: row.time(2),
      feedText: row.optionalString(3),
      feedHTML: row.optionalString(4)
    )
  }
}
