import Glibc
package import NewsCore
import NewsStoresShared

extension NewsStore: TableStore {
  package func snapshot<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await read(body)
  }

  package static var removedItems: Int { 500 }

  /// Pauses, because other processes retry the lock every few milliseconds. Without a pause, they would always find the
  /// lock held.
  package func letOthersWrite() { usleep(20_000) }
}

extension NewsStore {
  public func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] {
    try await transaction { (connection) throws(StoreError) in
      var writer = try ItemWriter(connection)
      writer.hooks = try HookBook(connection)
      return try writer.store(records, rules: connection.ruleBook())
    }
  }

  public func probeWriting() async throws(StoreError) {
    // Check the disk too: a failed transaction may leave room in the WAL, so the small write below could succeed on a
    // full disk.
    if let free = freeSpace, free < FreeSpace.least { throw .full(path) }
    try await transaction { (connection) throws(StoreError) in
      try connection.refuseAboveQuota()
      try connection.touch()
    }
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

extension NewsStore {
  /// Stores changed subscriptions and deletes ended ones. All revisions are 0, because only one daemon uses a file.
  /// That daemon knows which requests are pending.
  @discardableResult
  public func keep(
    _ subscriptions: [HubSubscription],
    ended: [Feed.ID]
  ) async throws(StoreError) -> [Feed.ID: Int64] {
    try await transaction { (connection) throws(StoreError) in
      for subscription in subscriptions {
        // Skip feeds that were removed in the meantime.
        try connection.run(
          """
          INSERT OR REPLACE INTO hub_subscriptions
            (feed, topic, hub, callback, token, secret, lease_end, failures, due)
          SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 WHERE EXISTS (SELECT 1 FROM feeds WHERE id = $1)
          """,
          subscription.feedID,
          subscription.offer.topic,
          subscription.offer.hub,
          subscription.callback,
          subscription.token,
          subscription.secret,
          subscription.leaseEnd,
          subscription.failures,
          subscription.due
        )
      }
      for feed in ended { try connection.run("DELETE FROM hub_subscriptions WHERE feed = $1", feed) }
    }
    return Dictionary(subscriptions.map { ($0.feedID, 0) }) { first, _ in first }
  }

  public func hubRevision() async throws(StoreError) -> Int64 { 0 }
}

extension NewsStore {
  public func takeDeliveries(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
    after last: HookDelivery?,
    limit: Int,
    hold: Int64
  ) async throws(StoreError) -> [HookDelivery] {
    // Check with a reader first: usually no delivery is due, and no write transaction is needed.
    let found = try await read { (connection) throws(StoreError) -> [HookDelivery] in
      guard try Schema.hasHooks(connection),
        let failures = try connection.failuresIfReady(of: hook, at: now)
      else { return [] }
      var found: [HookDelivery] = []
      if let boundary {
        found = try connection.nextDigest(of: hook, at: now, before: boundary).map { [$0] } ?? []
      } else {
        found = try connection.nextEntries(of: hook, at: now, after: last, limit: failures > 0 ? 1 : limit)
      }
      for place in found.indices { found[place].hookFailures = failures }
      return found
    }
    // The entries of a digest are fixed at its first attempt, so that every attempt has the same key and body.
    if let digest = found.first, digest.isDigest, digest.attempts == 0 {
      try await transaction { (connection) throws(StoreError) in
        try connection.run(
          "UPDATE outbox SET batch = $1 WHERE hook = $2 AND sequence \(Connection.isOne(of: "$3"))",
          digest.number,
          hook,
          StoreValue.integers(digest.entries.map(\.sequence))
        )
      }
    }
    return found
  }

  /// Does nothing: only the one daemon on the file sends deliveries.
  public func release(_ deliveries: [HookDelivery]) async throws(StoreError) {}
}

extension NewsStore {
  public func remember(search query: String, at time: Timestamp) async {
    guard query.contains(where: { !$0.isWhitespace }) else { return }
    closeIdleReaders()
    do {
      try prepareFile()
      if access(path, F_OK) != 0 { try await transaction { _ in } }
      // Use a separate connection, so that a search waits neither for other writers nor for fsync.
      let connection = try Connection(path: path, access: .writing, busyTimeout: 4)
      try connection.deferSync(unlessLogExceeds: 1 << 19)
      try connection.transaction { () throws(StoreError) in
        try connection.remember(search: query, at: time)
        try connection.countCommit()
      }
    } catch {
      // Ignore a failure to record the search: it has already been answered.
    }
  }
}
