import CSQLite
public import NewsService

extension NewsStore: StoreChecking {
  public func check() async throws(StoreError) -> [StoreProblem] {
    do {
      return try await inspect()
    } catch  where error.code == .corrupt {
      // So damaged that it cannot even be looked through.
      return [StoreProblem(kind: .integrity, message: error.message, isRepairable: false)]
    }
  }

  private func inspect() async throws(StoreError) -> [StoreProblem] {
    let problems = try await read { (connection) throws(StoreError) in
      let damage = try StoreInspection.integrity(connection)
      // In a damaged file the other answers mean nothing.
      guard damage.isEmpty else { return damage }
      return try StoreInspection.references(connection) + StoreInspection.totals(connection)
    }
    guard problems.allSatisfy({ $0.kind != .integrity }) else { return problems }
    return try await problems
      + maintain { (connection) throws(StoreError) in try StoreInspection.index(connection) }
  }

  public func repair() async throws(StoreError) -> [StoreProblem] {
    let before = try await check()
    let isDamaged = before.contains { $0.kind == .integrity }
    guard !before.isEmpty, !before.contains(where: { !$0.isRepairable }) else { return before }
    try await write { (connection) throws(StoreError) in
      if isDamaged { try connection.execute("REINDEX") }
      try StoreInspection.repair(connection)
    }
    return try await check()
  }
}

/// What `check` looks at, and how it is put right.
private enum StoreInspection {
  static func integrity(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    do {
      let statement = try connection.prepare("PRAGMA integrity_check(50)")
      var problems: [StoreProblem] = []
      while try statement.step() {
        let message = statement.string(0)
        guard message != "ok" else { continue }
        // Rows are all there; only an index misses some.
        let isIndex =
          message.contains("missing from index") || message.contains("wrong # of entries in index")
        problems.append(StoreProblem(kind: .integrity, message: message, isRepairable: isIndex))
      }
      return problems
    } catch  where error.code == .corrupt {
      return [StoreProblem(kind: .integrity, message: error.message, isRepairable: false)]
    }
  }

  /// Rows without the row they belong to: what to call them, how to find and how to remove them.
  private static let orphans: [(name: String, condition: String)] = [
    ("texts of items", "contents WHERE key NOT IN (SELECT key FROM items)"),
    ("tags of items", "item_tags WHERE item NOT IN (SELECT key FROM items)"),
    ("fingerprints of items", "stories WHERE item NOT IN (SELECT key FROM items)"),
    ("story keys of items", "story_keys WHERE item NOT IN (SELECT item FROM stories)"),
    ("versions of items", "versions WHERE item NOT IN (SELECT id FROM items)"),
  ]

  static func references(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for (name, condition) in orphans {
      let count = try connection.integer("SELECT count(*) FROM \(condition)") ?? 0
      if count > 0 {
        problems.append(
          StoreProblem(kind: .reference, message: "\(count) \(name) that are not there", isRepairable: true)
        )
      }
    }
    let feedless =
      try connection.integer("SELECT count(*) FROM items WHERE feed NOT IN (SELECT id FROM feeds)") ?? 0
    if feedless > 0 {
      problems.append(
        StoreProblem(
          kind: .reference,
          message: "\(feedless) items of feeds that are not there",
          isRepairable: true
        )
      )
    }
    let textless =
      try connection.integer("SELECT count(*) FROM items WHERE key NOT IN (SELECT key FROM contents)") ?? 0
    if textless > 0 {
      problems.append(
        StoreProblem(kind: .reference, message: "\(textless) items have no text", isRepairable: true)
      )
    }
    return problems
  }

  private static let sums: [(counter: String, sql: String)] = [
    ("items", "SELECT count(*) FROM items"),
    ("unread", "SELECT count(*) FROM items WHERE is_read = 0"),
    ("starred", "SELECT count(*) FROM items WHERE is_starred = 1"),
  ]
  /// Numbers that must not be below those in use.
  private static let bounds: [(counter: String, sql: String)] = [
    (
      "item",
      "SELECT max(coalesce((SELECT max(id) FROM items), 0), coalesce((SELECT max(id) FROM tombstones), 0))"
    ),
    (
      "sequence",
      """
      SELECT max(coalesce((SELECT max(sequence) FROM items), 0), coalesce((SELECT max(sequence) FROM tombstones), 0))
      """
    ),
    ("feed", "SELECT coalesce(max(id), 0) FROM feeds"),
  ]
  private static let wrongFeeds = """
    feeds SET items = (SELECT count(*) FROM items AS i WHERE i.feed = feeds.id),
      unread = (SELECT count(*) FROM items AS i WHERE i.feed = feeds.id AND i.is_read = 0)
    """

  static func totals(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for (counter, sql) in sums {
      let found = try connection.integer(sql) ?? 0
      let noted = try connection.integer("SELECT value FROM counters WHERE name = '\(counter)'") ?? -1
      if found != noted {
        problems.append(
          StoreProblem(kind: .total, message: "\(counter): \(found), noted \(noted)", isRepairable: true)
        )
      }
    }
    for (counter, sql) in bounds {
      let used = try connection.integer(sql) ?? 0
      let noted = try connection.integer("SELECT value FROM counters WHERE name = '\(counter)'") ?? -1
      if used > noted {
        problems.append(
          StoreProblem(
            kind: .total,
            message: "the next \(counter) number is in use: \(used), noted \(noted)",
            isRepairable: true
          )
        )
      }
    }
    let wrong =
      try connection.integer(
        """
        WITH found AS (SELECT feed, count(*) AS items, sum(is_read = 0) AS unread FROM items GROUP BY feed)
        SELECT count(*) FROM feeds AS f LEFT JOIN found ON found.feed = f.id
        WHERE f.items <> coalesce(found.items, 0) OR f.unread <> coalesce(found.unread, 0)
        """
      ) ?? 0
    if wrong > 0 {
      problems.append(
        StoreProblem(kind: .total, message: "\(wrong) feeds have wrong totals", isRepairable: true)
      )
    }
    return problems
  }

  /// FTS5 compares every word of every item; it asks for a write statement, which is taken back.
  static func index(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    try connection.execute("BEGIN IMMEDIATE")
    let code = sqlite3_exec(
      connection.raw,
      "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)",
      nil,
      nil,
      nil
    )
    let error = connection.error(code)
    try connection.execute("ROLLBACK")
    if code == SQLITE_OK { return [] }
    guard error.code == .corrupt else { throw error }
    return [
      StoreProblem(
        kind: .index,
        message: "the full-text index does not agree with the items",
        isRepairable: true
      )
    ]
  }

  static func repair(_ connection: Connection) throws(StoreError) {
    try connection.execute("DELETE FROM items WHERE feed NOT IN (SELECT id FROM feeds)")
    for (_, condition) in orphans { try connection.execute("DELETE FROM \(condition)") }
    try connection.execute(
      """
      INSERT INTO contents (key, author, text)
      SELECT key, '', '' FROM items WHERE key NOT IN (SELECT key FROM contents)
      """
    )
    for (counter, sql) in sums {
      try connection.execute("UPDATE counters SET value = (\(sql)) WHERE name = '\(counter)'")
    }
    for (counter, sql) in bounds {
      try connection.execute("UPDATE counters SET value = max(value, (\(sql))) WHERE name = '\(counter)'")
    }
    try connection.execute("UPDATE \(wrongFeeds)")
    try connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
  }
}
