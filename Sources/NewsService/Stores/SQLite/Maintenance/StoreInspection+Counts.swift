import NewsCore

/// Compares rows with their parent rows, and totals with the rows that they count. Each function needs a snapshot, but
/// different functions may use different snapshots.
extension StoreInspection {
  /// Kinds of rows whose parent row is missing: the condition that finds and deletes them, and a description.
  static let orphans: [(condition: String, what: String)] = [
    ("contents WHERE id NOT IN (SELECT id FROM items)", "texts of missing items"),
    ("item_tags WHERE item NOT IN (SELECT key FROM items)", "tags of missing items"),
    ("stories WHERE item NOT IN (SELECT key FROM items)", "fingerprints of missing items"),
    ("story_keys WHERE item NOT IN (SELECT item FROM stories)", "story keys of missing items"),
    ("articles WHERE item NOT IN (SELECT id FROM items)", "articles of missing items"),
    ("versions WHERE item NOT IN (SELECT id FROM items)", "versions of missing items"),
  ]

  /// Conditions that must not be true for any row. `lostLabels` is not among them, because older stores lack
  /// its table.
  static let references =
    orphans + [
      ("items WHERE feed NOT IN (SELECT id FROM feeds)", "items of missing feeds"),
      ("items WHERE id NOT IN (SELECT id FROM contents)", "items have no text"),
    ]

  /// Labels whose item is missing. Stores created by versions of newsd without labels have no table for them.
  static let lostLabels = "item_labels WHERE item NOT IN (SELECT id FROM items)"

  static func labels(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    guard try ItemLabels.exist(connection) else { return [] }
    return try rows(lostLabels, "labels of missing items", connection)
  }

  static func references(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    var problems = try labels(connection)
    for (condition, what) in references { problems += try rows(condition, what, connection) }
    return problems
  }

  /// Reports the rows that meet a condition.
  static func rows(
    _ condition: String,
    _ what: String,
    _ connection: Connection
  ) throws(StoreError) -> [StoreProblem] {
    let count = try connection.integer("SELECT count(*) FROM \(condition)") ?? 0
    guard count > 0 else { return [] }
    return [StoreProblem(kind: .reference, message: "\(count) \(what)", isRepairable: true)]
  }

  private static let sums: [(counter: String, sql: String)] = [
    ("items", "SELECT count(*) FROM items"),
    ("unread", "SELECT count(*) FROM items WHERE is_read = 0"),
    ("starred", "SELECT count(*) FROM items WHERE is_starred = 1"),
  ]
  /// Counters, each with SQL for the highest number in use; the counter must not be lower.
  private static let bounds: [(counter: String, sql: String)] = [
    (
      "item",
      "SELECT max(coalesce((SELECT max(id) FROM items), 0), coalesce((SELECT max(id) FROM tombstones), 0))"
    ),
    (
      "sequence",
      """
      SELECT max(coalesce((SELECT max(sequence) FROM items), 0),
        coalesce((SELECT max(sequence) FROM tombstones), 0), coalesce((SELECT max(sequence) FROM feed_changes), 0))
      """
    ),
    ("feed", "SELECT coalesce(max(id), 0) FROM feeds"),
  ]
  private static let wrongFeeds = """
    feeds SET items = (SELECT count(*) FROM items AS i WHERE i.feed = feeds.id),
      unread = (SELECT count(*) FROM items AS i WHERE i.feed = feeds.id AND i.is_read = 0)
    """

  static func totals(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try counters(connection) + feedTotals(connection)
  }

  static func counters(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for (counter, sql) in sums {
      let found = try connection.integer(sql) ?? 0
      let noted = try connection.integer("SELECT value FROM counters WHERE name = '\(counter)'") ?? -1
      guard found != noted else { continue }
      problems.append(
        StoreProblem(
          kind: .total,
          message: "the counter '\(counter)' is \(noted), not \(found)",
          isRepairable: true
        )
      )
    }
    for (counter, sql) in bounds {
      let used = try connection.integer(sql) ?? 0
      let noted = try connection.integer("SELECT value FROM counters WHERE name = '\(counter)'") ?? -1
      guard used > noted else { continue }
      problems.append(
        StoreProblem(
          kind: .total,
          message: "the counter '\(counter)' is \(noted), but number \(used) is in use",
          isRepairable: true
        )
      )
    }
    return problems
  }

  static func feedTotals(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let wrong =
      try connection.integer(
        """
        WITH found AS (SELECT feed, count(*) AS items, sum(is_read = 0) AS unread FROM items GROUP BY feed)
        SELECT count(*) FROM feeds AS f LEFT JOIN found ON found.feed = f.id
        WHERE f.items <> coalesce(found.items, 0) OR f.unread <> coalesce(found.unread, 0)
        """
      ) ?? 0
    guard wrong > 0 else { return [] }
    return [
      StoreProblem(
        kind: .total,
        message: "\(wrong) feeds have wrong counts of their items",
        isRepairable: true
      )
    ]
  }

  /// Recomputes all totals and raises the counters to the highest numbers in use.
  static func recount(_ connection: Connection) throws(StoreError) {
    for (counter, sql) in sums {
      try connection.execute("UPDATE counters SET value = (\(sql)) WHERE name = '\(counter)'")
    }
    for (counter, sql) in bounds {
      try connection.execute("UPDATE counters SET value = max(value, (\(sql))) WHERE name = '\(counter)'")
    }
    try connection.execute("UPDATE \(wrongFeeds)")
  }
}
