import Glibc
public import NewsCore

extension PostgresStore: HookKeeping {
  /// Maximum number of seconds for which a delivery waits for the item's article.
  private static let articlePatience: Int64 = 600
  /// Seconds after which other processes may take an entry whose process ended without settling it; longer
  /// than any attempt.
  private static let lease = 300

  public func register(_ hooks: [Hook], isComplete: Bool) async throws(StoreError) {
    let wanted = hooks.map(StoredHook.init).sorted { $0.name < $1.name }
    // Check with a reader first: a write transaction waits for other processes, even to change nothing.
    let isKnown = try await read { (connection) throws(StoreError) in
      try connection.activeHooks() == wanted
    }
    guard !isKnown, isComplete || !hooks.isEmpty else { return }
    try await write { (connection) throws(StoreError) in
      if isComplete { try connection.query("UPDATE hooks SET is_active = 0") }
      for hook in wanted {
        try connection.query(
          """
          INSERT INTO hooks (name, is_active, query, events, failing_after, takes_backlog)
          VALUES ($1, 1, $2, $3, $4, $5) ON CONFLICT (name) DO UPDATE SET is_active = 1, query = excluded.query,
            events = excluded.events, failing_after = excluded.failing_after, takes_backlog = excluded.takes_backlog
          """,
          hook.name,
          hook.query,
          hook.events,
          hook.failingAfter,
          hook.takesBacklog
        )
      }
    }
  }

  // MARK: Delivering

  public func nextDelivery(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?
  ) async throws(StoreError) -> HookDelivery? {
    // Check with a reader first: usually no delivery is due, and no write transaction is needed.
    let isAny = try await read { (connection) throws(StoreError) in
      try connection.integer(
        "SELECT 1 FROM outbox WHERE hook = $1 AND due <= $2 AND \(Self.free(now)) LIMIT 1",
        hook,
        now
      ) != nil
    }
    guard isAny else { return nil }
    return try await write { (connection) throws(StoreError) -> HookDelivery? in
      let state = try connection.query("SELECT failures, next_try FROM hooks WHERE name = $1", hook).first
      guard let state, state.time(1).map({ $0 <= now }) ?? true else { return nil }
      var delivery =
        boundary == nil
        ? try Self.single(hook, now, connection) : try Self.digest(hook, now, before: boundary, connection)
      delivery?.hookFailures = state.int(0)
      guard let delivery else { return nil }
      // The entries of a digest are fixed at its first attempt, so that every attempt has the same key and body.
      try connection.query(
        """
        UPDATE outbox SET taken = clock_timestamp() + interval '\(Self.lease) s'
          \(delivery.isDigest ? ", batch = \(delivery.number)" : "")
        WHERE hook = $1 AND sequence = ANY($2::bigint[])
        """,
        hook,
        Parameter.array(delivery.entries.map(\.sequence))
      )
      return delivery
    }
  }

  /// Condition for an entry that no other process holds and whose item is not waiting for its article.
  private static func free(_ now: Timestamp) -> String {
    """
    (taken IS NULL OR taken < clock_timestamp()) AND (item IS NULL OR time <= \((now - articlePatience).seconds)
      OR NOT EXISTS (SELECT 1 FROM articles AS a WHERE a.item = outbox.item AND a.state = 'waiting'))
    """
  }

  private static let columns = "\(HookOutboxRow.columns), attempts, first_try, batch"

  private static func single(
    _ hook: String,
    _ now: Timestamp,
    _ connection: Connection
  ) throws(StoreError) -> HookDelivery? {
    let row = try connection.query(
      """
      SELECT \(columns) FROM outbox WHERE hook = $1 AND due <= $2 AND \(free(now)) ORDER BY due, sequence LIMIT 1
      """,
      hook,
      now
    ).first
    guard let row, let entry = HookOutboxRow.entry(row) else { return nil }
    return HookDelivery(
      hook: hook,
      entries: [entry],
      number: entry.sequence,
      isDigest: false,
      attempts: row.int(5),
      firstTry: row.time(6)
    )
  }

  private static func digest(
    _ hook: String,
    _ now: Timestamp,
    before boundary: Timestamp?,
    _ connection: Connection
  ) throws(StoreError) -> HookDelivery? {
    // One digest of a hook at a time: another process may still be sending the previous one.
    let isTaken = try connection.integer(
      "SELECT 1 FROM outbox WHERE hook = $1 AND due IS NOT NULL AND taken >= clock_timestamp() LIMIT 1",
      hook
    )
    guard isTaken == nil else { return nil }
    // Take a digest that was attempted before first.
    let batch = try connection.integer(
      """
      SELECT batch FROM outbox WHERE hook = $1 AND due <= $2 AND batch IS NOT NULL ORDER BY due, sequence LIMIT 1
      """,
      hook,
      now
    )
    let selection = batch.map { "batch = \($0)" } ?? "batch IS NULL AND time < \(boundary?.seconds ?? 0)"
    let rows = try connection.query(
      """
      SELECT \(columns) FROM outbox WHERE hook = $1 AND due IS NOT NULL AND \(selection)
      ORDER BY sequence LIMIT \(HookRunner.digestSize)
      """,
      hook
    )
    var delivery: HookDelivery?
    for row in rows {
      guard let entry = HookOutboxRow.entry(row) else { continue }
      if delivery == nil {
        delivery = HookDelivery(hook: hook, entries: [], number: 0, isDigest: true)
        delivery?.attempts = row.int(5)
        delivery?.firstTry = row.time(6)
      }
      delivery?.entries.append(entry)
      delivery?.number = batch ?? entry.sequence
    }
    return delivery
  }

  public func settle(
    _ delivery: HookDelivery,
    _ settlement: HookSettlement,
    at now: Timestamp
  ) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      switch settlement {
      case .delivered:
        try Self.remove(delivery.entries, of: delivery.hook, connection)
        try connection.query(
          """
          UPDATE hooks SET delivered = delivered + $1::bigint, last_delivered = $2, failures = 0, next_try = NULL
          WHERE name = $3
          """,
          delivery.entries.count,
          now,
          delivery.hook
        )
      case .givenUp(let error):
        try Self.postpone(delivery, to: nil, error, at: now, connection)
        try Self.note(error, of: delivery.hook, at: now, pause: nil, connection)
      case .postponed(let error, let wait, let pause):
        try Self.postpone(delivery, to: now + wait, error, at: now, connection)
        try Self.note(error, of: delivery.hook, at: now, pause: pause, connection)
      }
    }
  }

  private static func postpone(
    _ delivery: HookDelivery,
    to due: Timestamp?,
    _ error: String,
    at now: Timestamp,
    _ connection: Connection
  ) throws(StoreError) {
    try connection.query(
      """
      UPDATE outbox SET attempts = attempts + 1, first_try = coalesce(first_try, $1), due = $2, error = $3, taken = NULL
      WHERE hook = $4 AND sequence = ANY($5::bigint[])
      """,
      now,
      due,
      error,
      delivery.hook,
      Parameter.array(delivery.entries.map(\.sequence))
    )
  }

  /// Records an error of a hook. `pause` is nil if the target works and refuses only this delivery.
  private static func note(
    _ error: String,
    of hook: String,
    at now: Timestamp,
    pause: Int64?,
    _ connection: Connection
  ) throws(StoreError) {
    try connection.query(
      """
      UPDATE hooks SET last_error = $1, last_error_time = $2, next_try = $3::bigint,
        failures = CASE WHEN $3::bigint IS NULL THEN 0 ELSE failures + 1 END
      WHERE name = $4
      """,
      error,
      now,
      pause.map { now + $0 },
      hook
    )
  }

  public func discard(_ entries: [HookEntry], of hook: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in try Self.remove(entries, of: hook, connection) }
  }

  private static func remove(
    _ entries: [HookEntry],
    of hook: String,
    _ connection: Connection
  ) throws(StoreError) {
    try connection.query(
      "DELETE FROM outbox WHERE hook = $1 AND sequence = ANY($2::bigint[])",
      hook,
      Parameter.array(entries.map(\.sequence))
    )
  }

  public func report(_ event: HookEvent, _ notice: HookNotice, at now: Timestamp) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let hooks = try HookBook(connection)
      guard !hooks.isEmpty else { return }
      let sequence = try connection.add(1, to: .sequence)
      try hooks.report(event, notice, at: now, sequence: sequence, connection)
    }
  }
}

// MARK: - For people

extension PostgresStore {
  public func hookStates() async throws(StoreError) -> [HookState] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        """
        SELECT name, is_active, delivered, last_delivered, last_error, last_error_time, next_try,
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NOT NULL),
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NULL)
        FROM hooks AS h ORDER BY name
        """
      ).map { row in
        var state = HookState(name: row.string(0), isActive: row.bool(1))
        state.delivered = row.int64(2)
        state.lastDelivered = row.time(3)
        state.lastError = row.optionalString(4)
        state.lastErrorTime = row.time(5)
        state.nextTry = row.time(6)
        state.pending = row.int(7)
        state.failed = row.int(8)
        return state
      }
    }
  }

  public func failedEntries() async throws(StoreError) -> [FailedHookEntry] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        """
        SELECT \(HookOutboxRow.columns), hook, attempts, error, (SELECT title FROM items WHERE id = outbox.item)
        FROM outbox WHERE due IS NULL ORDER BY hook, sequence
        """
      ).compactMap { row in
        HookOutboxRow.entry(row).map {
          FailedHookEntry(
            hook: row.string(5),
            entry: $0,
            title: row.optionalString(8) ?? $0.notice?.message ?? "",
            attempts: row.int(6),
            error: row.string(7)
          )
        }
      }
    }
  }

  public func retryHook(_ name: String?, at now: Timestamp) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let entries = try connection.query(
        """
        UPDATE outbox SET due = $2, first_try = NULL, attempts = 0
        WHERE ($1::text IS NULL OR hook = $1::text) AND (due IS NULL OR due > $2) RETURNING 1
        """,
        name,
        now
      )
      try connection.query(
        "UPDATE hooks SET next_try = NULL, failures = 0 WHERE $1::text IS NULL OR name = $1::text",
        name
      )
      return entries.count
    }
  }

  public func dropHook(_ name: String, onlyFailed: Bool) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let entries = try connection.query(
        "DELETE FROM outbox WHERE hook = $1 \(onlyFailed ? "AND due IS NULL" : "") RETURNING 1",
        name
      )
      // Delete hooks that are no longer in the configuration.
      try connection.query(
        """
        DELETE FROM hooks WHERE name = $1 AND is_active = 0 AND NOT EXISTS (SELECT 1 FROM outbox WHERE hook = $1)
        """,
        name
      )
      return entries.count
    }
  }
}

extension Connection: HookSession {
  func activeHooks() throws(StoreError) -> [StoredHook] {
    try query("SELECT \(StoredHook.columns) FROM hooks WHERE is_active = 1 ORDER BY name").map {
      StoredHook($0)
    }
  }

  func noteError(_ error: String, of hook: String) throws(StoreError) {
    try query(
      "UPDATE hooks SET last_error = $1, last_error_time = $2 WHERE name = $3 AND last_error IS DISTINCT FROM $1",
      error,
      Int64(time(nil)),
      hook
    )
  }

  func state(of id: NewsItem.ID) throws(StoreError) -> InitialState? {
    try query("SELECT is_read, is_starred FROM items WHERE id = $1", id.rawValue).first.map {
      InitialState(isRead: $0.bool(0), isStarred: $0.bool(1))
    }
  }

  func add(_ entry: HookEntry, to hook: String) throws(StoreError) {
    try query(
      """
      INSERT INTO outbox (hook, sequence, event, time, item, notice, due) VALUES ($1, $2, $3, $4, $5, $6, $4)
      ON CONFLICT DO NOTHING
      """,
      hook,
      entry.sequence,
      entry.event.rawValue,
      entry.time,
      entry.itemID?.rawValue,
      entry.notice?.storedText
    )
  }
}
