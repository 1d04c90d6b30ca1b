import NewsCore

/// The last change-log entry of a removed item; prevents the item from being stored again.
struct Tombstone {
  var sequence: Int64
  var id: Int64
  var feed: Int64
  var identity: Int64
  var guid: String
  var url: String?

  /// Returns true if an item with this identity was removed from the feed or rejected by a rule.
  static func exists(feed: Feed.ID, identity: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    let statement = try connection.prepare("SELECT 1 FROM tombstones WHERE feed = ? AND identity = ?")
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, identity)
    return try statement.step()
  }

  func insert(_ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT INTO tombstones (sequence, id, feed, identity, guid, url) VALUES (?, ?, ?, ?, ?, ?)"
    )
    try statement.bind(1, sequence)
    try statement.bind(2, id)
    try statement.bind(3, feed)
    try statement.bind(4, identity)
    try statement.bind(5, guid)
    try statement.bind(6, url)
    try statement.run()
  }
}
