import NewsStoresShared
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
        SELECT feed, topic, hub, callback, token, secret, lease_end, failures, due, is_pending, last_contact, revision
        FROM hub_subscriptions ORDER BY feed
        """
      ).map { row in
        HubSubscription(
          feedID: Feed.ID(rawValue: row.int64(0)),
          offer: HubOffer(topic: row.string(1), hub: row.string(2)),
          callback: row.string(3),
          token: row.string(4),
          secret: row.string(5),
          leaseEnd: row.time(6),
          failures: row.count(7),
          due: row.time(8) ?? Timestamp(seconds: 0),
          isPending: row.int(9) == 1,
          lastContact: row.time(10),
          revision: row.int64(11)
        )
      }
    }
  }

  @discardableResult
  public func keep(
    _ subscriptions: [HubSubscription],
    ended: [Feed.ID]
  ) async throws(StoreError) -> [Feed.ID: Int64] {
    try await write { (connection) throws(StoreError) in
      var revisions: [Feed.ID: Int64] = [:]
      for subscription in subscriptions {
        guard let revision = try connection.store(subscription) else { continue }
        revisions[subscription.feedID] = revision
      }
      try connection.query(
        "DELETE FROM hub_subscriptions WHERE feed = ANY($1::bigint[])",
        Parameter.array(ended.map(\.rawValue))
      )
      connection.announced.insert(.hubs)
      return revisions
    }
  }

  public func hubRevision() async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in
      // The sum, not the maximum: a transaction can commit after another one with a higher revision, and would leave
      // the maximum unchanged.
      try connection.integer("SELECT sum(revision)::bigint FROM hub_subscriptions") ?? 0
    }
  }

  public func resumePolling() async throws(StoreError) {
    let reason = DueReason.webSub.description
    // Check with a reader first: a daemon without hubs then needs no write transaction.
    let isNeeded = try await read { (connection) throws(StoreError) in
      try connection.integer(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM feeds WHERE next_due_reason = $1)
          AND NOT EXISTS (SELECT 1 FROM polls AS p JOIN nodes AS n ON n.id = p.owner
            WHERE p.feed = $2 AND n.until > clock_timestamp() AND n.id IS DISTINCT FROM $3::bigint)
        """,
        reason,
        NodeDuty.hubs.rawValue,
        node.number
      ) != nil
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
      // Schedulers have cached the former times, so make them reload the feeds.
      try connection.add(1, to: .feedList)
    }
  }
}

extension Connection {
  /// Stores a subscription unless it was changed since it was read, or its feed was removed. Returns its new
  /// revision; nil: it was not stored.
  fileprivate func store(_ subscription: HubSubscription) throws(StoreError) -> Int64? {
    try integer(
      """
      INSERT INTO hub_subscriptions AS h
        (feed, topic, hub, callback, token, secret, lease_end, failures, due, is_pending, last_contact, revision)
      SELECT id, $2, $3, $4, $5, $6, $7::bigint, $8::bigint, $9::bigint, $10::bigint, $11::bigint,
        pg_current_xact_id()::text::bigint
      FROM feeds WHERE id = $1
        AND ($12::bigint = 0 OR EXISTS (SELECT 1 FROM hub_subscriptions AS k WHERE k.feed = feeds.id))
      ON CONFLICT (feed) DO UPDATE SET topic = excluded.topic, hub = excluded.hub, callback = excluded.callback,
        token = excluded.token, secret = excluded.secret, lease_end = excluded.lease_end,
        failures = excluded.failures, due = excluded.due, is_pending = excluded.is_pending,
        last_contact = excluded.last_contact, revision = excluded.revision
      WHERE h.revision = $12::bigint
      RETURNING revision
      """,
      subscription.feedID.rawValue,
      subscription.offer.topic,
      subscription.offer.hub,
      subscription.callback,
      subscription.token,
      subscription.secret,
      subscription.leaseEnd,
      subscription.failures,
      subscription.due,
      subscription.isPending ? 1 : 0,
      subscription.lastContact,
      subscription.revision
    )
  }
}
