import NewsCore

/// The checks of `newsd check`: references, indexed words, totals and numbers. Checking files is the server's
/// task.
enum StoreInspection {
  private static let orphans: [(name: String, sql: String)] = [
    ("texts of missing items", "contents WHERE id NOT IN (SELECT id FROM items)"),
    ("words of missing items", "words WHERE id NOT IN (SELECT id FROM items)"),
    ("tags of missing items", "item_tags WHERE item NOT IN (SELECT id FROM items)"),
    ("fingerprints of missing items", "stories WHERE item NOT IN (SELECT id FROM items)"),
    ("story keys of missing items", "story_keys WHERE item NOT IN (SELECT item FROM stories)"),
    ("articles of missing items", "articles WHERE item NOT IN (SELECT id FROM items)"),
    ("labels of missing items", "item_labels WHERE item NOT IN (SELECT id FROM items)"),
    ("versions of missing items", "versions WHERE item NOT IN (SELECT id FROM items)"),
    ("items of missing feeds", "items WHERE feed NOT IN (SELECT id FROM feeds)"),
    ("items have no text", "items WHERE id NOT IN (SELECT id FROM contents)"),
  ]

  static func references(_ connection: Connection) throws(StoreError) -> [String] {
    var found: [String] = []
    for (name, sql) in orphans {
      let count = try connection.integer("SELECT count(*) FROM \(sql)") ?? 0
      if count > 0 { found.append("\(count) \(name)") }
    }
    return found
  }

  static func unindexed(_ connection: Connection) throws(StoreError) -> [String] {
    let count =
      try connection.integer(
        "SELECT count(*) FROM items AS i LEFT JOIN words AS w ON w.id = i.id WHERE w.id IS NULL OR w.sort <> i.sort"
      ) ?? 0
    return count == 0 ? [] : ["\(count) items are not in the full-text index"]
  }

  private static let sums: [(counter: Counter, sql: String)] = [
    (.items, "SELECT count(*) FROM items"), (.unread, "SELECT count(*) FROM items WHERE is_read = 0"),
    (.starred, "SELECT count(*) FROM items WHERE is_starred = 1"),
  ]
  /// The highest number in use for each counter. A counter below it is an error.
  private static let bounds: [(counter: Counter, sql: String)] = [
    (.item, "SELECT greatest((SELECT max(id) FROM items), (SELECT max(id) FROM tombstones), 0)"),
    (
      .sequence,
      """
      SELECT greatest((SELECT max(sequence) FROM items), (SELECT max(sequence) FROM tombstones),
        (SELECT max(sequence) FROM feed_changes), 0)
      """
    ),
    (.feed, "SELECT coalesce(max(id), 0) FROM feeds"),
  ]

  static func totals(_ connection: Connection) throws(StoreError) -> [String] {
    var found: [String] = []
    for (counter, sql) in sums {
      let (counted, noted) = (try connection.integer(sql) ?? 0, try connection.value(of: counter))
      if counted != noted { found.append("the counter '\(counter.rawValue)' is \(noted), not \(counted)") }
    }
    for (counter, sql) in bounds {
      let (used, noted) = (try connection.integer(sql) ?? 0, try connection.value(of: counter))
      if used > noted {
        found.append("the counter '\(counter.rawValue)' is \(noted), but number \(used) is in use")
      }
    }
    let wrong =
      try connection.integer(
        """
        WITH found AS (
          SELECT feed, count(*) AS items, count(*) FILTER (WHERE is_read = 0) AS unread FROM items GROUP BY feed)
        SELECT count(*) FROM feeds AS f LEFT JOIN found ON found.feed = f.id
        WHERE f.items <> coalesce(found.items, 0) OR f.unread <> coalesce(found.unread, 0)
        """
      ) ?? 0
    if wrong > 0 { found.append("\(wrong) feeds have wrong counts of their items") }
    return found
  }

  /// Recomputes all totals and raises each counter to the highest number in use.
  static func recount(_ connection: Connection) throws(StoreError) {
    for (counter, sql) in sums {
      try connection.execute("UPDATE store SET \(counter.column) = (\(sql))")
    }
    for (counter, sql) in bounds {
      try connection.execute("UPDATE store SET \(counter.column) = greatest(\(counter.column), (\(sql)))")
    }
    try ItemIDs.raise(connection)
    try connection.execute(
      """
      UPDATE feeds SET items = (SELECT count(*) FROM items AS i WHERE i.feed = feeds.id),
        unread = (SELECT count(*) FROM items AS i WHERE i.feed = feeds.id AND i.is_read = 0)
      """
    )
  }
}
