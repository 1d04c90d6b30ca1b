package import NewsCore

extension PostgresStore: HubSubscriptionKeeping {
  public func offeredHubs() async throws(StoreError) -> [OfferedHub] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        "SELECT id, url, settings, hub_url, topic_url FROM feeds WHERE hub_url IS NOT NULL AND is_gone = 0 ORDER BY id"
      ).map { row in
        OfferedHub(
          feedID: Feed.ID(rawValue: row.int64(0)),
          url: row.string(1),
          settings: FeedSettings(stored: row.optionalString(2)),
          offer: HubOffer(topic: row.string(4), hub: row.string(3))
        )
      }
    }
  }

  public func hubSubscriptions() async throws(StoreError) -> [HubSubscription] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        """
        SELECT feed, topic, hub, callback, token, secret, lease_end, failures, due FROM hub_subscriptions ORDER BY feed
        """
      ).map { row in
        HubSubscription(
          feedID: Feed.ID(rawValue: row.int64(0)),
          offer: HubOffer(topic: row.string(1), hub: row.string(2)),
          callback: row.string(3),
          token: row.string(4),
          secret: row.string(5),
          leaseEnd: row.time(6),
          failures: row.int(7),
          due: row.time(8) ?? Timestamp(seconds: 0)
        )
      }
    }
  }

  public func keep(_ subscriptions: [HubSubscription], ended: [Feed.ID]) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      for one in subscriptions {
        // Skip feeds that were removed in the meantime.
        try connection.query(
          """
          INSERT INTO hub_subscriptions (feed, topic, hub, callback, token, secret, lease_end, failures, due)
          SELECT id, $2, $3, $4, $5, $6, $7::bigint, $8::bigint, $9::bigint FROM feeds WHERE id = $1
          ON CONFLICT (feed) DO UPDATE SET topic = excluded.topic, hub = excluded.hub, callback = excluded.callback,
            token = excluded.token, secret = excluded.secret, lease_end = excluded.lease_end,
            failures = excluded.failures, due = excluded.due
          """,
          one.feedID.rawValue,
          one.offer.topic,
          one.offer.hub,
          one.callback,
          one.token,
          one.secret,
          one.leaseEnd,
          one.failures,
          one.due
        )
      }
      try connection.query(
        "DELETE FROM hub_subscriptions WHERE feed = ANY($1::bigint[])",
        Parameter.array(ended.map(\.rawValue))
      )
    }
  }

  public func resumePolling() async throws(StoreError) {
    let reason = DueReason.webSub.description
    // Check with a reader first: a daemon without hubs then needs no write transaction.
    let isNeeded = try await read { (connection) throws(StoreError) in
      try connection.integer("SELECT 1 FROM feeds WHERE next_due_reason = $1 LIMIT 1", reason) != nil
    }
    guard isNeeded else { return }
    try await write { (connection) throws(StoreError) in
      try connection.query(
        """
        UPDATE feeds SET next_due = CASE WHEN next_due IS NULL OR last_fetched IS NULL THEN NULL
            ELSE least(next_due, last_fetched + coalesce(interval, 3600)) END,
          next_due_reason = $1
        WHERE next_due_reason = $2
        """,
        DueReason.adaptive.description,
        reason
      )
      return
    }
  }
}
