package import NewsCore
import NewsToolbox

// The table of articles has a row for each item whose page was or will be fetched. While `contents` has the article,
// this table has the feed's own text.

extension StoreSession {
  /// SQL expression for the feed's own text of the item in `contents AS c`.
  package static var feedText: String {
    "coalesce((SELECT feed_text FROM articles WHERE item = c.id), c.text)"
  }

  /// Queues the pages of new items for fetching if the feed's settings ask for articles.
  package func requestArticles(
    of items: [NewsItem.ID],
    in feed: Feed.ID,
    _ settings: FeedSettings,
    at time: Timestamp
  ) throws(StoreError) {
    guard !items.isEmpty, try wantsArticles(settings, of: feed) else { return }
    // Limit the number of pages: a feed's first document may contain items of several years, newest first.
    let newest = items.prefix(100).map(\.rawValue)
    try run(
      """
      INSERT INTO articles (item, state, due) SELECT id, 'waiting', CAST($1 AS bigint) FROM items
      WHERE id \(Self.isOne(of: "$2"))
        AND (lower(substr(url, 1, 7)) = 'http://' OR lower(substr(url, 1, 8)) = 'https://') ON CONFLICT DO NOTHING
      """,
      time,
      StoreValue.integers(newest)
    )
  }

  private func wantsArticles(_ settings: FeedSettings, of feed: Feed.ID) throws(StoreError) -> Bool {
    switch settings.article {
    case .always: return true
    case nil, .never: return false
    case .auto:
      let newest = try rows(
        """
        SELECT length(\(Self.feedText)), i.url IS NOT NULL FROM items AS i JOIN contents AS c ON c.id = i.id
        WHERE i.feed = $1 ORDER BY \(Self.newestFirst) LIMIT \(ArticlePolicy.examined)
        """,
        feed
      ) { (length: $0.int(0), hasLink: $0.bool(1)) }
      return ArticlePolicy.isForExcerpts(newest)
    }
  }

  /// Handles an edit by the feed. Stores the new text beside the article, keeps the article, and queues the
  /// page to be fetched again. Returns the article that remains in `contents`.
  package func feedChanged(
    _ id: NewsItem.ID,
    to item: StoredItem,
    at time: Timestamp
  ) throws(StoreError) -> (text: String, html: String?)? {
    let article = try rows(
      """
      SELECT c.text, c.html FROM articles AS a JOIN contents AS c ON c.id = a.item
      WHERE a.item = $1 AND a.feed_text IS NOT NULL
      """,
      id
    ) { (text: $0.string(0), html: $0.optionalString(1)) }.first
    guard let article else { return nil }
    try run(
      "UPDATE articles SET feed_text = $1, feed_html = $2, attempts = 0, due = $3 WHERE item = $4",
      item.text,
      item.html,
      time,
      id
    )
    return article
  }

  /// Returns the jobs of items whose page has a URL, and the ids of the other items. With `isWhole: false`, the jobs
  /// have the beginnings of the titles and texts.
  fileprivate func jobs(
    _ condition: String,
    _ values: any StoreValueConvertible...,
    isWhole: Bool = true
  ) throws(StoreError) -> (jobs: [ArticleJob], others: [NewsItem.ID]) {
    let texts = ["i.title", Self.feedText].map { isWhole ? $0 : "substr(\($0), 1, \(ArticleJob.beginning))" }
    let sql = """
      SELECT i.id, i.feed, i.url, \(texts.joined(separator: ", ")), \(Self.byteCount(of: Self.feedText)),
        coalesce(a.attempts, 0), a.etag, a.last_modified, a.validated_url
      FROM items AS i JOIN contents AS c ON c.id = i.id
        LEFT JOIN articles AS a ON a.item = i.id
      WHERE \(condition)
      """
    var jobs: [ArticleJob] = []
    var others: [NewsItem.ID] = []
    _ = try rows(sql, values: values.map(\.storeValue)) { (row) throws(StoreError) in
      let id = NewsItem.ID(rawValue: row.int64(0))
      let url = row.string(2)
      guard let scheme = WebAddress(url)?.scheme, ["http", "https"].contains(scheme) else {
        others.append(id)
        return
      }
      jobs.append(
        ArticleJob(
          itemID: id,
          feed: try existingFeed(Feed.ID(rawValue: row.int64(1))),
          url: url,
          title: row.string(3),
          feedText: row.string(4),
          feedBytes: row.int(5),
          attempts: row.count(6),
          validators: row.optionalString(9).map {
            Validators(etag: row.optionalString(7), lastModified: row.optionalString(8), url: $0)
          }
        )
      )
    }
    return (jobs, others)
  }

  fileprivate func keep(_ record: ArticleRecord) throws(StoreError) {
    let id = record.itemID
    guard try number("SELECT 1 FROM items WHERE id = $1", id) != nil else { return }
    var state = ItemArticle.State.fetched
    var reason: String?
    var fetched: Timestamp? = record.time
    switch record.outcome {
    case .fetched(let html, let text): try exchange(id, text: text, html: html, at: record.time)
    case .unchanged: break
    case .refused(let why):
      state = .refused
      reason = why
      fetched = nil
    }
    try run(
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

  /// Replaces an item's text with an article.
  private func exchange(
    _ id: NewsItem.ID,
    text: String,
    html: String,
    at time: Timestamp
  ) throws(StoreError) {
    let found = try rows(
      """
      SELECT i.title, c.author, c.text, c.html, (SELECT feed_text FROM articles WHERE item = i.id) IS NOT NULL
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id = $1
      """,
      id
    ) {
      (
        title: $0.string(0), author: $0.string(1), text: $0.string(2), html: $0.optionalString(3),
        hadArticle: $0.bool(4)
      )
    }.first
    guard let old = found, old.text.streamSafe != text || old.html?.streamSafe != html || !old.hadArticle
    else { return }
    try replaceWords(of: id, author: old.author, title: old.title, text: old.text, by: (old.title, text))
    if old.hadArticle {
      // The article itself has changed: store the old article as a version and log the edit.
      if old.text.streamSafe != text {
        try keepVersion(
          of: id,
          title: old.title,
          text: old.text,
          newTitle: old.title,
          newText: text,
          at: time
        )
        try noteChange(of: id, .updated)
      }
    } else {
      try run(
        """
        INSERT INTO articles (item, state, feed_text, feed_html) VALUES ($1, 'fetched', $2, $3)
        ON CONFLICT (item) DO UPDATE SET feed_text = excluded.feed_text, feed_html = excluded.feed_html
        """,
        id,
        old.text,
        old.html
      )
      // Log a change of state, not an edit: clients must reload the item, although the feed has not edited it.
      try noteChange(of: id, .state)
    }
    try run("UPDATE contents SET text = $1, html = $2 WHERE id = $3", text, html, id)
  }

  /// Logs a change of an item under the next number of the change log.
  func noteChange(of id: NewsItem.ID, _ kind: ChangeKind) throws(StoreError) {
    let sequence = try add(1, to: .sequence)
    try run("UPDATE items SET sequence = $1, change = $2 WHERE id = $3", sequence, kind.rawValue, id)
    try notify()
  }
}

extension TableStore {
  package func takeArticles(
    at time: Timestamp,
    limit: Int,
    lease: Int64
  ) async throws(StoreError) -> [ArticleJob] {
    // Pages that wait longer than any page can were queued by a clock that was ahead.
    let late = "due > $2 AND (state = 'waiting' OR due > $3)"
    let latest = (
      lease: time + lease + PollPolicy.clockTolerance,
      retry: time + ArticleCheck.longestDelay + PollPolicy.clockTolerance
    )
    // Check with a reader first: usually no page is due, and no write transaction is needed. Above the quota, articles wait.
    let isAny = try await snapshot { (session) throws(StoreError) in
      let found = try session.number(
        "SELECT 1 FROM articles WHERE due <= $1 UNION ALL SELECT 1 FROM articles WHERE \(late) LIMIT 1",
        time,
        latest.lease,
        latest.retry
      )
      guard found != nil else { return false }
      return try session.quotaProblem() == nil
    }
    guard isAny else { return [] }
    return try await transaction { (session) throws(StoreError) in
      try session.run("UPDATE articles SET due = $1 WHERE \(late)", time, latest.lease, latest.retry)
      let found = try session.jobs(
        "a.due <= $1 ORDER BY a.due, i.id DESC LIMIT $2",
        time,
        max(limit, 0),
        isWhole: false
      )
      try session.run(
        "UPDATE articles SET due = $1 WHERE item \(Session.isOne(of: "$2"))",
        time + lease,
        StoreValue.integers(found.jobs.map(\.itemID.rawValue))
      )
      // Refuse items without the URL of a page: they are never fetched, so they would stay at the front of the queue.
      try session.run(
        """
        UPDATE articles SET due = NULL, state = 'refused', reason = 'the link is not an address of a page'
        WHERE item \(Session.isOne(of: "$1"))
        """,
        StoreValue.integers(found.others.map(\.rawValue))
      )
      return found.jobs
    }
  }

  package func articleJob(of id: NewsItem.ID) async throws(StoreError) -> ArticleJob {
    try await snapshot { (session) throws(StoreError) in
      try session.refuseAboveQuota()
      let found = try session.jobs("i.id = $1", id)
      if let job = found.jobs.first { return job }
      guard found.others.isEmpty else {
        throw StoreError(code: .badQuery, message: "item \(id.rawValue) has no link to a page")
      }
      throw StoreError.noSuchItem(id)
    }
  }

  package func newestArticles(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [ArticleJob] {
    try await snapshot { (session) throws(StoreError) in
      try session.jobs("i.feed = $1 ORDER BY \(Session.newestFirst) LIMIT $2", feed, max(limit, 0)).jobs
    }
  }

  package func keep(_ record: ArticleRecord) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in try session.keep(record) }
  }
}
