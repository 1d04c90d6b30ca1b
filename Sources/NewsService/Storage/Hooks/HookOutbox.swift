import NewsCore

/// SQL for the outbox of hooks.
enum HookOutbox {
  /// The condition that protects items with a pending delivery from being pruned.
  static func pruneCondition(_ connection: Connection) throws(StoreError) -> String {
    guard try Schema.hasHooks(connection) else { return "" }
    return " AND NOT EXISTS (SELECT 1 FROM outbox WHERE item = items.id AND due IS NOT NULL)"
  }
}

extension Connection: HookSession {
  func activeHooks() throws(StoreError) -> [StoredHook] {
    let row = try prepare("SELECT \(StoredHook.columns) FROM hooks WHERE is_active = 1 ORDER BY name")
    var hooks: [StoredHook] = []
    while try row.step() { hooks.append(StoredHook(row)) }
    return hooks
  }

  func noteError(_ error: String, of hook: String) throws(StoreError) {
    let update = try prepare(
      "UPDATE hooks SET last_error = ?1, last_error_time = unixepoch() WHERE name = ?2 AND last_error IS NOT ?1"
    )
    try update.bind(1, error)
    try update.bind(2, hook)
    try update.run()
  }

  func feed(_ id: Feed.ID) throws(StoreError) -> Feed? { try NewsStore.feed(id, self) }

  func state(of id: NewsItem.ID) throws(StoreError) -> InitialState? {
    let row = try prepare("SELECT is_read, is_starred FROM items WHERE id = ?")
    try row.bind(1, id.rawValue)
    guard try row.step() else { return nil }
    return InitialState(isRead: row.bool(0), isStarred: row.bool(1))
  }

  func add(_ entry: HookEntry, to hook: String) throws(StoreError) {
    let insert = try prepare(
      """
      INSERT INTO outbox (hook, sequence, event, time, item, notice, due) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?4)
      ON CONFLICT DO NOTHING
      """
    )
    try insert.bind(1, hook)
    try insert.bind(2, entry.sequence)
    try insert.bind(3, entry.event.rawValue)
    try insert.bind(4, entry.time)
    try insert.bind(5, entry.itemID?.rawValue)
    try insert.bind(6, entry.notice?.storedText)
    try insert.run()
  }
}
