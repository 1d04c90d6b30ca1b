import NewsStoresShared
import NewsCore

/// Removes items from the tables and the full-text index and writes a tombstone for each. Runs inside a transaction.
struct ItemRemover {
  private let connection: Connection
  private var sequence: Int64
  private let firstSequence: Int64
  private var totals: [Int64: (items: Int64, unread: Int64)] = [:]
  private var starred: Int64 = 0
  private var tags = ItemTags()

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    firstSequence = try Counter.sequence.value(connection)
    sequence = firstSequence
  }

  mutating func removeAll(of feed: Feed.ID) throws(StoreError) { try removeOldest(-1, of: feed) }

  /// Removes the oldest `limit` items of a feed; all items for -1.
  mutating func removeOldest(_ limit: Int, of feed: Feed.ID) throws(StoreError) {
    let statement = try connection.prepare("SELECT key FROM items WHERE feed = ? ORDER BY key LIMIT ?")
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, limit)
    var keys: [ItemKey] = []
    while try statement.step() { keys.append(ItemKey(rawValue: statement.int64(0))) }
    try remove(keys)
  }

  /// Removes the items with these keys. The keys must be in ascending order: the full-text index flushes its pending
  /// data whenever a key is lower than the previous one.
  mutating func remove(_ keys: [ItemKey]) throws(StoreError) {
    for key in keys {
      let row = try connection.prepare(
        """
        SELECT i.id, i.feed, i.identity, coalesce(i.guid, i.url, ''), i.url, i.is_read, i.is_starred, i.title,
          c.author, c.text, c.details
        FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.key = ?
        """
      )
      try row.bind(1, key.rawValue)
      guard try row.step() else { continue }
      sequence += 1
      try Tombstone(
        sequence: sequence,
        id: row.int64(0),
        feed: row.int64(1),
        identity: row.int64(2),
        guid: row.string(3),
        url: row.optionalString(4)
      ).insert(connection)
      var total = totals[row.int64(1)] ?? (0, 0)
      total.items += 1
      if !row.bool(5) { total.unread += 1 }
      totals[row.int64(1)] = total
      if row.bool(6) { starred += 1 }
      try FullTextIndex.remove(
        key,
        ItemTokens(title: row.string(7), author: row.string(8), text: row.string(9)),
        connection
      )
      try tags.set([], was: ItemDetails(row.optionalString(10)).allTags, of: key, connection)
      try DuplicateGroups.remove(key, connection)
      for sql in [
        "DELETE FROM versions WHERE item = ?", "DELETE FROM articles WHERE item = ?",
        "DELETE FROM item_labels WHERE item = ?", "DELETE FROM contents WHERE id = ?",
        "DELETE FROM items WHERE id = ?",
      ] {
        let delete = try connection.prepare(sql)
        try delete.bind(1, row.int64(0))
        try delete.run()
      }
    }
  }

  /// Updates the totals. The totals are wrong until this is called.
  mutating func finish() throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE feeds SET items = items - ?, unread = unread - ? WHERE id = ?"
    )
    var items: Int64 = 0
    var unread: Int64 = 0
    for (feed, total) in totals {
      try statement.bind(1, total.items)
      try statement.bind(2, total.unread)
      try statement.bind(3, feed)
      try statement.run()
      items += total.items
      unread += total.unread
    }
    try Counter.items.add(-items, connection)
    try Counter.unread.add(-unread, connection)
    try Counter.starred.add(-starred, connection)
    try Counter.sequence.add(sequence - firstSequence, connection)
  }
}
