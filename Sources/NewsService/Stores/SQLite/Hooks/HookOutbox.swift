import NewsCore

/// SQL for the outbox of hooks.
enum HookOutbox {
  /// The condition that protects items with a pending delivery from being pruned.
  static func pruneCondition(_ connection: Connection) throws(StoreError) -> String {
    guard try Schema.hasHooks(connection) else { return "" }
    return " AND NOT EXISTS (SELECT 1 FROM outbox WHERE item = items.id AND due IS NOT NULL)"
  }
}
