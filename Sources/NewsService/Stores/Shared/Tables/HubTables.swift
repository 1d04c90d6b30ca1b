package import NewsCore

// Subscriptions at hubs.

extension TableStore {
  package func offeredHubs() async throws(StoreError) -> [OfferedHub] {
    try await snapshot { (session) throws(StoreError) in
      try session.rows(
        "SELECT id, url, settings, hub_url, topic_url FROM feeds WHERE hub_url IS NOT NULL AND is_gone = 0 ORDER BY id"
      ) { row in
        OfferedHub(
          feedID: Feed.ID(rawValue: row.int64(0)),
          url: row.string(1),
          settings: FeedSettings(stored: row.optionalString(2)),
          offer: HubOffer(topic: row.string(4), hub: row.string(3))
        )
      }
    }
  }

  package func hubSubscriptions() async throws(StoreError) -> [HubSubscription] {
    try await snapshot { (session) throws(StoreError) in
      try session.rows(
        """
        SELECT feed, topic, hub, callback, token, secret, lease_end, failures, due, \(Session.sharedHubColumns)
        FROM hub_subscriptions ORDER BY feed
        """
      ) { row in
        HubSubscription(
          feedID: Feed.ID(rawValue: row.int64(0)),
          offer: HubOffer(topic: row.string(1), hub: row.string(2)),
          callback: row.string(3),
          token: row.string(4),
          secret: row.string(5),
          leaseEnd: row.time(6),
          failures: row.count(7),
          due: row.time(8) ?? Timestamp(seconds: 0),
          isPending: row.bool(9),
          lastContact: row.time(10),
          revision: row.int64(11)
        )
      }
    }
  }

  package func resumePolling(after pause: Int64?) async throws(StoreError) {
    let reason = DueReason.webSub.description
    // Check with a reader first: a daemon without hubs then needs no write transaction.
    let isNeeded = try await snapshot { (session) throws(StoreError) in
      guard try session.number("SELECT 1 FROM feeds WHERE next_due_reason = $1 LIMIT 1", reason) != nil else {
        return false
      }
      return try mayResumePolling(session)
    }
    guard isNeeded else { return }
    let wait = pause.map { "\($0)" } ?? "coalesce(interval, 3600)"
    try await transaction { (session) throws(StoreError) in
      try session.run(
        """
        UPDATE feeds SET next_due = CASE WHEN next_due <= last_fetched + \(wait) THEN next_due
            WHEN next_due > last_fetched + \(wait) THEN last_fetched + \(wait) END,
          next_due_reason = $1
        WHERE next_due_reason = $2
        """,
        DueReason.adaptive.description,
        reason
      )
      // Schedulers have cached the former times, so make them reload the feeds.
      try session.add(1, to: .feedList)
    }
  }
}
