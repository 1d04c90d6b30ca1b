// The tables of hooks: their configuration and state, and the outbox.

extension StoreSession {
  /// The last index that was added to the tables of hooks, for `has`.
  package static var lastPartOfHooks: String { "outbox_item" }

  /// Returns the hooks that fire, ordered by name.
  package func activeHooks() throws(StoreError) -> [StoredHook] {
    try rows("SELECT \(StoredHook.columns) FROM hooks WHERE is_active = 1 ORDER BY name") {
      (row) throws(StoreError) in StoredHook(row)
    }
  }

  /// Records an error of a hook with the current time, unless the same error was the last one recorded.
  package func noteError(_ error: String, of hook: String) throws(StoreError) {
    try run(
      "UPDATE hooks SET last_error = $1, last_error_time = $2 WHERE name = $3 AND coalesce(last_error, '') <> $1",
      error,
      try currentTime(),
      hook
    )
  }

  /// Returns the state of an item; nil if there is no such item.
  package func state(of id: NewsItem.ID) throws(StoreError) -> InitialState? {
    try rows("SELECT is_read, is_starred FROM items WHERE id = $1", id) { (row) throws(StoreError) in
      InitialState(isRead: row.bool(0), isStarred: row.bool(1))
    }.first
  }

  /// Adds an entry to the outbox of a hook, due now.
  package func add(_ entry: HookEntry, to hook: String) throws(StoreError) {
    try run(
      """
      INSERT INTO outbox (hook, sequence, event, time, item, notice, due) VALUES ($1, $2, $3, $4, $5, $6, $4)
      ON CONFLICT DO NOTHING
      """,
      hook,
      entry.sequence,
      entry.event.rawValue,
      entry.time,
      entry.itemID,
      entry.notice?.storedText
    )
  }

  // MARK: Delivering

  /// Returns an SQL condition on `outbox` that is false while the item waits for its article, which it does for at most
  /// ten minutes.
  package func hasArticle(at now: Timestamp) -> String {
    """
    (item IS NULL OR time <= \((now - 600).seconds)
      OR NOT EXISTS (SELECT 1 FROM articles AS a WHERE a.item = outbox.item AND a.state = 'waiting'))
    """
  }

  /// Returns the next entry of a hook that is due and meets a condition on `outbox`.
  package func nextEntry(
    of hook: String,
    at now: Timestamp,
    where condition: String
  ) throws(StoreError) -> HookDelivery? {
    try rows(
      """
      SELECT \(HookOutboxRow.columns), attempts, first_try FROM outbox
      WHERE hook = $1 AND due <= $2 AND \(condition) ORDER BY due, sequence LIMIT 1
      """,
      hook,
      now
    ) { (row) throws(StoreError) in
      HookOutboxRow.entry(row).map { entry in
        HookDelivery(
          hook: hook,
          entries: [entry],
          number: entry.sequence,
          isDigest: false,
          attempts: row.count(5),
          firstTry: row.time(6)
        )
      }
    }.first ?? nil
  }

  /// Returns the next digest: one whose delivery has failed before, or else the entries before `boundary`.
  package func nextDigest(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp
  ) throws(StoreError) -> HookDelivery? {
    let batch = try number(
      "SELECT batch FROM outbox WHERE hook = $1 AND due <= $2 AND batch IS NOT NULL ORDER BY due, sequence LIMIT 1",
      hook,
      now
    )
    var delivery = HookDelivery(hook: hook, entries: [], number: 0, isDigest: true)
    let sql = """
      SELECT \(HookOutboxRow.columns), attempts, first_try FROM outbox
      WHERE hook = $1 AND due IS NOT NULL AND (batch = CAST($2 AS bigint)
        OR CAST($2 AS bigint) IS NULL AND batch IS NULL AND time < $3)
      ORDER BY sequence LIMIT \(HookRunner.digestSize)
      """
    for (entry, attempts, firstTry) in try rows(
      sql,
      hook,
      batch,
      boundary,
      read: { (row) throws(StoreError) in (HookOutboxRow.entry(row), row.count(5), row.time(6)) }
    ) {
      guard let entry else { continue }
      if delivery.entries.isEmpty {
        delivery.attempts = attempts
        delivery.firstTry = firstTry
      }
      delivery.entries.append(entry)
      delivery.number = batch ?? entry.sequence
    }
    return delivery.entries.isEmpty ? nil : delivery
  }

  /// Returns the number of consecutive failures of the hook; nil if its next attempt is not due.
  package func failuresIfReady(of hook: String, at now: Timestamp) throws(StoreError) -> Int? {
    try rows("SELECT failures, next_try FROM hooks WHERE name = $1", hook) { (row) throws(StoreError) in
      row.time(1).map { $0 <= now } ?? true ? row.count(0) : nil
    }.first ?? nil
  }

  func settle(
    _ delivery: HookDelivery,
    _ settlement: HookSettlement,
    at now: Timestamp
  ) throws(StoreError) {
    switch settlement {
    case .delivered:
      try remove(delivery.entries, of: delivery.hook)
      try run(
        """
        UPDATE hooks SET delivered = delivered + $1, last_delivered = $2, failures = 0, next_try = NULL
        WHERE name = $3
        """,
        delivery.entries.count,
        now,
        delivery.hook
      )
    case .givenUp(let error):
      try postpone(delivery, to: nil, error, at: now)
      try note(error, of: delivery.hook, at: now, pause: nil)
    case .postponed(let error, let wait, let pause):
      try postpone(delivery, to: now + wait, error, at: now)
      try note(error, of: delivery.hook, at: now, pause: pause)
    }
  }

  private func postpone(
    _ delivery: HookDelivery,
    to due: Timestamp?,
    _ error: String,
    at now: Timestamp
  ) throws(StoreError) {
    try run(
      """
      UPDATE outbox SET attempts = attempts + 1, first_try = coalesce(first_try, $1), due = $2, error = $3
      WHERE hook = $4 AND sequence \(Self.isOne(of: "$5"))
      """,
      now,
      due,
      error,
      delivery.hook,
      StoreValue.integers(delivery.entries.map(\.sequence))
    )
    try release(delivery)
  }

  /// Records an error of a hook and pauses its deliveries. `pause` is nil if the delivery is given up,
  /// because the target refused it or its time is over; the hook then continues with the next one.
  private func note(
    _ error: String,
    of hook: String,
    at now: Timestamp,
    pause: Int64?
  ) throws(StoreError) {
    try run(
      """
      UPDATE hooks SET last_error = $1, last_error_time = $2, next_try = $3,
        failures = CASE WHEN CAST($3 AS bigint) IS NULL THEN 0 ELSE failures + 1 END
      WHERE name = $4
      """,
      error,
      now,
      pause.map { now + $0 },
      hook
    )
  }

  func remove(_ entries: [HookEntry], of hook: String) throws(StoreError) {
    try run(
      "DELETE FROM outbox WHERE hook = $1 AND sequence \(Self.isOne(of: "$2"))",
      hook,
      StoreValue.integers(entries.map(\.sequence))
    )
  }
}

extension HookKeeping where Self: TableStore {
  package func register(_ hooks: [Hook], isComplete: Bool) async throws(StoreError) {
    let wanted = hooks.map(StoredHook.init).sorted { $0.name < $1.name }
    // Check with a reader first: a write transaction would wait for other processes even if it changes nothing.
    let known = try await snapshot { (session) throws(StoreError) in
      try session.has(Session.lastPartOfHooks) ? try session.activeHooks() : []
    }
    guard known != wanted, isComplete || !hooks.isEmpty else { return }
    try await transaction { (session) throws(StoreError) in
      if isComplete { try session.run("UPDATE hooks SET is_active = 0") }
      for hook in wanted {
        try session.run(
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

  package func settle(
    _ delivery: HookDelivery,
    _ settlement: HookSettlement,
    at now: Timestamp
  ) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.settle(delivery, settlement, at: now)
    }
  }

  package func discard(_ entries: [HookEntry], of hook: String) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in try session.remove(entries, of: hook) }
  }

  // MARK: For people

  package func hookStates() async throws(StoreError) -> [HookState] {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has(Session.lastPartOfHooks) else { return [] }
      return try session.rows(
        """
        SELECT name, is_active, delivered, last_delivered, last_error, last_error_time, next_try,
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NOT NULL),
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NULL)
        FROM hooks AS h ORDER BY name
        """
      ) { (row) throws(StoreError) in
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

  package func failedEntries() async throws(StoreError) -> [FailedHookEntry] {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has(Session.lastPartOfHooks) else { return [] }
      return try session.rows(
        """
        SELECT \(HookOutboxRow.columns), hook, attempts, error, (SELECT title FROM items WHERE id = outbox.item)
        FROM outbox WHERE due IS NULL ORDER BY hook, sequence
        """
      ) { (row) throws(StoreError) in
        HookOutboxRow.entry(row).map {
          FailedHookEntry(
            hook: row.string(5),
            entry: $0,
            title: row.optionalString(8) ?? $0.notice?.message ?? "",
            attempts: row.int(6),
            error: row.string(7)
          )
        }
      }.compactMap { $0 }
    }
  }

  package func retryHook(_ name: String?, at now: Timestamp) async throws(StoreError) -> Int {
    try await transaction { (session) throws(StoreError) in
      let count = try session.count(
        """
        UPDATE outbox SET due = $2, first_try = NULL, attempts = 0
        WHERE (CAST($1 AS text) IS NULL OR hook = $1) AND (due IS NULL OR due > $2) RETURNING 1
        """,
        name,
        now
      )
      try session.run(
        "UPDATE hooks SET next_try = NULL, failures = 0 WHERE CAST($1 AS text) IS NULL OR name = $1",
        name
      )
      return count
    }
  }

  package func dropHook(_ name: String, onlyFailed: Bool) async throws(StoreError) -> Int {
    try await transaction { (session) throws(StoreError) in
      let count = try session.count(
        "DELETE FROM outbox WHERE hook = $1 \(onlyFailed ? "AND due IS NULL" : "") RETURNING 1",
        name
      )
      // Delete hooks that are no longer in the configuration.
      try session.run(
        "DELETE FROM hooks WHERE name = $1 AND is_active = 0 AND NOT EXISTS (SELECT 1 FROM outbox WHERE hook = $1)",
        name
      )
      return count
    }
  }
}
