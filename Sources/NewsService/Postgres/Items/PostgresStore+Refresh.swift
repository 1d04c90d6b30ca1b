package import NewsCore

extension PostgresStore: RefreshStoring {
  public func dueFeeds() async throws(StoreError) -> [DueFeed] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        // Ingested feeds have no URL to fetch.
        """
        SELECT id, url, next_due, hold_host, hold_until, last_fetched, failures FROM feeds
        WHERE is_gone = 0 AND lower(left(url, 7)) <> 'ingest:' ORDER BY id
        """
      ).map { row in
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

  public func feed(_ id: Feed.ID) async throws(StoreError) -> Feed {
    try await read { (connection) throws(StoreError) in try connection.existingFeed(id) }
  }

  public func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] {
    let changes = try await write { (connection) throws(StoreError) in
      let claims = records.compactMap { record in node.claim(of: record.feedID).map { (record.feedID, $0) } }
      let lost = try connection.lostFeeds(Dictionary(claims) { first, _ in first })
      let records = records.filter { !lost.contains($0.feedID) }
      var writer = try ItemWriter(connection)
      writer.hooks = try HookBook(connection)
      let rules = try connection.ruleBook()
      try writer.prefetch(records)
      var changes: [RefreshChange] = []
      for record in records {
        if let change = try writer.store(record, rules: rules) { changes.append(change) }
      }
      try writer.finish()
      return changes
    }
    if changes.reduce(0, { $0 + $1.inserted.count }) > 1000 { await cleanIndex() }
    return changes
  }

  /// Merges the index's list of pending entries on another connection; otherwise the writing transaction that
  /// fills the list would merge it.
  private func cleanIndex() async {
    try? await maintain { (connection) throws(StoreError) in
      try connection.query("SELECT gin_clean_pending_list('words_index')")
      return
    }
  }

  public func probeWriting() async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      try connection.execute("UPDATE store SET sequence = sequence")
    }
  }

  public func prepared(_ record: RefreshRecord) -> RefreshRecord { record.withPreparation }

  public func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        "SELECT sort FROM items WHERE feed = $1 ORDER BY sort DESC, id DESC LIMIT $2",
        id.rawValue,
        max(limit, 0)
      ).map { Timestamp(seconds: $0.int64(0)) }
    }
  }

  public func feedListVersion() async throws(StoreError) -> Int64? {
    try await read { (connection) throws(StoreError) in try connection.value(of: .feedList) }
  }
}

extension ItemWriter {
  /// Reads the items and tombstones of a batch with two statements.
  func prefetch(_ records: [RefreshRecord]) throws(StoreError) {
    let feeds = records.filter { $0.parsed != nil }.map(\.feedID.rawValue)
    guard !feeds.isEmpty else { return }
    var policies: [Int64: IdentityPolicy] = [:]
    for row in try connection.query(
      "SELECT id, identity, settings FROM feeds WHERE id = ANY($1::bigint[])",
      Parameter.array(feeds)
    ) {
      let chosen = FeedSettings(stored: row.optionalString(2)).identity
      policies[row.int64(0)] =
        (chosen ?? row.optionalString(1)).flatMap(IdentityPolicy.init(rawValue:)) ?? .guid
    }
    var keys: Set<KnownItems.Key> = []
    for record in records {
      guard let policy = policies[record.feedID.rawValue] else { continue }
      for item in record.storedItems.usingEnclosuresAsGuids() {
        keys.insert(KnownItems.Key(feed: record.feedID.rawValue, identity: policy.identity(of: item)))
      }
    }
    try known.ask(keys, connection)
  }
}

extension PostgresStore: ItemImporting {
  public func importFeeds(
    _ feeds: [ImportedFeed],
    at time: Timestamp
  ) async throws(StoreError) -> ImportReport {
    try await store(feeds, at: time, appliesRules: false)
  }

  public func ingest(
    _ feeds: [ImportedFeed],
    at time: Timestamp
  ) async throws(StoreError) -> ImportReport {
    try await store(feeds, at: time, appliesRules: true)
  }

  private func store(
    _ feeds: [ImportedFeed],
    at time: Timestamp,
    appliesRules: Bool
  ) async throws(StoreError) -> ImportReport {
    var report = ImportReport()
    // One transaction per feed, so that a large archive does not block other writers.
    for imported in feeds {
      let part = try await write { (connection) throws(StoreError) in
        try Self.store(imported, at: time, appliesRules: appliesRules, connection)
      }
      report.feeds += part.feeds
      report.items += part.items
      report.unchanged += part.unchanged
      report.updated += part.updated
    }
    return report
  }

  private static func store(
    _ imported: ImportedFeed,
    at time: Timestamp,
    appliesRules: Bool,
    _ connection: Connection
  ) throws(StoreError) -> ImportReport {
    var report = ImportReport()
    let feed: Feed
    if let existing = try connection.feed(url: imported.feed.url) {
      feed = existing
    } else {
      feed = try connection.insert(imported.feed, at: time)
      report.feeds = 1
    }
    var writer = try ItemWriter(connection)
    let rules = appliesRules ? try connection.ruleBook() : nil
    if appliesRules { writer.hooks = try HookBook(connection) }
    guard let outcome = try writer.store(imported, in: feed, rules: rules, at: time) else { return report }
    try writer.finish()
    try connection.query(
      "UPDATE feeds SET items = items + $1::bigint, unread = unread + $2::bigint WHERE id = $3",
      outcome.inserted.count,
      outcome.insertedUnread,
      feed.id.rawValue
    )
    var marker = try ItemMarker(connection)
    for (place, id) in outcome.known {
      if imported.items[place].isRead { try marker.mark(id.rawValue, .read) }
      if imported.items[place].isStarred { try marker.mark(id.rawValue, .starred) }
    }
    try marker.finish()
    report.items = outcome.inserted.count
    report.updated = outcome.updated.count
    report.unchanged = outcome.known.count - outcome.updated.count
    return report
  }
}
