package import NewsCore

extension NewsStore: HookKeeping {
  public func nextDelivery(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
    hold: Int64
  ) async throws(StoreError) -> HookDelivery? {
    // Check with a reader first: usually no delivery is due, and no write transaction is needed.
    let found = try await read { (connection) throws(StoreError) -> HookDelivery? in
      guard try Schema.hasHooks(connection),
        let failures = try connection.failuresIfReady(of: hook, at: now)
      else { return nil }
      var delivery: HookDelivery?
      if let boundary {
        delivery = try connection.nextDigest(of: hook, at: now, before: boundary)
      } else {
        delivery = try connection.nextEntry(of: hook, at: now, where: connection.hasArticle(at: now))
      }
      delivery?.hookFailures = failures
      return delivery
    }
    // The entries of a digest are fixed at its first attempt, so that every attempt has the same key and body.
    if let found, found.isDigest, found.attempts == 0 {
      try await write { (connection) throws(StoreError) in
        try connection.run(
          "UPDATE outbox SET batch = $1 WHERE hook = $2 AND sequence \(Connection.isOne(of: "$3"))",
          found.number,
          hook,
          StoreValue.integers(found.entries.map(\.sequence))
        )
      }
    }
    return found
  }

  /// Does nothing: only the one daemon on the file sends deliveries.
  public func release(_ delivery: HookDelivery) async throws(StoreError) {}
}
