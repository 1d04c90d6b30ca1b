public import NewsCore

extension NewsStore: HookKeeping {
  /// Maximum number of seconds for which a delivery waits for the item's article.
  private static let articlePatience: Int64 = 600

  public func register(_ hooks: [Hook], isComplete: Bool) async throws(StoreError) {
    // Check with a reader first: a write transaction waits for other processes, even to change nothing.
    let isKnown = try await read { (connection) throws(StoreError) in
      try Self.registered(connection) == hooks.map(StoredHook.init).sorted { $0.name < $1.name }
    }
    guard !isKnown, isComplete || !hooks.isEmpty else { return }
    try await write { (connection) throws(StoreError) in
      if isComplete { try connection.execute("UPDATE hooks SET is_active = 0") }
      let insert = try connection.prepare(
        """
        INSERT INTO hooks (name, is_active, query, events, failing_after, takes_backlog) VALUES (?1, 1, ?2, ?3, ?4, ?5)
        ON CONFLICT (name) DO UPDATE SET is_active = 1, query = ?2, events = ?3, failing_after = ?4, takes_backlog = ?5
        """
      )
      for hook in hooks.map(StoredHook.init) {
        try insert.bind(1, hook.name)
        try insert.bind(2, hook.query)
        try insert.bind(3, hook.events)
        try insert.bind(4, hook.failingAfter)
        try insert.bind(5, hook.takesBacklog)
        try insert.run()
        insert.reset()
      }
    }
  }

  private static func registered(_ connection: Connection) throws(StoreError) -> [StoredHook] {
    try Schema.hasHooks(connection) ? try connection.activeHooks() : []
  }

  // MARK: Delivering

  public func nextDelivery(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?
  ) async throws(StoreError) -> HookDelivery? {
    // Check with a reader first: usually no delivery is due, and no write transaction is needed.
    let found = try await read { (connection) throws(StoreError) -> HookDelivery? in
      guard try Schema.hasHooks(connection) else { return nil }
      let state = try connection.prepare("SELECT failures, next_try FROM hooks WHERE name = ?")
      try state.bind(1, hook)
      guard try state.step(), state.time(1).map({ $0 <= now }) ?? true else { return nil }
      let failures = state.int(0)
      let delivery =
        boundary == nil
        ? try Self.single(hook, now, connection) : try Self.digest(hook, now, before: boundary, connection)
      return delivery.map { found in
        var found = found
        found.hookFailures = failures
        return found
      }
    }
    // The entries of a digest are fixed at its first attempt, so that every attempt has the same key and body.
    if let found, found.isDigest, found.attempts == 0 {
      try await write { (connection) throws(StoreError) in
        let update = try connection.prepare("UPDATE outbox SET batch = ? WHERE hook = ? AND sequence = ?")
        for entry in found.entries {
          try update.bind(1, found.number)
          try update.bind(2, hook)
          try update.bind(3, entry.sequence)
          try update.run()
          update.reset()
        }
      }
    }
    return found
  }

  /// Condition for an item that is not waiting for its article.
  private static func articleCondition(_ now: Timestamp) -> String {
    """
    (item IS NULL OR time <= \((now - articlePatience).seconds)
      OR NOT EXISTS (SELECT 1 FROM articles AS a WHERE a.item = outbox.item AND a.state = 'waiting'))
    """
  }

  private static let columns = "\(HookOutboxRow.columns), attempts, first_try, batch"

  private static func single(
    _ hook: String,
    _ now: Timestamp,
    _ connection: Connection
  ) throws(StoreError) -> HookDelivery? {
    let row = try connection.prepare(
      """
      SELECT \(columns) FROM outbox WHERE hook = ? AND due <= ? AND \(articleCondition(now))
      ORDER BY due, sequence LIMIT 1
      """
    )
    try row.bind(1, hook)
    try row.bind(2, now)
    guard try row.step(), let entry = HookOutboxRow.entry(row) else { return nil }
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
    // Take a digest that was attempted before first.
    let begun = try connection.prepare(
      "SELECT batch FROM outbox WHERE hook = ? AND due <= ? AND batch IS NOT NULL ORDER BY due, sequence LIMIT 1"
    )
    try begun.bind(1, hook)
    try begun.bind(2, now)
    let batch = try begun.step() ? begun.int64(0) : nil
    let selection = batch.map { "batch = \($0)" } ?? "batch IS NULL AND time < \(boundary?.seconds ?? 0)"
    let row = try connection.prepare(
      """
      SELECT \(columns) FROM outbox WHERE hook = ? AND due IS NOT NULL AND \(selection)
      ORDER BY sequence LIMIT \(HookRunner.digestSize)
      """
    )
    try row.bind(1, hook)
    var delivery: HookDelivery?
    while try row.step() {
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
        let update = try connection.prepare(
          """
          UPDATE hooks SET delivered = delivered + ?, last_delivered = ?, failures = 0, next_try = NULL WHERE name = ?
          """
        )
        try update.bind(1, delivery.entries.count)
        try update.bind(2, now)
        try update.bind(3, delivery.hook)
        try update.run()
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
    let update = try connection.prepare(
      """
      UPDATE outbox SET attempts = attempts + 1, first_try = coalesce(first_try, ?), due = ?, error = ?
      WHERE hook = ? AND sequence = ?
      """
    )
    for entry in delivery.entries {
      try update.bind(1, now)
      try update.bind(2, due)
      try update.bind(3, error)
      try update.bind(4, delivery.hook)
      try update.bind(5, entry.sequence)
      try update.run()
      update.reset()
    }
  }

  /// Records an error of a hook. `pause` is nil if the target works and refuses only this delivery.
  private static func note(
    _ error: String,
    of hook: String,
    at now: Timestamp,
    pause: Int64?,
    _ connection: Connection
  ) throws(StoreError) {
    let update = try connection.prepare(
      """
      UPDATE hooks SET last_error = ?1, last_error_time = ?2, next_try = ?3,
        failures = CASE WHEN ?3 IS NULL THEN 0 ELSE failures + 1 END
      WHERE name = ?4
      """
    )
    try update.bind(1, error)
    try update.bind(2, now)
    try update.bind(3, pause.map { now + $0 })
    try update.bind(4, hook)
    try update.run()
  }

  public func discard(_ entries: [HookEntry], of hook: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in try Self.remove(entries, of: hook, connection) }
  }

  private static func remove(
    _ entries: [HookEntry],
    of hook: String,
    _ connection: Connection
  ) throws(StoreError) {
    let delete = try connection.prepare("DELETE FROM outbox WHERE hook = ? AND sequence = ?")
    for entry in entries {
      try delete.bind(1, hook)
      try delete.bind(2, entry.sequence)
      try delete.run()
      delete.reset()
    }
  }

  public func report(_ event: HookEvent, _ notice: HookNotice, at now: Timestamp) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let hooks = try HookBook(connection)
      guard !hooks.isEmpty else { return }
      let sequence = try Counter.sequence.add(1, connection)
      try hooks.report(event, notice, at: now, sequence: sequence, connection)
    }
  }

  // MARK: For people

  public func hookStates() async throws(StoreError) -> [HookState] {
    try await read { (connection) throws(StoreError) in
      guard try Schema.hasHooks(connection) else { return [] }
      let row = try connection.prepare(
        """
        SELECT name, is_active, delivered, last_delivered, last_error, last_error_time, next_try,
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NOT NULL),
          (SELECT count(*) FROM outbox AS o WHERE o.hook = h.name AND o.due IS NULL)
        FROM hooks AS h ORDER BY name
        """
      )
      var states: [HookState] = []
      while try row.step() {
        var state = HookState(name: row.string(0), isActive: row.bool(1))
        state.delivered = row.int64(2)
        state.lastDelivered = row.time(3)
        state.lastError = row.optionalString(4)
        state.lastErrorTime = row.time(5)
        state.nextTry = row.time(6)
        state.pending = row.int(7)
        state.failed = row.int(8)
        states.append(state)
      }
      return states
    }
  }

  public func failedEntries() async throws(StoreError) -> [FailedHookEntry] {
    try await read { (connection) throws(StoreError) in
      guard try Schema.hasHooks(connection) else { return [] }
      let row = try connection.prepare(
        """
        SELECT \(HookOutboxRow.columns), hook, attempts, error, (SELECT title FROM items WHERE id = outbox.item)
        FROM outbox WHERE due IS NULL ORDER BY hook, sequence
        """
      )
      var entries: [FailedHookEntry] = []
      while try row.step() {
        guard let entry = HookOutboxRow.entry(row) else { continue }
        entries.append(
          FailedHookEntry(
            hook: row.string(5),
            entry: entry,
            title: row.optionalString(8) ?? entry.notice?.message ?? "",
            attempts: row.int(6),
            error: row.string(7)
          )
        )
      }
      return entries
    }
  }

  public func retryHook(_ name: String?, at now: Timestamp) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let count = try connection.prepare(
        "SELECT count(*) FROM outbox WHERE (?1 IS NULL OR hook = ?1) AND (due IS NULL OR due > ?2)"
      )
      try count.bind(1, name)
      try count.bind(2, now)
      let number = try count.step() ? count.int(0) : 0
      let entries = try connection.prepare(
        """
        UPDATE outbox SET due = ?2, first_try = NULL, attempts = 0
        WHERE (?1 IS NULL OR hook = ?1) AND (due IS NULL OR due > ?2)
        """
      )
      try entries.bind(1, name)
      try entries.bind(2, now)
      try entries.run()
      let hooks = try connection.prepare(
        "UPDATE hooks SET next_try = NULL, failures = 0 WHERE (?1 IS NULL OR name = ?1)"
      )
      try hooks.bind(1, name)
      try hooks.run()
      return number
    }
  }

  public func dropHook(_ name: String, onlyFailed: Bool) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let condition = "hook = ?\(onlyFailed ? " AND due IS NULL" : "")"
      let count = try connection.prepare("SELECT count(*) FROM outbox WHERE \(condition)")
      try count.bind(1, name)
      let number = try count.step() ? count.int(0) : 0
      let delete = try connection.prepare("DELETE FROM outbox WHERE \(condition)")
      try delete.bind(1, name)
      try delete.run()
      // Delete hooks that are no longer in the configuration.
      let forget = try connection.prepare(
        "DELETE FROM hooks WHERE name = ?1 AND is_active = 0 AND NOT EXISTS (SELECT 1 FROM outbox WHERE hook = ?1)"
      )
      try forget.bind(1, name)
      try forget.run()
      return number
    }
  }
}
