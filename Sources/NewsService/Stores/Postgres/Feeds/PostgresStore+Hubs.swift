import NewsStoresShared
package import NewsCore

extension PostgresStore {
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
        StoreValue.array(ended.map(\.rawValue))
      )
      connection.announced.insert(.hubs)
      return revisions
    }
  }

  public func hubRevision() async throws(StoreError) -> Int64 {
    try await snapshot { (connection) throws(StoreError) in
      // The sum, not the maximum: a transaction can commit after another one with a higher revision, and would leave
      // the maximum unchanged.
      try connection.number("SELECT sum(revision)::bigint FROM hub_subscriptions") ?? 0
    }
  }

  package func mayResumePolling(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.number(
      """
      SELECT 1 FROM polls AS p JOIN \(node.table) AS n ON n.id = p.owner
      WHERE p.feed = $1 AND n.until > clock_timestamp() AND n.id IS DISTINCT FROM $2::bigint
      """,
      NodeDuty.hubs.rawValue,
      node.number
    ) == nil
  }
}

extension Connection {
  /// Stores a subscription unless it was changed since it was read, or its feed was removed. Returns its new
  /// revision; nil: it was not stored.
  fileprivate func store(_ subscription: HubSubscription) throws(StoreError) -> Int64? {
    try number(
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
