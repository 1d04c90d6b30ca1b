package import NewsCore
import NewsToolbox

extension NewsStore: ArticleKeeping {
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
      let row = try connection.prepare("SELECT 1 FROM articles WHERE due <= ? LIMIT 1")
      try row.bind(1, time)
      return try row.step()
    }
    guard isAny else { return [] }
    return try await write { (connection) throws(StoreError) in
      let row = try connection.prepare(
        """
        SELECT \(Self.columns) FROM articles AS a JOIN items AS i ON i.id = a.item JOIN contents AS c ON c.id = i.id
        WHERE a.due <= ? ORDER BY a.due, i.id DESC LIMIT ?
        """
      )
      try row.bind(1, time)
      try row.bind(2, max(limit, 0))
      var jobs: [ArticleJob] = []
      var without: [Int64] = []
      while try row.step() {
        if let job = try Self.job(row, connection) { jobs.append(job) } else { without.append(row.int64(0)) }
      }
      try Self.refuse(without, connection)
      let update = try connection.prepare("UPDATE articles SET due = ? WHERE item = ?")
      for job in jobs {
        try update.bind(1, time + lease)
        try update.bind(2, job.itemID.rawValue)
        try update.run()
        update.reset()
      }
      return jobs
    }
  }

  /// Removes items without the URL of a page from the queue. They are never fetched, so they would stay its first entries.
  private static func refuse(_ items: [Int64], _ connection: Connection) throws(StoreError) {
    let update = try connection.prepare(
      "UPDATE articles SET due = NULL, state = 'refused', reason = 'the link is not an address of a page' WHERE item = ?"
    )
    for item in items {
      try update.bind(1, item)
      try update.run()
      update.reset()
    }
  }

  public func articleJob(of id: NewsItem.ID) async throws(StoreError) -> ArticleJob {
    try await read { (connection) throws(StoreError) in
      let row = try connection.prepare("SELECT \(Self.columns) FROM \(Self.tables) WHERE i.id = ?")
      try row.bind(1, id.rawValue)
      guard try row.step() else { throw Self.noSuchItem(id) }
      guard let job = try Self.job(row, connection) else {
        throw StoreError(code: .badQuery, message: "item \(id.rawValue) has no link to a page")
      }
      return job
    }
  }

  public func newestArticles(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [ArticleJob] {
    try await read { (connection) throws(StoreError) in
      let row = try connection.prepare(
        "SELECT \(Self.columns) FROM \(Self.tables) WHERE i.feed = ? ORDER BY i.key DESC LIMIT ?"
      )
      try row.bind(1, feed.rawValue)
      try row.bind(2, max(limit, 0))
      var jobs: [ArticleJob] = []
      while try row.step() { if let job = try Self.job(row, connection) { jobs.append(job) } }
      return jobs
    }
  }

  /// Returns nil for an item without a web link.
  private static func job(
    _ row: borrowing Statement,
    _ connection: Connection
  ) throws(StoreError) -> ArticleJob? {
    let url = row.string(2)
    guard let scheme = WebAddress(url)?.scheme, ["http", "https"].contains(scheme) else { return nil }
    let feed = try connection.existingFeed(Feed.ID(rawValue: row.int64(1)))
    let validators = row.optionalString(8).map {
      Validators(etag: row.optionalString(6), lastModified: row.optionalString(7), url: $0)
    }
    return ArticleJob(
      itemID: NewsItem.ID(rawValue: row.int64(0)),
      feed: feed,
      url: url,
      title: row.string(3),
      feedText: row.string(4),
      attempts: row.int(5),
      validators: validators
    )
  }

  public func keep(_ record: ArticleRecord) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      guard let key = try ItemReader.key(of: record.itemID, connection) else { return }
      if case .fetched(let html, let text) = record.outcome {
        try ArticleWriter(connection, key, record.itemID).exchange(text: text, html: html, at: record.time)
      }
      let statement = try connection.prepare(
        """
        INSERT INTO articles (item, state, reason, attempts, due, fetched, etag, last_modified, validated_url)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (item) DO UPDATE SET
          state = CASE WHEN ?2 = 'refused' AND feed_text IS NOT NULL THEN 'fetched' ELSE ?2 END,
          reason = ?3, attempts = ?4, due = ?5, fetched = coalesce(?6, fetched),
          etag = CASE WHEN ?2 = 'refused' THEN etag ELSE coalesce(?7, etag) END,
          last_modified = CASE WHEN ?2 = 'refused' THEN last_modified ELSE coalesce(?8, last_modified) END,
          validated_url = CASE WHEN ?2 = 'refused' THEN validated_url ELSE coalesce(?9, validated_url) END
        """
      )
      try statement.bind(1, record.itemID.rawValue)
      switch record.outcome {
      case .fetched, .unchanged:
        try statement.bind(2, ItemArticle.State.fetched.rawValue)
        try statement.bind(3, String?.none)
        try statement.bind(6, record.time)
      case .refused(let reason):
        try statement.bind(2, ItemArticle.State.refused.rawValue)
        try statement.bind(3, reason)
        try statement.bind(6, Timestamp?.none)
      }
      try statement.bind(4, record.attempts)
      try statement.bind(5, record.due)
      try statement.bind(7, record.validators?.etag)
      try statement.bind(8, record.validators?.lastModified)
      try statement.bind(9, record.validators?.url)
      try statement.run()
    }
  }
}

/// Replaces an item's text with the article, inside a transaction.
private struct ArticleWriter {
  private let connection: Connection
  private let key: ItemKey
  private let id: NewsItem.ID

  init(_ connection: Connection, _ key: ItemKey, _ id: NewsItem.ID) {
    self.connection = connection
    self.key = key
    self.id = id
  }

  func exchange(text: String, html: String, at time: Timestamp) throws(StoreError) {
    let row = try connection.prepare(
      """
      SELECT i.title, c.author, c.text, c.html, (SELECT feed_text FROM articles WHERE item = i.id) IS NOT NULL
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.key = ?
      """
    )
    try row.bind(1, key.rawValue)
    guard try row.step() else { return }
    let old = (title: row.string(0), author: row.string(1), text: row.string(2), html: row.optionalString(3))
    let hadArticle = row.bool(4)
    guard old.text != text || old.html != html || !hadArticle else { return }
    try FullTextIndex.remove(
      key,
      ItemTokens(title: old.title, author: old.author, text: old.text),
      connection
    )
    try FullTextIndex.insert(key, ItemTokens(title: old.title, author: old.author, text: text), connection)
    if hadArticle {
      if old.text != text { try noteEdit(old.title, old.text, text, at: time) }
    } else {
      let keep = try connection.prepare(
        """
        INSERT INTO articles (item, state, feed_text, feed_html) VALUES (?, 'fetched', ?, ?)
        ON CONFLICT (item) DO UPDATE SET feed_text = excluded.feed_text, feed_html = excluded.feed_html
        """
      )
      try keep.bind(1, id.rawValue)
      try keep.bind(2, old.text)
      try keep.bind(3, old.html)
      try keep.run()
      // Log a change of state, not an edit: clients must reload the item, but the feed has not edited it.
      try noteChange(.state)
    }
    let update = try connection.prepare("UPDATE contents SET text = ?, html = ? WHERE id = ?")
    try update.bind(1, text)
    try update.bind(2, html)
    try update.bind(3, id.rawValue)
    try update.run()
  }

  /// Handles an edit of the article itself: stores the old one as a version and logs the edit.
  private func noteEdit(_ title: String, _ old: String, _ new: String, at time: Timestamp) throws(StoreError)
  {
    try ItemVersions.keep(
      of: id,
      title: title,
      text: old,
      newTitle: title,
      newText: new,
      at: time,
      connection
    )
    try noteChange(.updated)
  }

  private func noteChange(_ kind: ChangeKind) throws(StoreError) {
    let update = try connection.prepare("UPDATE items SET sequence = ?, change = ? WHERE key = ?")
    try update.bind(1, try Counter.sequence.add(1, connection))
    try update.bind(2, kind.rawValue)
    try update.bind(3, key.rawValue)
    try update.run()
  }
}
