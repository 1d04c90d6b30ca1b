public import NewsCore

/// Entries of the change log for subscriptions.
enum FeedLog {
  /// Gives a number to feeds without one, as in exports from before the log had feeds.
  static let completion = """
    INSERT INTO feed_changes (feed, sequence)
      SELECT id, (SELECT value FROM counters WHERE name = 'sequence') + row_number() OVER (ORDER BY position, id)
      FROM feeds WHERE id NOT IN (SELECT feed FROM feed_changes);
    UPDATE counters SET value = max(value, (SELECT coalesce(max(sequence), 0) FROM feed_changes))
      WHERE name = 'sequence';
    """

  /// Notes that a feed is new or was changed, under the next number of the log.
  static func note(_ feed: Feed.ID, _ connection: Connection) throws(StoreError) {
    try note(feed, sequence: try Counter.sequence.add(1, connection), connection)
  }

  /// The same under a given number.
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
