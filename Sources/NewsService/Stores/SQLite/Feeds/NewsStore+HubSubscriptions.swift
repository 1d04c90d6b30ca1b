import NewsStoresShared
package import NewsCore

extension NewsStore: HubSubscriptionKeeping {
  public func offeredHubs() async throws(StoreError) -> [OfferedHub] {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare(
        "SELECT id, url, settings, hub_url, topic_url FROM feeds WHERE hub_url IS NOT NULL AND is_gone = 0"
      )
      var offers: [OfferedHub] = []
      while try statement.step() {
        offers.append(
          OfferedHub(
            feedID: Feed.ID(rawValue: statement.int64(0)),
            url: statement.string(1),
            settings: FeedSettings(stored: statement.optionalString(2)),
            offer: HubOffer(topic: statement.string(4), hub: statement.string(3))
          )
        )
      }
      return offers
    }
  }

  public func hubSubscriptions() async throws(StoreError) -> [HubSubscription] {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare(
        "SELECT feed, topic, hub, callback, token, secret, lease_end, failures, due FROM hub_subscriptions"
      )
      var subscriptions: [HubSubscription] = []
      while try statement.step() {
        subscriptions.append(
          HubSubscription(
            feedID: Feed.ID(rawValue: statement.int64(0)),
            offer: HubOffer(topic: statement.string(1), hub: statement.string(2)),
            callback: statement.string(3),
            token: statement.string(4),
            secret: statement.string(5),
            leaseEnd: statement.time(6),
            failures: statement.int(7),
            due: statement.time(8) ?? Timestamp(seconds: 0)
          )
        )
      }
      return subscriptions
    }
  }

  /// Stores changed subscriptions and deletes ended ones. All revisions are 0, because only one daemon uses a file.
  /// That daemon knows which requests are pending.
  @discardableResult
  public func keep(
    _ subscriptions: [HubSubscription],
    ended: [Feed.ID]
  ) async throws(StoreError) -> [Feed.ID: Int64] {
    try await write { (connection) throws(StoreError) in
      for subscription in subscriptions {
        // Skip feeds that were removed in the meantime.
        let statement = try connection.prepare(
          """
          INSERT OR REPLACE INTO hub_subscriptions
            (feed, topic, hub, callback, token, secret, lease_end, failures, due)
          SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE EXISTS (SELECT 1 FROM feeds WHERE id = ?1)
          """
        )
        try statement.bind(1, subscription.feedID.rawValue)
        try statement.bind(2, subscription.offer.topic)
        try statement.bind(3, subscription.offer.hub)
        try statement.bind(4, subscription.callback)
        try statement.bind(5, subscription.token)
        try statement.bind(6, subscription.secret)
        try statement.bind(7, subscription.leaseEnd)
        try statement.bind(8, subscription.failures)
        try statement.bind(9, subscription.due)
        try statement.run()
      }
      for feed in ended {
        let statement = try connection.prepare("DELETE FROM hub_subscriptions WHERE feed = ?")
        try statement.bind(1, feed.rawValue)
        try statement.run()
      }
    }
    return Dictionary(subscriptions.map { ($0.feedID, 0) }) { first, _ in first }
  }

  public func hubRevision() async throws(StoreError) -> Int64 { 0 }

  public func resumePolling() async throws(StoreError) {
    let reason = DueReason.webSub.description
    // Check with a reader first: a daemon without hubs then needs no write transaction.
    let isNeeded = try await read { (connection) throws(StoreError) in
      try connection.integer("SELECT 1 FROM feeds WHERE next_due_reason = '\(reason)' LIMIT 1") != nil
    }
    guard isNeeded else { return }
    try await write { (connection) throws(StoreError) in
      try connection.execute(
        """
        UPDATE feeds SET next_due = min(next_due, last_fetched + coalesce(interval, 3600)),
          next_due_reason = '\(DueReason.adaptive.description)'
        WHERE next_due_reason = '\(reason)'
        """
      )
    }
  }
}
