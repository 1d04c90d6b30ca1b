package import NewsCore

extension PostgresStore: HookKeeping {
  public func nextDelivery(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
    hold: Int64
  ) async throws(StoreError) -> HookDelivery? {
    // Check with a reader first: usually no delivery is due, and no write transaction is needed.
    let isAny = try await read { (connection) throws(StoreError) in
      try connection.integer(
        "SELECT 1 FROM outbox WHERE hook = $1 AND due <= $2 AND \(Self.free) AND \(connection.hasArticle(at: now)) LIMIT 1",
        hook,
        now
      ) != nil
    }
    guard isAny else { return nil }
    return try await write { (connection) throws(StoreError) -> HookDelivery? in
      guard let failures = try connection.failuresIfReady(of: hook, at: now) else { return nil }
      var found: HookDelivery?
      if let boundary {
        guard try !Self.isSendingDigest(hook, connection) else { return nil }
        found = try connection.nextDigest(of: hook, at: now, before: boundary)
      } else {
        let condition = "\(Self.free) AND \(connection.hasArticle(at: now))"
        found = try connection.nextEntry(of: hook, at: now, where: condition)
      }
      guard var delivery = found else { return nil }
      delivery.hookFailures = failures
      // The entries of a digest are fixed at its first attempt, so that every attempt has the same key and body.
      try connection.query(
        """
        UPDATE outbox SET taken = clock_timestamp() + $3::bigint * interval '1 second'
          \(delivery.isDigest ? ", batch = \(delivery.number)" : "")
        WHERE hook = $1 AND sequence = ANY($2::bigint[])
        """,
        hook,
        Parameter.array(delivery.entries.map(\.sequence)),
        hold
      )
      return delivery
    }
  }

  public func release(_ delivery: HookDelivery) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in try connection.release(delivery) }
  }

  /// A condition that is true for entries that no process has taken, or whose hold has ended.
  private static let free = "(taken IS NULL OR taken < clock_timestamp())"

  /// True if a process is sending a digest of the hook: the next one must wait for it.
  private static func isSendingDigest(_ hook: String, _ connection: Connection) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM outbox WHERE hook = $1 AND due IS NOT NULL AND taken >= clock_timestamp() LIMIT 1",
      hook
    ) != nil
  }
}
