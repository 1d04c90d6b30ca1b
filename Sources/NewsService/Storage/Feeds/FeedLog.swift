public import NewsCore

/// The change log's entries for subscriptions.
enum FeedLog {
  /// Adds entries for feeds that have none: exports older than this table lack them.
  static let completion = """
    INSERT INTO feed_changes (feed, sequence)
      SELECT id, (SELECT value FROM counters WHERE name = 'sequence') + row_number() OVER (ORDER BY position, id)
      FROM feeds WHERE id NOT IN (SELECT feed FROM feed_changes);
    UPDATE counters SET value = max(value, (SELECT coalesce(max(sequence), 0) FROM feed_changes))
      WHERE name = 'sequence';
    """

  /// Logs the addition or change of a feed under the next sequence number.
  static func note(_ feed: Feed.ID, _ connection: Connection) throws(StoreError) {
    try note(feed, sequence: try Counter.sequence.add(1, connection), connection)
  }

  /// Logs the addition or change of a feed under the given sequence number.
  static func note(_ feed: Feed.ID, sequence: Int64, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT INTO feed_changes (feed, sequence) VALUES (?1, ?2) ON CONFLICT (feed) DO UPDATE SET sequence = ?2"
    )
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, sequence)
    try statement.run()
  }

  static func noteRemoval(of feed: Feed, _ connection: Connection) throws(StoreError) {
    try note(feed.id, connection)
    let statement = try connection.prepare("UPDATE feed_changes SET url = ? WHERE feed = ?")
    try statement.bind(1, feed.url)
    try statement.bind(2, feed.id.rawValue)
    try statement.run()
  }
}

extension NewsStore: FeedChangeReading {
  public func feedChanges(after sequence: Int64, limit: Int) async throws(StoreError) -> [FeedChange] {
    try await read { (connection) throws(StoreError) in
      let row = try connection.prepare(
        "SELECT feed, sequence, url FROM feed_changes WHERE sequence > ? ORDER BY sequence LIMIT ?"
      )
      try row.bind(1, sequence)
      try row.bind(2, max(limit, 0))
      var changes: [FeedChange] = []
      while try row.step() {
        let id = Feed.ID(rawValue: row.int64(0))
        let feed = try Self.feed(id, connection)
        let url = feed?.url ?? row.optionalString(2) ?? ""
        changes.append(FeedChange(sequence: row.int64(1), feedID: id, url: url, feed: feed))
      }
      return changes
    }
  }
}
