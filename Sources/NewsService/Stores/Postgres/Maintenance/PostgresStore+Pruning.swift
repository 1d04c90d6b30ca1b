import NewsStoresShared
package import NewsCore

extension PostgresStore: ItemPruning {
  /// Maximum number of items removed in one transaction.
  private static let portion = 500

  public func prune(
    _ rules: RetentionRules,
    at now: Timestamp,
    dryRun: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws(StoreError) -> PruneReport {
    var report = PruneReport(feeds: [])
    for feed in try await feeds() {
      let policy = rules.policy(for: feed)
      guard policy.days != nil || policy.items != nil else { continue }
      let condition = PruneCondition(feed.id, policy, rules, at: now)
      var count = 0
      if dryRun {
        count = try await read { (connection) throws(StoreError) in
          try condition.ids(limit: nil, connection).count
        }
      } else {
        var removed = 0
        repeat {
          removed = try await write { (connection) throws(StoreError) in
            let ids = try condition.ids(limit: Self.portion, connection)
            var remover = try ItemRemover(connection)
            try remover.remove(ids)
            try remover.finish()
            return ids.count
          }
          count += removed
          progress(report.total + count)
        } while removed == Self.portion
      }
      let kept = try await read { (connection) throws(StoreError) in try condition.kept(connection) }
      report.keptUnread += kept.unread
      report.keptStarred += kept.starred
      if count > 0 {
        report.feeds.append(PruneReport.Entry(feedID: feed.id, title: feed.title, count: count))
      }
    }
    return report
  }
}

/// Selects the items of a feed that may be removed.
private struct PruneCondition: Sendable {
  private let feed: Feed.ID
  private let oldest: Int64?
  private let kept: Int?
  private let rules: RetentionRules

  init(_ feed: Feed.ID, _ policy: RetentionPolicy, _ rules: RetentionRules, at now: Timestamp) {
    self.feed = feed
    self.rules = rules
    oldest = policy.days.map { now.seconds - Int64($0) * 86_400 }
    kept = policy.items
  }

  /// Returns the condition for items beyond the limits.
  private func beyond(_ connection: Connection) throws(StoreError) -> String {
    var conditions = ["false"]
    if let oldest { conditions.append("sort < \(oldest)") }
    if let kept {
      // Keep the newest `kept` items: the next one and all older ones exceed the limit.
      let row = try connection.query(
        "SELECT sort, id FROM items WHERE feed = $1 ORDER BY sort DESC, id DESC LIMIT 1 OFFSET $2",
        feed.rawValue,
        max(kept, 0)
      ).first
      if let row { conditions.append("(sort, id) <= (\(row.int64(0)), \(row.int64(1)))") }
    }
    return "feed = \(feed.rawValue) AND (" + conditions.joined(separator: " OR ") + ")"
  }

  /// Counts the items that are kept although they exceed the limits. An unread starred item counts as unread.
  func kept(_ connection: Connection) throws(StoreError) -> (unread: Int, starred: Int) {
    guard !rules.includesUnread || !rules.includesStarred else { return (0, 0) }
    let unread = rules.includesUnread ? "false" : "is_read = 0"
    let starred = rules.includesStarred ? "false" : "is_starred = 1"
    let row = try connection.query(
      """
      SELECT count(*) FILTER (WHERE \(unread)), count(*) FILTER (WHERE \(starred) AND NOT (\(unread)))
      FROM items WHERE \(try beyond(connection))
      """
    ).first
    return (row?.int(0) ?? 0, row?.int(1) ?? 0)
  }

  /// Returns removable items, the oldest first.
  func ids(limit: Int?, _ connection: Connection) throws(StoreError) -> [Int64] {
    let states =
      (rules.includesUnread ? "" : " AND is_read = 1") + (rules.includesStarred ? "" : " AND is_starred = 0")
    return try connection.query(
      """
      SELECT id FROM items WHERE \(try beyond(connection))\(states)
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE item = items.id AND due IS NOT NULL)
      ORDER BY sort, id
      \(limit.map { "LIMIT \($0)" } ?? "")
      """
    ).map { $0.int64(0) }
  }
}
