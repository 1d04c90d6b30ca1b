package import NewsCore
import NewsStoresShared

extension PostgresStore {
  public func takeDeliveries(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
    after last: HookDelivery?,
    limit: Int,
    hold: Int64
  ) async throws(StoreError) -> [HookDelivery] {
    let floor =
      last.map { OutboxFloors.Place(due: $0.due, sequence: $0.number) }
      ?? outboxFloors.floor(of: hook, at: .now)
    // Check with a reader first: usually no delivery is due, and no write transaction is needed.
    let failures = try await snapshot { (connection) throws(StoreError) -> Int? in
      let isAny = try connection.number(
        "SELECT 1 FROM outbox WHERE \(Self.isNext) AND \(connection.hasArticle(at: now)) LIMIT 1",
        hook,
        now,
        floor.due,
        floor.sequence
      )
      return isAny == nil ? nil : try connection.failuresIfReady(of: hook, at: now)
    }
    guard let failures else { return [] }
    var found = try await sideTransaction { (connection) throws(StoreError) -> [HookDelivery] in
      if let boundary { return try Self.takeDigest(of: hook, at: now, before: boundary, hold, connection) }
      return try Self.takeEntries(of: hook, at: now, since: floor, failures > 0 ? 1 : limit, hold, connection)
    }
    for place in found.indices { found[place].hookFailures = failures }
    return found
  }

  /// SQL that is true while another process has the entry. A right that lasts longer than one granted now is from a clock that
  /// was ahead.
  private static func isHeld(_ hold: Int64) -> String {
    let longest = hold + NodeLease.clockTolerance
    return "taken BETWEEN clock_timestamp() AND clock_timestamp() + \(longest) * interval '1 second'"
  }

  /// SQL for the due entries of the hook $1 after a place in the order of delivery.
  private static let isNext = "hook = $1 AND due <= $2 AND (due, sequence) > ($3, $4)"

  package func settle(
    _ results: [(delivery: HookDelivery, settlement: HookSettlement)],
    at now: Timestamp
  ) async throws(StoreError) {
    try await sideTransaction { (connection) throws(StoreError) in try connection.settle(results, at: now) }
    if let last = results.last?.delivery, !last.isDigest { outboxFloors.note(last.entries[0], of: last.hook) }
  }

  public func release(_ deliveries: [HookDelivery]) async throws(StoreError) {
    guard let hook = deliveries.first?.hook else { return }
    try await sideTransaction { (connection) throws(StoreError) in
      try connection.release(deliveries.flatMap(\.entries), of: hook)
    }
  }

  private static func takeEntries(
    of hook: String,
    at now: Timestamp,
    since floor: OutboxFloors.Place,
    _ limit: Int,
    _ hold: Int64,
    _ connection: Connection
  ) throws(StoreError) -> [HookDelivery] {
    // While another process holds one of the next entries, none is taken, so that the order is kept.
    let rows = try connection.query(
      """
      WITH next AS MATERIALIZED (
        SELECT sequence, due, taken FROM outbox
        WHERE \(isNext) AND \(connection.hasArticle(at: now))
        ORDER BY due, sequence LIMIT $5 FOR UPDATE),
      held AS (
        UPDATE outbox AS o SET taken = clock_timestamp() + $6::bigint * interval '1 second' FROM next AS n
        WHERE o.hook = $1 AND o.sequence = n.sequence
          AND NOT EXISTS (SELECT 1 FROM next AS h WHERE h.\(isHeld(hold)))
        RETURNING o.sequence, o.event, o.time, o.item, o.notice, o.attempts, n.due)
      SELECT * FROM held ORDER BY due, sequence
      """,
      hook,
      now,
      floor.due,
      floor.sequence,
      limit,
      hold
    )
    return rows.compactMap { HookOutboxRow.delivery($0, of: hook) }
  }

  private static func takeDigest(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp,
    _ hold: Int64,
    _ connection: Connection
  ) throws(StoreError) -> [HookDelivery] {
    // While a process sends a digest, the next one waits.
    let isSending = try connection.number(
      "SELECT 1 FROM outbox WHERE hook = $1 AND due IS NOT NULL AND \(isHeld(hold)) LIMIT 1",
      hook
    )
    guard isSending == nil, let digest = try connection.nextDigest(of: hook, at: now, before: boundary) else {
      return []
    }
    // The entries of a digest are fixed at its first attempt, so that every attempt has the same key and body.
    try connection.query(
      """
      UPDATE outbox SET taken = clock_timestamp() + $3::bigint * interval '1 second', batch = $4
      WHERE hook = $1 AND sequence = ANY($2::bigint[])
      """,
      hook,
      StoreValue.array(digest.entries.map(\.sequence)),
      hold,
      digest.number
    )
    return [digest]
  }
}
