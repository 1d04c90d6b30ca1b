import NewsStoresShared
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
    let changes = try await write(locking: .late) { (connection) throws(StoreError) in
      let claims = records.compactMap { record in node.claim(of: record.feedID).map { (record.feedID, $0) } }
      let writer = try ItemWriter(
        connection,
        feeds: Array(Set(records.map(\.feedID))),
        claims: Dictionary(claims) { first, _ in first }
      )
      return try Self.store(records, writer)
    }
    if changes.reduce(0, { $0 + $1.inserted.count }) > 1000 { await cleanIndex() }
    return changes
  }

  private static func store(
    _ records: [RefreshRecord],
    _ writer: ItemWriter
  ) throws(StoreError) -> [RefreshChange] {
    var writer = writer
    writer.hooks = try HookBook(writer.hookSession)
    let rules = writer.definitions.ruleBook
    let held = records.filter { !writer.lostFeeds.contains($0.feedID) }
    try writer.prefetch(
      held.filter { $0.parsed != nil }.map { ($0.feedID, $0.storedItems.usingEnclosuresAsGuids()) }
    )
    var changes: [RefreshChange] = []
    for record in held {
      if let change = try writer.store(record, rules: rules) { changes.append(change) }
    }
    try writer.finish()
    return changes
  }

  /// Merges the pending entries of the word index outside a transaction. Otherwise, the writing transaction that fills
  /// their list would have to merge them.
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

extension Connection {
  package func store(
    _ imported: ImportedFeed,
    appliesRules: Bool,
    at time: Timestamp
  ) throws(StoreError) -> ImportReport {
    try store(imported, appliesRules: appliesRules, at: time) { (feed) throws(StoreError) in
      try ItemWriter(self, feeds: [feed])
    }
  }
}
