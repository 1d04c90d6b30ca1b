package import NewsCore

// The tables of hooks: their configuration and state, and the outbox.

extension StoreSession {
  /// The last index that was added to the tables of hooks, for `has`.
  package static var lastPartOfHooks: String { "outbox_item" }

  /// Returns the hooks that fire, ordered by name.
  package func activeHooks() throws(StoreError) -> [StoredHook] {
    try rows("SELECT \(StoredHook.columns) FROM hooks WHERE is_active = 1 ORDER BY name") { StoredHook($0) }
  }

  /// Has hooks fire.
  package func activate(_ hooks: [StoredHook]) throws(StoreError) {
    for hook in hooks {
      try run(
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
    var state = try first("SELECT is_read, is_starred FROM items WHERE id = $1", id) {
      InitialState(isRead: $0.bool(0), isStarred: $0.bool(1))
    }
    state?.labels = try labels(of: [id.rawValue])[id.rawValue] ?? []
    return state
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

  /// Returns the next entries of a hook that are due, each as a delivery; only those after `last`.
  package func nextEntries(
    of hook: String,
    at now: Timestamp,
    after last: HookDelivery?,
    limit: Int
  ) throws(StoreError) -> [HookDelivery] {
    try rows(
      """
      SELECT \(HookOutboxRow.columns), attempts, due FROM outbox
      WHERE hook = $1 AND due <= $2 AND (due, sequence) > ($3, $4) AND \(hasArticle(at: now))
      ORDER BY due, sequence LIMIT $5
      """,
      hook,
      now,
      last?.due ?? Int64.min,
      last?.number ?? Int64.min,
      limit
    ) { HookOutboxRow.delivery($0, of: hook) }.compactMap(\.self)
  }

  /// Returns the next digest: one whose delivery has failed before, or else the entries before `boundary`, as many as it may have.
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
      SELECT \(HookOutboxRow.columns), attempts FROM outbox
      WHERE hook = $1 AND due IS NOT NULL AND (batch = CAST($2 AS bigint)
        OR CAST($2 AS bigint) IS NULL AND batch IS NULL AND time < $3)
      ORDER BY sequence LIMIT \(HookRunner.digestSize)
      """
    for (entry, attempts) in try rows(
      sql,
      hook,
      batch,
      boundary,
      read: { (HookOutboxRow.entry($0), $0.count(5)) }
    ) {
      guard let entry else { continue }
      if delivery.entries.isEmpty { delivery.attempts = attempts }
      delivery.entries.append(entry)
    }
    if batch == nil {
      let items = delivery.entries.compactMap { $0.itemID?.rawValue }
      let sizes = try textSizes(of: items, within: HookRunner.digestBytes)
      var left = sizes.fitting(in: HookRunner.digestBytes)
      let end = delivery.entries.firstIndex { entry in
        left -= entry.itemID == nil ? 0 : 1
        return left < 0
      }
      if let end { delivery.entries.removeSubrange(end...) }
    }
    guard let last = delivery.entries.last else { return nil }
    delivery.number = batch ?? last.sequence
    return delivery
  }

  /// Returns the number of consecutive failures of the hook; nil if its next attempt is not due.
  package func failuresIfReady(of hook: String, at now: Timestamp) throws(StoreError) -> Int? {
    try rows("SELECT failures, next_try FROM hooks WHERE name = $1", hook) { (row) throws(StoreError) in
      row.time(1).map { $0 <= now } ?? true ? row.count(0) : nil
    }.first ?? nil
  }

  package func settle(
    _ results: [(delivery: HookDelivery, settlement: HookSettlement)],
    at now: Timestamp
  ) throws(StoreError) {
    guard let hook = results.first?.delivery.hook else { return }
    var done: [HookEntry] = []
    var delivered = 0
    for (delivery, settlement) in results {
      switch settlement {
      case .delivered:
        done += delivery.entries
        delivered += delivery.entries.count
      case .gone: done += delivery.entries
      case .givenUp(let error): try postpone(delivery, to: nil, error, at: now)
      case .postponed(let error, let wait, _): try postpone(delivery, to: now + wait, error, at: now)
      }
    }
    if !done.isEmpty { try remove(done, of: hook) }
    if delivered > 0 {
      try run(
        """
        UPDATE hooks SET delivered = delivered + $1, last_delivered = $2, failures = 0, next_try = NULL
        WHERE name = $3
        """,
        delivered,
        now,
        hook
      )
    }
    for result in results.reversed() {
      switch result.settlement {
      case .givenUp(let error): return try note(error, of: hook, at: now, pause: nil)
      case .postponed(let error, _, let pause): return try note(error, of: hook, at: now, pause: pause)
      case .delivered, .gone: break
      }
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
    try release(delivery.entries, of: delivery.hook)
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

// MARK: - Limits of the outbox

/// Limits on the entries of one hook, because its target may be down for ever.
private enum OutboxLimit {
  /// Maximum number of pending entries.
  static let pending = 100_000
  /// Maximum number of entries that were given up.
  static let failed = 10_000
  /// Seconds for which an entry stays due after a retry, whatever its age.
  static let retry: Int64 = 86_400
  /// Maximum number of entries that one transaction gives up or removes.
  static let portion = 20_000
}

extension StoreSession {
  /// SQL for the pending entries of the hook $1 from before $2 that nothing has tried since $3.
  private static var outdated: String {
    "FROM outbox WHERE hook = $1 AND due IS NOT NULL AND due < $3 AND time < $2"
  }

  /// SQL for the hook $1, if its last error is from after $2, the current time: the clock was ahead and is right again. Clocks of
  /// several machines differ by some seconds.
  private static var failedLater: String {
    "SELECT 1 FROM hooks WHERE name = $1 AND last_error_time > $2 + \(PollPolicy.clockTolerance)"
  }

  /// SQL condition on `outbox`: the entry of the hook $1 waits for a time that only a wrong clock can have set. $2 is the
  /// current time.
  private static var isLate: String {
    """
    hook = $1 AND due > $2 AND (attempts = 0 AND due > $2 + \(PollPolicy.clockTolerance)
      OR due > $2 + \(HookBackoff.longest) OR EXISTS (\(failedLater)))
    """
  }

  /// The same for the hook itself.
  private static var isPausedLate: String {
    """
    name = $1 AND next_try > $2
      AND (next_try > $2 + \(HookBackoff.longest) OR last_error_time > $2 + \(PollPolicy.clockTolerance))
    """
  }

  /// SQL that makes an entry of `outbox` due at $2, the current time. An entry that a clock ahead has dated counts as added
  /// now, so that it belongs to the next digest, and waits for its article for as long as others.
  fileprivate static var becomesDue: String { "due = $2, time = CASE WHEN time > $2 THEN $2 ELSE time END" }

  fileprivate func mustTrim(_ hook: String, at now: Timestamp, byAge: Bool) throws(StoreError) -> Bool {
    let (born, due) = (now - HookBackoff.lifetime, now - OutboxLimit.retry)
    if byAge, try number("SELECT 1 \(Self.outdated) LIMIT 1", hook, born, due) != nil { return true }
    let late =
      "SELECT 1 FROM outbox WHERE \(Self.isLate) UNION ALL SELECT 1 FROM hooks WHERE \(Self.isPausedLate) LIMIT 1"
    if try number(late, hook, now) != nil { return true }
    if try pendingCount(of: hook) > OutboxLimit.pending { return true }
    return try failedBound(of: hook) != nil
  }

  private func pendingCount(of hook: String) throws(StoreError) -> Int {
    Int(try number("SELECT count(*) FROM outbox WHERE hook = $1 AND due IS NOT NULL", hook) ?? 0)
  }

  /// Returns the number up to which failed entries exceed the limit; nil if they do not.
  private func failedBound(of hook: String) throws(StoreError) -> Int64? {
    try number(
      "SELECT sequence FROM outbox WHERE hook = $1 AND due IS NULL ORDER BY sequence DESC LIMIT 1 OFFSET $2",
      hook,
      OutboxLimit.failed
    )
  }

  fileprivate func trim(_ hook: String, at now: Timestamp, byAge: Bool) throws(StoreError) -> Int {
    let (born, due) = (now - HookBackoff.lifetime, now - OutboxLimit.retry)
    try run("UPDATE outbox SET \(Self.becomesDue) WHERE \(Self.isLate)", hook, now)
    try run("UPDATE hooks SET next_try = NULL WHERE \(Self.isPausedLate)", hook, now)
    var count =
      byAge
      ? try count(
        """
        UPDATE outbox SET due = NULL, error = 'it could not be delivered within seven days' WHERE hook = $1
          AND sequence IN (SELECT sequence \(Self.outdated) ORDER BY due, sequence LIMIT $4) RETURNING 1
        """,
        hook,
        born,
        due,
        OutboxLimit.portion
      ) : 0
    let surplus = try pendingCount(of: hook) - OutboxLimit.pending
    if surplus > 0 {
      count += try self.count(
        """
        UPDATE outbox SET due = NULL, error = 'more than \(OutboxLimit.pending) deliveries waited' WHERE hook = $1
          AND sequence IN (SELECT sequence FROM outbox WHERE hook = $1 AND due IS NOT NULL ORDER BY due, sequence LIMIT $2)
        RETURNING 1
        """,
        hook,
        min(surplus, OutboxLimit.portion)
      )
    }
    if let bound = try failedBound(of: hook) {
      try run("DELETE FROM outbox WHERE hook = $1 AND due IS NULL AND sequence <= $2", hook, bound)
    }
    return count
  }
}

extension TableStore {
  package func register(_ hooks: [Hook], isComplete: Bool) async throws(StoreError) {
    let wanted = hooks.map(StoredHook.init).sorted { $0.name < $1.name }
    // Check with a reader first: a write transaction would wait for other processes even if it changes nothing.
    let known = try await snapshot { (session) throws(StoreError) in
      try session.has(Session.lastPartOfHooks) ? try session.activeHooks() : []
    }
    guard known != wanted, isComplete || !hooks.isEmpty else { return }
    try await transaction { (session) throws(StoreError) in
      if isComplete { try session.run("UPDATE hooks SET is_active = 0") }
      try session.activate(wanted)
    }
  }

  package func hooks(with event: HookEvent) async throws(StoreError) -> [String] {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has(Session.lastPartOfHooks) else { return [] }
      return try session.activeHooks().filter { $0.eventSet.contains(event) }.map(\.name)
    }
  }

  package func settle(
    _ results: [(delivery: HookDelivery, settlement: HookSettlement)],
    at now: Timestamp
  ) async throws(StoreError) {
    try await sideTransaction { (session) throws(StoreError) in try session.settle(results, at: now) }
  }

  package func trimOutbox(of hook: String, at now: Timestamp, byAge: Bool) async throws(StoreError) -> Int {
    let mustTrim = try await snapshot { (session) throws(StoreError) in
      guard try session.has(Session.lastPartOfHooks) else { return false }
      return try session.mustTrim(hook, at: now, byAge: byAge)
    }
    guard mustTrim else { return 0 }
    return try await sideTransaction { (session) throws(StoreError) in
      try session.trim(hook, at: now, byAge: byAge)
    }
  }

  // MARK: Hooks of the page

  package func pageHooks() async throws(StoreError) -> [PageHook] {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has("page_hooks") else { return [] }
      // A store from elsewhere may have more.
      return try session.rows(
        "SELECT name, preset, query, filled FROM page_hooks ORDER BY name LIMIT $1",
        PageHook.most
      ) {
        PageHook(
          name: $0.string(0),
          preset: $0.string(1),
          query: $0.optionalString(2),
          storedValues: $0.string(3)
        )
      }
    }
  }

  package func keep(_ hook: PageHook) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.run(
        """
        INSERT INTO page_hooks (name, preset, query, filled) VALUES ($1, $2, $3, $4) ON CONFLICT (name)
        DO UPDATE SET preset = excluded.preset, query = excluded.query, filled = excluded.filled
        """,
        hook.name,
        hook.preset,
        hook.query,
        hook.storedValues
      )
    }
  }

  package func removePageHook(_ name: String) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.run("DELETE FROM page_hooks WHERE name = $1", name)
    }
  }

  // MARK: For people

  package func hookStates() async throws(StoreError) -> [HookState] {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has(Session.lastPartOfHooks) else { return [] }
      return try session.rows(
        """
        SELECT name, is_active, delivered, last_delivered, last_error, last_error_time, next_try,
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NOT NULL),
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NULL),
          (SELECT min(time) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NOT NULL)
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
        state.oldest = row.time(9)
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
        UPDATE outbox SET \(Session.becomesDue), first_try = NULL, attempts = 0
        WHERE (CAST($1 AS text) IS NULL OR hook = $1) AND (due IS NULL OR due > $2
          OR EXISTS (SELECT 1 FROM hooks WHERE name = outbox.hook AND next_try > $2)) RETURNING 1
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
