import NewsStoresShared
import NewsCore

/// The checks of `newsd check`: references, indexed words, totals and numbers. Checking files is the server's
/// task.
enum StoreInspection {
  /// Rows whose counterpart may be missing: what they are, their table, their column, and the counterpart's table and
  /// column.
  private static let references: [(name: String, table: String, column: String, other: String, key: String)] =
    [
      ("texts of missing items", "contents", "id", "items", "id"),
      ("words of missing items", "words", "id", "items", "id"),
      ("tags of missing items", "item_tags", "item", "items", "id"),
      ("fingerprints of missing items", "stories", "item", "items", "id"),
      ("story keys of missing items", "story_keys", "item", "stories", "item"),
      ("articles of missing items", "articles", "item", "items", "id"),
      ("labels of missing items", "item_labels", "item", "items", "id"),
      ("versions of missing items", "versions", "item", "items", "id"),
      ("items of missing feeds", "items", "feed", "feeds", "id"),
      ("items have no text", "items", "id", "contents", "id"),
    ]

  static func references(_ connection: Connection) throws(StoreError) -> [String] {
    var found: [String] = []
    for (name, table, column, other, key) in references {
      // Not NOT IN: if the planner does not expect its list to fit into memory, it compares all rows with all rows.
      let count =
        try connection.integer(
          """
          SELECT count(*) FROM \(table) AS t
          WHERE NOT EXISTS (SELECT 1 FROM \(other) AS o WHERE o.\(key) = t.\(column))
          """
        ) ?? 0
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
  /// The numbers of items of each feed.
  private static let feedSums =
    "SELECT feed, count(*) AS items, count(*) FILTER (WHERE is_read = 0) AS unread FROM items GROUP BY feed"
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
        WITH found AS (\(feedSums))
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
      UPDATE feeds AS f SET items = coalesce(found.items, 0), unread = coalesce(found.unread, 0)
      FROM feeds AS g LEFT JOIN (\(feedSums)) AS found ON found.feed = g.id WHERE g.id = f.id
      """
    )
  }
}
