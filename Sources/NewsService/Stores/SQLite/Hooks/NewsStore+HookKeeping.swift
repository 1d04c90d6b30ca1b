import NewsStoresShared
package import NewsCore

extension NewsStore: HookKeeping {
  public func takeDeliveries(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
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
        found = try connection.nextEntries(of: hook, at: now, limit: failures > 0 ? 1 : limit)
      }
      for place in found.indices { found[place].hookFailures = failures }
      return found
    }
    // The entries of a digest are fixed at its first attempt, so that every attempt has the same key and body.
    if let digest = found.first, digest.isDigest, digest.attempts == 0 {
      try await write { (connection) throws(StoreError) in
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
