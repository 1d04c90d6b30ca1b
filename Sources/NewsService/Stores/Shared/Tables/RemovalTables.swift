package import NewsCore

// Removing feeds, and items beyond the retention limits.

extension TableStore {
  package func remove(_ id: Feed.ID) async throws(StoreError) {
    while try await hasManyItems(id) {
      try await transaction { (session) throws(StoreError) in
        try session.remove(items: session.oldest(Self.removedItems, of: id))
      }
      letOthersWrite()
    }
    try await transaction { (session) throws(StoreError) in
      let feed = try session.existingFeed(id)
      try session.remove(items: session.oldest(.max, of: id))
      try session.forgetRemains(of: id)
      try session.remove(feed)
    }
  }

  /// Counts the rows, because the total of a damaged store would make the loop endless.
  private func hasManyItems(_ id: Feed.ID) async throws(StoreError) -> Bool {
    try await snapshot { (session) throws(StoreError) in
      try session.number("SELECT id FROM items WHERE feed = $1 LIMIT 1 OFFSET $2", id, Self.removedItems)
        != nil
    }
  }
}

extension StoreSession {
  fileprivate func oldest(_ limit: Int, of feed: Feed.ID) throws(StoreError) -> [Int64] {
    try rows("SELECT id FROM items AS i WHERE feed = $1 ORDER BY \(Self.oldestFirst) LIMIT $2", feed, limit) {
      $0.int64(0)
    }
  }
}

/// Maximum number of items that pruning removes in one transaction.
private let portion = 500

extension TableStore {
  package func prune(
    _ rules: RetentionRules,
    at now: Timestamp,
    dryRun: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws(StoreError) -> PruneReport {
    var report = PruneReport(feeds: [])
    for excess in try await excesses(rules, at: now) {
      var count = 0
      if dryRun {
        count = try await snapshot { (session) throws(StoreError) in
          try excess.ids(limit: .max, session).count
        }
      } else {
        var removed = 0
        repeat {
          if removed > 0 { letOthersWrite() }
          removed = try await transaction { (session) throws(StoreError) in
            let ids = try excess.ids(limit: portion, session)
            try session.remove(items: ids)
            return ids.count
          }
          count += removed
          progress(report.total + count)
        } while removed == portion
      }
      let kept = try await snapshot { (session) throws(StoreError) in try excess.kept(session) }
      report.keptUnread += kept.unread
      report.keptStarred += kept.starred
      if count > 0 {
        report.feeds.append(PruneReport.Entry(feedID: excess.feed, title: excess.title, count: count))
        progress(report.total)
      }
    }
    if !dryRun {
      try await transaction { (session) throws(StoreError) in
        try session.forgetRemains(of: nil)
        try session.forgetTombstones(at: now)
        try session.thinChangeTimes(at: now)
      }
    }
    return report
  }

  package func noteTime(_ now: Timestamp) async throws(StoreError) -> Timestamp? {
    try await transaction { (session) throws(StoreError) in
      let stored = try session.secret(timeName).flatMap {
        KnownTime(stored: String(decoding: $0, as: UTF8.self))
      }
      var known: KnownTime
      if let stored {
        known = stored
      } else {
        let last = try session.number("SELECT time FROM change_times ORDER BY time DESC LIMIT 1")
        known = KnownTime(believed: last.map(Timestamp.init(seconds:)) ?? now)
      }
      let end = known.note(now)
      try session.keep(known.stored, as: timeName)
      return end
    }
  }

  /// Returns the feeds that have a retention limit, in the user's order. Keeps nothing else: the daemon calls this every
  /// hour, and the memory for a list of a hundred thousand feeds would stay in its heap.
  private func excesses(_ rules: RetentionRules, at now: Timestamp) async throws(StoreError) -> [Excess] {
    // If only the settings of single feeds set limits, skip feeds without settings.
    let isGeneral = rules.general.days != nil || rules.general.items != nil || !rules.folders.isEmpty
    let filter = isGeneral ? "" : "WHERE settings IS NOT NULL "
    return try await snapshot { (session) throws(StoreError) in
      var excesses: [Excess] = []
      try session.forEachRow("SELECT \(FeedRow.columns) FROM feeds \(filter)ORDER BY position, id") { row in
        if let excess = Excess(of: FeedRow.feed(row), rules, at: now) { excesses.append(excess) }
      }
      return excesses
    }
  }
}

/// The items of a feed beyond its retention limits.
private struct Excess: Sendable {
  let feed: Feed.ID
  let title: String
  private let oldest: Timestamp?
  private let limit: Int?
  /// SQL that is true for items that are kept because they are unread, or starred and read.
  private let isUnread: String
  private let isStarred: String

  /// Returns nil if the feed has no limit.
  init?(of feed: Feed, _ rules: RetentionRules, at now: Timestamp) {
    let policy = rules.policy(for: feed)
    guard policy.days != nil || policy.items != nil else { return nil }
    self.feed = feed.id
    title = feed.title
    oldest = policy.days.map { now - Int64($0) * 86_400 }
    limit = policy.items
    isUnread = rules.includesUnread ? "false" : "is_read = 0"
    isStarred = rules.includesStarred ? "false" : "is_starred = 1"
  }

  /// Counts the items that are kept although they exceed the limits. An unread starred item counts as unread.
  func kept(_ session: some StoreSession) throws(StoreError) -> (unread: Int, starred: Int) {
    guard isUnread != "false" || isStarred != "false" else { return (0, 0) }
    return try session.first(
      """
      SELECT count(*) FILTER (WHERE \(isUnread)), count(*) FILTER (WHERE \(isStarred) AND NOT (\(isUnread)))
      FROM items WHERE feed = $1 AND \(try session.isBeyond(oldest, limit, of: feed))
      """,
      feed
    ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
  }

  /// Returns removable items, the oldest first. Items with a pending delivery are kept.
  func ids<Session: StoreSession>(limit count: Int, _ session: Session) throws(StoreError) -> [Int64] {
    let isPending = "EXISTS (SELECT 1 FROM outbox WHERE item = i.id AND due IS NOT NULL)"
    let kept = [isUnread, isStarred] + (try session.has(Session.lastPartOfHooks) ? [isPending] : [])
    return try session.rows(
      """
      SELECT id FROM items AS i WHERE feed = $1 AND \(try session.isBeyond(oldest, limit, of: feed))
        \(kept.map { " AND NOT \($0)" }.joined()) ORDER BY \(Session.oldestFirst) LIMIT $2
      """,
      feed,
      count
    ) { $0.int64(0) }
  }
}

extension StoreSession {
  /// Seconds for which the change log has every removal.
  private static var lifetime: Int64 { 90 * 86_400 }
  /// Number of the newest tombstones of a subscribed feed that are kept for ever: its document may still have these items.
  private static var keptTombstones: Int { 10_000 }

  /// Removes tombstones beyond their lifetime: those of feeds that are no longer subscribed, and the surplus of others.
  fileprivate func forgetTombstones(at now: Timestamp) throws(StoreError) {
    guard try has("change_times"),
      let last = try number(
        "SELECT sequence FROM change_times WHERE time < $1 ORDER BY time DESC LIMIT 1",
        now - Self.lifetime
      )
    else { return }
    try run(
      "DELETE FROM tombstones WHERE sequence <= $1 AND NOT EXISTS (SELECT 1 FROM feeds AS f WHERE f.id = tombstones.feed)",
      last
    )
    let feeds = try rows(
      "SELECT feed FROM tombstones GROUP BY feed HAVING count(*) > $1 AND min(sequence) <= $2",
      Self.keptTombstones,
      last
    ) { $0.int64(0) }
    for feed in feeds {
      try run(
        """
        DELETE FROM tombstones WHERE feed = $1 AND sequence <= $2 AND sequence <= (
          SELECT t.sequence FROM tombstones AS t WHERE t.feed = $1 ORDER BY t.sequence DESC LIMIT 1 OFFSET $3)
        """,
        feed,
        last,
        Self.keptTombstones
      )
    }
  }

  /// Returns the tombstones for a query. For a query of one feed, returns those of the feed. For any other query,
  /// returns all tombstones: the store no longer knows whether a removed item matched, and clients must learn of its
  /// removal. Returns at most `limit`, until their guids have so many bytes, at least one.
  package func removals(
    after sequence: Int64,
    limit: Int,
    within bytes: Int,
    query: Query
  ) throws(StoreError) -> [Change] {
    var only: Feed.ID?
    if case .feedID(let id) = query { only = id }
    let source = """
      FROM tombstones WHERE sequence > $1 AND (CAST($2 AS bigint) IS NULL OR feed = $2)
      ORDER BY sequence LIMIT $3
      """
    let lengths = try rows(
      "SELECT \(Self.byteCount(of: "guid")) \(source)",
      sequence,
      only,
      max(limit, 0)
    ) { $0.int(0) }
    var room = max(bytes, 1)
    var count = 0
    for length in lengths where room > 0 {
      room -= length
      count += 1
    }
    guard count > 0 else { return [] }
    return try rows("SELECT sequence, id, feed, guid \(source)", sequence, only, count) {
      Change(
        sequence: $0.int64(0),
        kind: .deleted,
        itemID: NewsItem.ID(rawValue: $0.int64(1)),
        feedID: Feed.ID(rawValue: $0.int64(2)),
        item: nil,
        guid: $0.string(3)
      )
    }
  }
}
