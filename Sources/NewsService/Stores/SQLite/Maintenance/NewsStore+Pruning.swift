import NewsStoresShared
import Glibc
package import NewsCore

extension NewsStore: ItemPruning {
  /// Maximum number of items removed in one transaction.
  private static let portion = 500

  public func prune(
    _ rules: RetentionRules,
    at now: Timestamp,
    dryRun: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws(StoreError) -> PruneReport {
    var report = PruneReport(feeds: [])
    for (feed, policy) in try await bounded(by: rules) {
      let condition = PruneCondition(policy, rules, at: now)
      let count: Int
      if dryRun {
        count = try await read { (connection) throws(StoreError) in
          try condition.keys(of: feed.id, limit: nil, connection).count
        }
      } else {
        let before = report.total
        count = try await prune(feed.id, condition) { progress(before + $0) }
      }
      let kept = try await read { (connection) throws(StoreError) in
        try condition.kept(of: feed.id, connection)
      }
      report.keptUnread += kept.unread
      report.keptStarred += kept.starred
      if count > 0 {
        report.feeds.append(PruneReport.Entry(feedID: feed.id, title: feed.title, count: count))
        progress(report.total)
      }
    }
    if !dryRun, !report.feeds.isEmpty {
      try await write { (connection) throws(StoreError) in try ItemTags.forgetUnused(connection) }
    }
    return report
  }

  /// Returns the feeds that have a retention limit, in the user's order. Reads row by row: the daemon calls this every
  /// hour, and the memory for a list of a hundred thousand feeds would stay in its heap.
  private func bounded(
    by rules: RetentionRules
  ) async throws(StoreError) -> [(feed: (id: Feed.ID, title: String), policy: RetentionPolicy)] {
    // If only the settings of single feeds set limits, skip feeds without settings.
    let isGeneral = rules.general.days != nil || rules.general.items != nil || !rules.folders.isEmpty
    return try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare(
        "SELECT \(FeedRow.columns) FROM feeds \(isGeneral ? "" : "WHERE settings IS NOT NULL ")ORDER BY position, id"
      )
      var bounded: [(feed: (id: Feed.ID, title: String), policy: RetentionPolicy)] = []
      while try statement.step() {
        let feed = FeedRow.feed(statement)
        let policy = rules.policy(for: feed)
        guard policy.days != nil || policy.items != nil else { continue }
        bounded.append(((feed.id, feed.title), policy))
      }
      return bounded
    }
  }

  private func prune(
    _ feed: Feed.ID,
    _ condition: PruneCondition,
    progress: (Int) -> Void
  ) async throws(StoreError) -> Int {
    var count = 0
    while true {
      let removed = try await write { (connection) throws(StoreError) in
        let keys = try condition.keys(of: feed, limit: Self.portion, connection)
        var remover = try ItemRemover(connection)
        try remover.remove(keys)
        try remover.finish()
        return keys.count
      }
      count += removed
      progress(count)
      if removed < Self.portion { return count }
      // Other processes retry the lock every few milliseconds. Without a pause, they would always find it held.
      usleep(20_000)
    }
  }
}

/// Selects the items of a feed that may be removed.
private struct PruneCondition {
  /// Items with a key below this are too old.
  private let oldest: Int64?
  private let kept: Int?
  private let states: String
  private let includesUnread: Bool
  private let includesStarred: Bool

  init(_ policy: RetentionPolicy, _ rules: RetentionRules, at now: Timestamp) {
    oldest = policy.days.map { ItemKey.lowest(at: now - Int64($0) * 86_400) }
    kept = policy.items
    includesUnread = rules.includesUnread
    includesStarred = rules.includesStarred
    states =
      (rules.includesUnread ? "" : " AND is_read = 1") + (rules.includesStarred ? "" : " AND is_starred = 0")
  }

  /// Returns the first key within the retention limits; items with lower keys may be removed.
  private func bound(of feed: Feed.ID, _ connection: Connection) throws(StoreError) -> Int64 {
    // Keep the newest `kept` items: all older items exceed the limit.
    var below = oldest ?? .min
    if let kept {
      let last = try connection.prepare(
        "SELECT key FROM items WHERE feed = ? ORDER BY key DESC LIMIT 1 OFFSET ?"
      )
      try last.bind(1, feed.rawValue)
      try last.bind(2, max(kept, 0))
      if try last.step() { below = max(below, last.int64(0) + 1) }
    }
    return below
  }

  /// Counts the items that are kept although they exceed the limits. An unread starred item counts as unread.
  func kept(of feed: Feed.ID, _ connection: Connection) throws(StoreError) -> (unread: Int, starred: Int) {
    guard !includesUnread || !includesStarred else { return (0, 0) }
    let row = try connection.prepare(
      """
      SELECT count(*) FILTER (WHERE is_read = 0 AND ?3 = 0),
        count(*) FILTER (WHERE is_starred = 1 AND ?4 = 0 AND (is_read = 1 OR ?3 = 1))
      FROM items WHERE feed = ?1 AND key < ?2
      """
    )
    try row.bind(1, feed.rawValue)
    try row.bind(2, try bound(of: feed, connection))
    try row.bind(3, includesUnread)
    try row.bind(4, includesStarred)
    return try row.step() ? (row.int(0), row.int(1)) : (0, 0)
  }

  /// Returns the keys of items that may be removed, in ascending order. With a limit, returns only the oldest ones.
  func keys(of feed: Feed.ID, limit: Int?, _ connection: Connection) throws(StoreError) -> [ItemKey] {
    let below = try bound(of: feed, connection)
    let undelivered = try HookOutbox.pruneCondition(connection)
    let statement = try connection.prepare(
      "SELECT key FROM items WHERE feed = ? AND key < ?\(states)\(undelivered) ORDER BY key LIMIT ?"
    )
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, below)
    try statement.bind(3, limit ?? -1)
    var keys: [ItemKey] = []
    while try statement.step() { keys.append(ItemKey(rawValue: statement.int64(0))) }
    return keys
  }
}
