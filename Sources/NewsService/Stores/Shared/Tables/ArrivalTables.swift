package import NewsCore

// Items that come from programs and imports.

extension StoreSession {
  /// Stores the items of a feed. Adds the feed if it is new. With `appliesRules`, also applies the rules and fires
  /// hooks.
  package func store<Writer: RefreshSession>(
    _ imported: ImportedFeed,
    appliesRules: Bool,
    at time: Timestamp,
    makeWriter: (Feed.ID) throws(StoreError) -> Writer
  ) throws(StoreError) -> ImportReport {
    var report = ImportReport()
    let feed: Feed
    if !imported.items.isEmpty { try refuseAboveQuota() }
    if let existing = try self.feed(url: imported.feed.url) {
      feed = existing
    } else {
      feed = try insert(imported.feed, at: time)
      report.feeds = 1
    }
    var writer = try makeWriter(feed.id)
    let rules = appliesRules ? try writer.ruleBook() : nil
    if appliesRules { writer.hooks = try HookBook(writer.hookSession) }
    guard let outcome = try writer.store(imported, in: feed, rules: rules, at: time) else { return report }
    try writer.finish()
    try run(
      "UPDATE feeds SET items = items + $1, unread = unread + $2 WHERE id = $3",
      outcome.inserted.count,
      outcome.insertedUnread,
      feed.id
    )
    var marker = try makeMarker()
    for (place, id) in outcome.known {
      if imported.items[place].isRead { try marker.mark(id, .read) }
      if imported.items[place].isStarred { try marker.mark(id, .starred) }
      let added = try add(labels: imported.items[place].labels, to: id)
      if !added.isEmpty { try marker.note(id, added: added) }
    }
    for (place, id) in zip(outcome.insertedPlaces, outcome.inserted) {
      try add(labels: imported.items[place].labels, to: id)
    }
    try marker.finish()
    report.items = outcome.inserted.count
    report.updated = outcome.updated.count
    report.unchanged = outcome.known.count - outcome.updated.count
    return report
  }
}

extension TableStore {
  package func dueFeeds() async throws(StoreError) -> [DueFeed] {
    try await snapshot { (session) throws(StoreError) in
      try session.rows(
        // Exclude paused feeds, and ingested feeds, which have no URL to fetch.
        """
        SELECT id, url, next_due, hold_host, hold_until, last_fetched, failures FROM feeds
        WHERE is_gone = 0 AND lower(substr(url, 1, 7)) <> 'ingest:' AND NOT \(FeedSettings.pausedCondition) ORDER BY id
        """
      ) { row in
        DueFeed(
          id: Feed.ID(rawValue: row.int64(0)),
          url: row.string(1),
          nextDue: row.time(2),
          cooldown: FeedRow.cooldown(row, host: 3, until: 4),
          lastFetched: row.time(5),
          lastPollSucceeded: row.time(5) != nil && row.int64(6) == 0
        )
      }
    }
  }

  package func feed(_ id: Feed.ID) async throws(StoreError) -> Feed {
    try await shortSnapshot { (session) throws(StoreError) in try session.existingFeed(id) }
  }

  package func prepared(_ record: RefreshRecord) -> RefreshRecord { record.withPreparation }

  package func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp] {
    try await snapshot { (session) throws(StoreError) in
      try session.rows(
        "SELECT \(Session.sortTime) FROM items AS i WHERE feed = $1 ORDER BY \(Session.newestFirst) LIMIT $2",
        id,
        max(limit, 0)
      ) { Timestamp(seconds: $0.int64(0)) }
    }
  }

  package func feedListVersion() async throws(StoreError) -> Int64? {
    try await snapshot { (session) throws(StoreError) in try session.value(of: .feedList) }
  }
}

extension TableStore {
  package func importFeeds(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError)
    -> ImportReport
  {
    try await store(feeds, at: time, appliesRules: false)
  }

  package func ingest(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
    try await store(feeds, at: time, appliesRules: true)
  }

  private func store(
    _ feeds: [ImportedFeed],
    at time: Timestamp,
    appliesRules: Bool
  ) async throws(StoreError) -> ImportReport {
    var report = ImportReport()
    // Use one transaction per feed, so that a large archive does not block other writers.
    for imported in feeds {
      let part = try await transaction { (session) throws(StoreError) in
        try session.store(imported, appliesRules: appliesRules, at: time)
      }
      report.feeds += part.feeds
      report.items += part.items
      report.unchanged += part.unchanged
      report.updated += part.updated
    }
    return report
  }
}
