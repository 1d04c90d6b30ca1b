import NewsCore

/// Rows of `articles`; the counterpart of `ItemArticles` in the SQLite store.
enum ItemArticles {
  /// The feed's own text of the item in `contents AS c`.
  static let feedText = "coalesce((SELECT feed_text FROM articles WHERE item = c.id), c.text)"

  /// Maximum number of pages queued for one document.
  private static let maximumRequests = 100

  /// Queues the pages of new items for fetching if the feed's settings ask for articles.
  static func request(
    _ items: [NewsItem.ID],
    of feed: Feed.ID,
    _ settings: FeedSettings,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) {
    guard !items.isEmpty, try isWanted(settings, of: feed, connection) else { return }
    try connection.query(
      """
      INSERT INTO articles (item, state, due) SELECT id, 'waiting', $1::bigint FROM items
      WHERE id = ANY($2::bigint[]) AND lower(left(url, 8)) SIMILAR TO 'http://%|https://%' ON CONFLICT DO NOTHING
      """,
      time,
      // Queue the newest items, which a document lists first: a first document may have years of items.
      Parameter.array(items.prefix(maximumRequests).map(\.rawValue))
    )
  }

  private static func isWanted(
    _ settings: FeedSettings,
    of feed: Feed.ID,
    _ connection: Connection
  ) throws(StoreError) -> Bool {
    switch settings.article {
    case .always: return true
    case nil, .never: return false
    case .auto:
      let newest = try connection.query(
        """
        SELECT length(\(feedText)), i.url IS NOT NULL FROM items AS i JOIN contents AS c ON c.id = i.id
        WHERE i.feed = $1 ORDER BY i.sort DESC, i.id DESC LIMIT \(ArticlePolicy.examined)
        """,
        feed.rawValue
      )
      return ArticlePolicy.isForExcerpts(newest.map { (length: $0.int(0), hasLink: $0.bool(1)) })
    }
  }

  /// Handles an edit by the feed: stores the new text beside the article, keeps the article, and queues the
  /// page to be fetched again.
  ///
  /// - Returns: The article that remains in `contents`; nil if there is none.
  static func feedChanged(
    _ id: Int64,
    to item: StoredItem,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) -> (text: String, html: String?)? {
    let row = try connection.query(
      """
      SELECT c.text, c.html FROM articles AS a JOIN contents AS c ON c.id = a.item
      WHERE a.item = $1 AND a.feed_text IS NOT NULL
      """,
      id
    ).first
    guard let row else { return nil }
    try connection.query(
      "UPDATE articles SET feed_text = $1, feed_html = $2, attempts = 0, due = $3 WHERE item = $4",
      item.text,
      item.html,
      time,
      id
    )
    return (row.string(0), row.optionalString(1))
  }
}
