import NewsStoresShared
import NewsCore

/// Writes rows of `articles` for a whole batch. `Stores/Shared/Tables` has the statements for single items.
enum ItemArticles {
  /// Maximum number of pages queued for one document.
  private static let maximumRequests = 100

  /// New items of a feed whose pages may have to be fetched.
  struct Request {
    var items: [NewsItem.ID]
    var feed: Feed.ID
    /// If true, pages are queued only if the feed publishes excerpts instead of full texts.
    var mustBeExcerpts: Bool
    var time: Timestamp
  }

  /// Queues the pages of new items for fetching.
  static func request(_ requests: [Request], _ connection: Connection) throws(StoreError) {
    guard !requests.isEmpty else { return }
    let automatic = requests.filter(\.mustBeExcerpts)
    let newest = try connection.run(automatic.map { Self.newest(of: $0.feed) })
    let excerpts = Set(
      zip(automatic, newest).filter { _, rows in
        ArticlePolicy.isForExcerpts(rows.map { (length: $0.int(0), hasLink: $0.bool(1)) })
      }.map(\.0.feed)
    )
    for request in requests where !request.mustBeExcerpts || excerpts.contains(request.feed) {
      try connection.post(
        """
        INSERT INTO articles (item, state, due) SELECT id, 'waiting', $1::bigint FROM items
        WHERE id = ANY($2::bigint[]) AND lower(left(url, 8)) SIMILAR TO 'http://%|https://%' ON CONFLICT DO NOTHING
        """,
        request.time,
        // Limit the number: a feed's first document may contain items of several years. Documents list the newest
        // first.
        StoreValue.array(request.items.prefix(maximumRequests).map(\.rawValue))
      )
    }
  }

  private static func newest(of feed: Feed.ID) -> Statement {
    Statement(
      """
      SELECT length(\(Connection.feedText)), i.url IS NOT NULL FROM items AS i JOIN contents AS c ON c.id = i.id
      WHERE i.feed = $1 ORDER BY i.sort DESC, i.id DESC LIMIT \(ArticlePolicy.examined)
      """,
      feed.rawValue
    )
  }

  /// Stores the new text of an edited item beside its article, and queues the page to be fetched again.
  static func keepFeedText(
    of id: Int64,
    _ item: StoredItem,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) {
    try connection.post(
      "UPDATE articles SET feed_text = $1, feed_html = $2, attempts = 0, due = $3 WHERE item = $4",
      item.text,
      item.html,
      time,
      id
    )
  }
}
