import NewsCore
import NewsToolbox

/// Rows of `articles`: one for each item whose page was or will be fetched. While `contents` has the article,
/// the row keeps the feed's own text.
enum ItemArticles {
  /// The feed's own text of the item in `contents AS c`.
  static let feedText = "coalesce((SELECT feed_text FROM articles WHERE item = c.id), c.text)"

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

  /// Queues the pages of new items for fetching if the feed's settings ask for articles.
  static func request(
    _ items: [NewsItem.ID],
    of feed: Feed.ID,
    _ settings: FeedSettings,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) {
    guard !items.isEmpty, try isWanted(settings, of: feed, connection) else { return }
    let insert = try connection.prepare(
      """
      INSERT INTO articles (item, state, due) SELECT id, 'waiting', ? FROM items
      WHERE id = ? AND (url LIKE 'http://%' OR url LIKE 'https://%') ON CONFLICT DO NOTHING
      """
    )
    // Queue the newest items, which a document lists first: a first document may have years of items.
    for id in items.prefix(maximumRequests) {
      try insert.bind(1, time)
      try insert.bind(2, id.rawValue)
      try insert.run()
      insert.reset()
    }
  }

  /// Maximum number of pages queued for one document.
  private static let maximumRequests = 100

  private static func isWanted(
    _ settings: FeedSettings,
    of feed: Feed.ID,
    _ connection: Connection
  ) throws(StoreError) -> Bool {
    switch settings.article {
    case .always: return true
    case nil, .never: return false
    case .auto:
      let row = try connection.prepare(
        """
        SELECT length(\(feedText)), i.url IS NOT NULL FROM items AS i JOIN contents AS c ON c.id = i.id
        WHERE i.feed = ? ORDER BY i.key DESC LIMIT \(ArticlePolicy.examined)
        """
      )
      try row.bind(1, feed.rawValue)
      var newest: [(length: Int, hasLink: Bool)] = []
      while try row.step() { newest.append((row.int(0), row.bool(1))) }
      return ArticlePolicy.isForExcerpts(newest)
    }
  }

  /// Handles an edit by the feed: stores the new text beside the article, keeps the article, and queues the
  /// page to be fetched again.
  ///
  /// - Returns: The article that remains in `contents`; nil if there is none.
  static func feedChanged(
    _ id: NewsItem.ID,
    to item: StoredItem,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) -> (text: String, html: String?)? {
    let row = try connection.prepare(
      """
      SELECT c.text, c.html FROM articles AS a JOIN contents AS c ON c.id = a.item
      WHERE a.item = ? AND a.feed_text IS NOT NULL
      """
    )
    try row.bind(1, id.rawValue)
    guard try row.step() else { return nil }
    let article = (text: row.string(0), html: row.optionalString(1))
    let update = try connection.prepare(
      "UPDATE articles SET feed_text = ?, feed_html = ?, attempts = 0, due = ? WHERE item = ?"
    )
    try update.bind(1, item.text)
    try update.bind(2, item.html)
    try update.bind(3, time)
    try update.bind(4, id.rawValue)
    try update.run()
    return article
  }

  static func remove(_ id: NewsItem.ID, _ connection: Connection) throws(StoreError) {
    let delete = try connection.prepare("DELETE FROM articles WHERE item = ?")
    try delete.bind(1, id.rawValue)
    try delete.run()
  }
}
