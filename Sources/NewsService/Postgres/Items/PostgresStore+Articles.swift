package import NewsCore
import NewsToolbox

extension PostgresStore: ArticleKeeping {
  private static let columns = """
    i.id, i.feed, i.url, i.title, \(ItemArticles.feedText), coalesce(a.attempts, 0), a.etag, a.last_modified,
    a.validated_url
    """
  private static let tables =
    "items AS i JOIN contents AS c ON c.id = i.id LEFT JOIN articles AS a ON a.item = i.id"

  public func takeArticles(
    at time: Timestamp,
    limit: Int,
    lease: Int64
  ) async throws(StoreError) -> [ArticleJob] {
    // Check with a reader first: usually no page is due, and no write transaction is needed.
    let isAny = try await read { (connection) throws(StoreError) in
      try connection.integer("SELECT 1 FROM articles WHERE due <= $1 LIMIT 1", time) != nil
    }
    guard isAny else { return [] }
    return try await write { (connection) throws(StoreError) in
      let rows = try connection.query(
        "SELECT \(Self.columns) FROM \(Self.tables) WHERE a.due <= $1 ORDER BY a.due, i.id DESC LIMIT $2",
        time,
        max(limit, 0)
      )
      let jobs = try Self.jobs(rows, connection)
      try connection.query(
        "UPDATE articles SET due = $1 WHERE item = ANY($2::bigint[])",
        time + lease,
        Parameter.array(jobs.map(\.itemID.rawValue))
      )
      // Items without the URL of a page are never fetched, so they would stay the first entries of the queue.
      try connection.query(
        """
        UPDATE articles SET due = NULL, state = 'refused', reason = 'the link is not an address of a page'
        WHERE item = ANY($1::bigint[])
        """,
        Parameter.array(rows.map { $0.int64(0) }.filter { id in !jobs.contains { $0.itemID.rawValue == id } })
      )
      return jobs
    }
  }

  public func articleJob(of id: NewsItem.ID) async throws(StoreError) -> ArticleJob {
    try await read { (connection) throws(StoreError) in
      let rows = try connection.query(
        "SELECT \(Self.columns) FROM \(Self.tables) WHERE i.id = $1",
        id.rawValue
      )
      guard !rows.isEmpty else { throw Self.noSuchItem(id) }
      guard let job = try Self.jobs(rows, connection).first else {
        throw StoreError(code: .badQuery, message: "item \(id.rawValue) has no link to a page")
      }
      return job
    }
  }

  public func newestArticles(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [ArticleJob] {
    try await read { (connection) throws(StoreError) in
      let rows = try connection.query(
        "SELECT \(Self.columns) FROM \(Self.tables) WHERE i.feed = $1 ORDER BY i.sort DESC, i.id DESC LIMIT $2",
        feed.rawValue,
        max(limit, 0)
      )
      return try Self.jobs(rows, connection)
    }
  }

  /// Skips items without a web link.
  private static func jobs(_ rows: Rows, _ connection: Connection) throws(StoreError) -> [ArticleJob] {
    var jobs: [ArticleJob] = []
    for row in rows {
      let url = row.string(2)
      guard let scheme = WebAddress(url)?.scheme, ["http", "https"].contains(scheme) else { continue }
      let feed = try connection.existingFeed(Feed.ID(rawValue: row.int64(1)))
      jobs.append(
        ArticleJob(
          itemID: NewsItem.ID(rawValue: row.int64(0)),
          feed: feed,
          url: url,
          title: row.string(3),
          feedText: row.string(4),
          attempts: row.int(5),
          validators: row.optionalString(8).map {
            Validators(etag: row.optionalString(6), lastModified: row.optionalString(7), url: $0)
          }
        )
      )
    }
    return jobs
  }

  public func keep(_ record: ArticleRecord) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let id = record.itemID.rawValue
      guard try connection.integer("SELECT 1 FROM items WHERE id = $1", id) != nil else { return }
      var state = ItemArticle.State.fetched
      var reason: String?
      var fetched: Timestamp? = record.time
      switch record.outcome {
      case .fetched(let html, let text):
        try Self.exchange(id, text: text, html: html, at: record.time, connection)
      case .unchanged: break
      case .refused(let why):
        state = .refused
        reason = why
        fetched = nil
      }
      try connection.query(
        """
        INSERT INTO articles (item, state, reason, attempts, due, fetched, etag, last_modified, validated_url)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (item) DO UPDATE SET
          state = CASE WHEN excluded.state = 'refused' AND articles.feed_text IS NOT NULL THEN 'fetched'
            ELSE excluded.state END,
          reason = excluded.reason, attempts = excluded.attempts, due = excluded.due,
          fetched = coalesce(excluded.fetched, articles.fetched),
          etag = CASE WHEN excluded.state = 'refused' THEN articles.etag
            ELSE coalesce(excluded.etag, articles.etag) END,
          last_modified = CASE WHEN excluded.state = 'refused' THEN articles.last_modified
            ELSE coalesce(excluded.last_modified, articles.last_modified) END,
          validated_url = CASE WHEN excluded.state = 'refused' THEN articles.validated_url
            ELSE coalesce(excluded.validated_url, articles.validated_url) END
        """,
        id,
        state.rawValue,
        reason,
        record.attempts,
        record.due,
        fetched,
        record.validators?.etag,
        record.validators?.lastModified,
        record.validators?.url
      )
    }
  }

  /// Replaces an item's text with an article.
  private static func exchange(
    _ id: Int64,
    text: String,
    html: String,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) {
    let row = try connection.query(
      """
      SELECT i.title, c.author, c.text, c.html, i.sort,
        (SELECT feed_text FROM articles WHERE item = i.id) IS NOT NULL
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id = $1
      """,
      id
    ).first
    guard let row else { return }
    let (title, old, oldHTML, hadArticle) = (row.string(0), row.string(2), row.optionalString(3), row.bool(5))
    guard old != text || oldHTML != html || !hadArticle else { return }
    let grown = try ItemRows.replaceWords(
      of: id,
      Timestamp(seconds: row.int64(4)),
      TokenVector(ItemTokens(title: title, author: row.string(1), text: text)),
      connection
    )
    try connection.query("UPDATE store SET tokens = tokens + $1::bigint", grown)
    if hadArticle {
      // The article itself was edited: store the old one as a version and log the edit.
      if old != text {
        try ItemRows.keepVersion(
          of: id,
          title: title,
          text: old,
          newTitle: title,
          newText: text,
          at: time,
          connection
        )
        try noteChange(of: id, .updated, connection)
      }
    } else {
      try connection.query(
        """
        INSERT INTO articles (item, state, feed_text, feed_html) VALUES ($1, 'fetched', $2, $3)
        ON CONFLICT (item) DO UPDATE SET feed_text = excluded.feed_text, feed_html = excluded.feed_html
        """,
        id,
        old,
        oldHTML
      )
      // Log a change of state, not an edit: clients must reload the item, but the feed has not edited it.
      try noteChange(of: id, .state, connection)
    }
    try connection.query("UPDATE contents SET text = $1, html = $2 WHERE id = $3", text, html, id)
  }

  private static func noteChange(
    of id: Int64,
    _ kind: ChangeKind,
    _ connection: Connection
  ) throws(StoreError) {
    try connection.query(
      "UPDATE items SET sequence = $1, change = $2 WHERE id = $3",
      connection.add(1, to: .sequence),
      kind.rawValue,
      id
    )
    try connection.notify()
  }
}
