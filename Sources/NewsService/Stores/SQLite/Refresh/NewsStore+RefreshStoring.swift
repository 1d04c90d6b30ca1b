import NewsStoresShared
package import NewsCore

extension NewsStore: RefreshStoring {
  public func dueFeeds() async throws(StoreError) -> [DueFeed] {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare(
        // Exclude ingested feeds, which have no URL to fetch.
        "SELECT id, url, next_due, hold_host, hold_until, last_fetched, failures FROM feeds "
          + "WHERE is_gone = 0 AND url NOT LIKE 'ingest:%' ORDER BY id"
      )
      var feeds: [DueFeed] = []
      while try statement.step() {
        feeds.append(
          DueFeed(
            id: Feed.ID(rawValue: statement.int64(0)),
            url: statement.string(1),
            nextDue: statement.time(2),
            cooldown: FeedRow.cooldown(statement, host: 3, until: 4),
            lastFetched: statement.time(5),
            lastPollSucceeded: statement.time(5) != nil && statement.int64(6) == 0
          )
        )
      }
      return feeds
    }
  }

  public func feed(_ id: Feed.ID) async throws(StoreError) -> Feed {
    try await read { (connection) throws(StoreError) in try connection.existingFeed(id) }
  }

  public func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] {
    try await write { (connection) throws(StoreError) in
      var writer = try RefreshWriter(connection)
      var changes: [RefreshChange] = []
      for record in records {
        if let change = try writer.store(record) { changes.append(change) }
      }
      try writer.finish()
      return changes
    }
  }

  public func probeWriting() async throws(StoreError) {
    // Check the disk too: a failed transaction may leave room in the WAL, so the small write below could succeed on a
    // full disk.
    if let free = freeSpace, free < FreeSpace.least { throw .full(path) }
    try await write { (connection) throws(StoreError) in try connection.touch() }
  }

  public func prepared(_ record: RefreshRecord) -> RefreshRecord {
    record.withPreparation
  }

  public func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp] {
    try await read { (connection) throws(StoreError) in
      // A covering index answers this query, because the key contains the time.
      let statement = try connection.prepare("SELECT key FROM items WHERE feed = ? ORDER BY key DESC LIMIT ?")
      try statement.bind(1, id.rawValue)
      try statement.bind(2, max(limit, 0))
      var times: [Timestamp] = []
      while try statement.step() { times.append(ItemKey(rawValue: statement.int64(0)).sortTime) }
      return times
    }
  }

  public func feedListVersion() async throws(StoreError) -> Int64? {
    try await read { (connection) throws(StoreError) in try Counter.feedList.value(connection) }
  }
}

extension Connection {
  package func store(
    _ imported: ImportedFeed,
    appliesRules: Bool,
    at time: Timestamp
  ) throws(StoreError) -> ImportReport {
    try store(imported, appliesRules: appliesRules, at: time) { (_) throws(StoreError) in
      try ItemWriter(self)
    }
  }
}
