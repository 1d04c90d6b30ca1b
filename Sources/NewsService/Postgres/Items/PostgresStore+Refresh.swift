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

extension Connection {
  package func store(
    _ imported: ImportedFeed,
    appliesRules: Bool,
    at time: Timestamp
  ) throws(StoreError) -> ImportReport {
    var writer = try ItemWriter(self)
    return try store(imported, with: &writer, appliesRules: appliesRules, at: time)
  }
}
