import NewsCore

/// Reading and changing feeds inside a transaction.
extension Connection {
  func feed(_ id: Feed.ID) throws(StoreError) -> Feed? {
    try query("SELECT \(FeedRow.columns) FROM feeds WHERE id = $1", id.rawValue).first.map {
      FeedRow.feed($0)
    }
  }

  func feed(url: String) throws(StoreError) -> Feed? {
    try query("SELECT \(FeedRow.columns) FROM feeds WHERE md5(url) = md5($1) AND url = $1", url).first
      .map { FeedRow.feed($0) }
  }

  /// Throws `noSuchFeed` if the feed does not exist.
  func existingFeed(_ id: Feed.ID) throws(StoreError) -> Feed {
    guard let feed = try feed(id) else { throw FeedRefusal.missing(id) }
    return feed
  }

  func feedNames() throws(StoreError) -> [FeedName] {
    try query("SELECT id, coalesce(user_title, own_title, url), url FROM feeds ORDER BY position").map {
      FeedName(id: Feed.ID(rawValue: $0.int64(0)), title: $0.string(1), url: $0.string(2))
    }
  }

  /// The text of a saved search; nil if there is none.
  func savedQuery(_ name: String) throws(StoreError) -> String? {
    try query("SELECT query FROM saved_searches WHERE lower(name) = lower($1 COLLATE \"C\")", name).first?
      .string(0)
  }

  func ruleBook() throws(StoreError) -> RuleBook {
    let rules = try query("SELECT query, action FROM rules ORDER BY number").map {
      (query: $0.string(0), actions: $0.string(1))
    }
    return RuleBook(rules) { (name) throws(StoreError) in try self.savedQuery(name) }
  }

  // MARK: Counters

  /// Adds to a number of the store's row and returns the new value.
  @discardableResult
  func add(_ amount: Int64, to counter: Counter) throws(StoreError) -> Int64 {
    try integer(
      "UPDATE store SET \(counter.rawValue) = \(counter.rawValue) + $1::bigint RETURNING \(counter.rawValue)",
      amount
    ) ?? 0
  }

  func value(of counter: Counter) throws(StoreError) -> Int64 {
    try integer("SELECT \(counter.rawValue) FROM store") ?? 0
  }

  /// Logs the addition or change of a feed under the next sequence number.
  func noteChange(of feed: Feed.ID) throws(StoreError) {
    try noteChange(of: feed, sequence: add(1, to: .sequence))
  }

  func noteChange(of feed: Feed.ID, sequence: Int64) throws(StoreError) {
    try query(
      """
      INSERT INTO feed_changes (feed, sequence) VALUES ($1, $2)
      ON CONFLICT (feed) DO UPDATE SET sequence = excluded.sequence
      """,
      feed.rawValue,
      sequence
    )
    try notify()
  }

  /// Wakes the processes that wait for changes, after the commit.
  func notify() throws(StoreError) { try query("SELECT 1 FROM (SELECT pg_notify('newsd', '')) AS n") }

  /// Stores the next poll of each state.
  func plan(_ plans: [(id: Feed.ID, state: FetchState)]) throws(StoreError) {
    for (id, state) in plans {
      try query(
        "UPDATE feeds SET next_due = $1, next_due_reason = $2 WHERE id = $3",
        state.nextDue,
        state.nextDueReason?.description,
        id.rawValue
      )
    }
  }
}

/// A column of the store's row: the last number used for ids or changes, or a total.
enum Counter: String, CaseIterable {
  case feed, item, sequence, items, unread, starred
  /// Incremented when the scheduler must reload the list of feeds.
  case feedList = "feed_list"

  /// The counter's name in an export.
  var exportName: String { self == .feedList ? "feedList" : rawValue }
}
