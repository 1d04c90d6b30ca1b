import NewsStoresShared
import NewsCore

/// Rows of `counters`.
extension Counter {
  func value(_ connection: Connection) throws(StoreError) -> Int64 {
    try connection.integer("SELECT value FROM counters WHERE name = '\(rawValue)'") ?? 0
  }

  /// Adds `amount` and returns the new value.
  @discardableResult
  func add(_ amount: Int64, _ connection: Connection) throws(StoreError) -> Int64 {
    guard amount != 0 else { return try value(connection) }
    let statement = try connection.prepare(
      "UPDATE counters SET value = value + ?1 WHERE name = '\(rawValue)' RETURNING value"
    )
    try statement.bind(1, amount)
    guard try statement.step() else { return 0 }
    return statement.int64(0)
  }

  /// Raises the counter to `least` if it is lower.
  func raise(to least: Int64, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE counters SET value = max(value, ?) WHERE name = '\(rawValue)'"
    )
    try statement.bind(1, least)
    try statement.run()
  }
}
