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
    firstSequence = try connection.lastNumber(.sequence)
    sequence = firstSequence
  }

  /// Removes items, which must be in ascending order of their keys: the full-text index flushes its pending data whenever
  /// a key is lower than the previous one.
  mutating func remove(_ ids: [Int64]) throws(StoreError) {
    for id in ids {
      let row = try connection.prepare(
        """
        SELECT i.key, i.feed, i.identity, coalesce(i.guid, i.url, ''), i.url, i.is_read, i.is_starred, i.title,
          c.author, c.text, c.details
        FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id = $1
        """
      )
      try row.bind([.integer(id)])
      guard try row.step() else { continue }
      let key = ItemKey(row.row)
      sequence += 1
      try connection.insertTombstone(
        sequence: sequence,
        id: id,
        feed: row.int64(1),
        identity: row.int64(2),
        guid: row.string(3),
        url: row.optionalString(4)
      )
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
      try Stories.remove(key, connection)
      for sql in [
        "DELETE FROM versions WHERE item = $1", "DELETE FROM articles WHERE item = $1",
        "DELETE FROM item_labels WHERE item = $1", "DELETE FROM enclosures WHERE item = $1",
        "DELETE FROM contents WHERE id = $1",
        "DELETE FROM items WHERE id = $1",
      ] { try connection.run(sql, id) }
    }
  }

  /// Updates the totals. The totals are wrong until this is called.
  mutating func finish() throws(StoreError) {
    var items: Int64 = 0
    var unread: Int64 = 0
    for (feed, total) in totals {
      try connection.run(
        "UPDATE feeds SET items = items - $1, unread = unread - $2 WHERE id = $3",
        total.items,
        total.unread,
        feed
      )
      items += total.items
      unread += total.unread
    }
    try connection.add([
      .items: -items, .unread: -unread, .starred: -starred, .sequence: sequence - firstSequence,
    ])
  }
}

extension Connection {
  /// Inserts the last change-log entry of a removed item, which prevents the item from being stored again.
  func insertTombstone(
    sequence: Int64,
    id: Int64,
    feed: Int64,
    identity: Int64,
    guid: String,
    url: String?
  ) throws(StoreError) {
    try run(
      "INSERT INTO tombstones (sequence, id, feed, identity, guid, url) VALUES ($1, $2, $3, $4, $5, $6)",
      sequence,
      id,
      feed,
      identity,
      guid,
      url
    )
  }
}
