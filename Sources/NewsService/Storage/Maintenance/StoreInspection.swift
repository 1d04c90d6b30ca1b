import CSQLite
import Glibc
import NewsCore
import NewsToolbox

/// The checks and the repairs of `newsd check`.
enum StoreInspection {
  static func integrity(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    do {
      let statement = try connection.prepare("PRAGMA integrity_check(50)")
      var problems: [StoreProblem] = []
      while try statement.step() {
        let message = statement.string(0)
        guard message != "ok" else { continue }
        // One row may hold several lines below a headline.
        for line in message.split(separator: "\n") where !line.hasPrefix("***") {
          problems.append(StoreProblem(kind: .integrity, message: String(line), isRepairable: true))
        }
      }
      return problems
    } catch  where error.code == .corrupt {
      return [StoreProblem(kind: .integrity, message: error.message, isRepairable: true)]
    }
  }

  /// Detects a store with a damaged header, or a truncated one, which SQLite cannot open. The header distinguishes it
  /// from files of other programs (SQLite, "Database File Format" 1.3).
  static func obstacle(to path: String) -> StoreProblem? {
    if let header = StoreHeader(path: path), header.isDamaged {
      return StoreProblem(kind: .integrity, message: "the header of the file is damaged", isRepairable: true)
    }
    guard let file = try? FileBytes.open(path) else { return nil }
    // This close releases no locks, because no connection is open.
    defer { close(file) }
    var status = stat()
    guard let header = FileBytes.read(file, upTo: 100), header.count == 100, fstat(file, &status) == 0 else {
      return nil
    }
    func number(_ place: Int, _ count: Int) -> Int64 {
      header[place..<(place + count)].reduce(0) { $0 << 8 | Int64($1) }
    }
    let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
    let whole = number(28, 4) * pageSize
    let found = Int64(status.st_size)
    guard header.starts(with: "SQLite format 3\0".utf8), number(68, 4) == Schema.applicationID else {
      return nil
    }
    guard found < whole else { return nil }
    let message = "the file is cut short: \(found) of \(whole) bytes are there"
    return StoreProblem(kind: .integrity, message: message, isRepairable: true)
  }

  /// Runs all checks that only read, in one snapshot. If the file itself is damaged, returns only that problem.
  static func everything(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let damage = try integrity(connection)
    guard damage.isEmpty else { return damage }
    let parts = try layout(connection)
    guard parts.isEmpty else { return parts }
    return try references(connection) + totals(connection) + ContentInspection.problems(connection)
      + indexedRows(connection)
  }

  /// Compares tables, indexes, views and triggers with those of a new store.
  static func layout(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let parts = try Parts(connection)
    return parts.missing.map {
      StoreProblem(kind: .layout, message: "\($0.name) is missing", isRepairable: true)
    }
      + parts.foreign.map {
        StoreProblem(
          kind: .layout,
          message: "the \($0.type) \"\($0.name)\" is not part of a newsd store. 'newsd export --all' and "
            + "'newsd import' make a store without it",
          isRepairable: false
        )
      }
  }

  /// A table, index, view or trigger.
  private struct Part: Hashable {
    var type: String
    var name: String
    /// Nil for automatic indexes.
    var sql: String?
  }

  /// The differences from a new store.
  private struct Parts {
    var missing: [Part] = []
    var foreign: [Part] = []

    init(_ connection: Connection) throws(StoreError) {
      let model = try Connection(path: ":memory:", access: .creating, patience: 0)
      try Schema.create(model)
      let wanted = try Self.all(of: model)
      let present = try Self.all(of: connection)
      let names = Set(present.map(\.name))
      missing = wanted.filter { $0.sql != nil && !names.contains($0.name) }
      foreign = present.filter { !wanted.contains($0) }
    }

    private static func all(of connection: Connection) throws(StoreError) -> [Part] {
      let row = try connection.prepare("SELECT type, name, sql FROM sqlite_master ORDER BY rowid")
      var parts: [Part] = []
      while try row.step() {
        parts.append(Part(type: row.string(0), name: row.string(1), sql: row.optionalString(2)))
      }
      return parts
    }
  }

  /// Rows whose parent row is missing: a description, and the condition that finds and deletes them.
  private static let orphans: [(name: String, condition: String)] = [
    ("texts of items", "contents WHERE id NOT IN (SELECT id FROM items)"),
    ("tags of items", "item_tags WHERE item NOT IN (SELECT key FROM items)"),
    ("fingerprints of items", "stories WHERE item NOT IN (SELECT key FROM items)"),
    ("story keys of items", "story_keys WHERE item NOT IN (SELECT item FROM stories)"),
    ("articles of items", "articles WHERE item NOT IN (SELECT id FROM items)"),
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
      try connection.integer("SELECT count(*) FROM items WHERE id NOT IN (SELECT id FROM contents)") ?? 0
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
  /// Counters that must not be lower than the highest number in use.
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

  /// Compares the index with every word of every item. FTS5 needs a write statement for this; it is rolled back.
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

  /// Searches for some items by a word of their title. FTS5's own check does not detect damage to the path to a word.
  static func lookups(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let count = try Counter.items.value(connection)
    let sample = try connection.prepare(
      "SELECT key, title FROM items WHERE id % ? = 0 AND title <> '' LIMIT 200"
    )
    try sample.bind(1, max(count / 200, 1))
    let lookup = try connection.prepare("SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?")
    while try sample.step() {
      let words = WordTokenizer.tokens(of: sample.string(1), mode: .document).filter { !$0.isColocated }
      guard let word = words.first?.text, !word.contains("\"") else { continue }
      try lookup.bind(1, "title : \"\(word)\"")
      try lookup.bind(2, sample.int64(0))
      let isFound = try lookup.step()
      lookup.reset()
      if isFound { continue }
      let message = "the full-text index does not find \"\(word)\" where it stands"
      return [StoreProblem(kind: .index, message: message, isRepairable: true)]
    }
    return []
  }

  /// Compares which items are indexed, but not their words; needs no write access.
  static func indexedRows(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let missing =
      try connection.integer("SELECT count(*) FROM items WHERE key NOT IN (SELECT id FROM search_docsize)")
      ?? 0
    let excess =
      try connection.integer("SELECT count(*) FROM search_docsize WHERE id NOT IN (SELECT key FROM items)")
      ?? 0
    guard missing + excess > 0 else { return [] }
    let message = "\(missing) items are not in the full-text index, and \(excess) of it are no items"
    return [StoreProblem(kind: .index, message: message, isRepairable: true)]
  }

  static func repair(_ connection: Connection) throws(StoreError) {
    // The shadow tables of the full-text index are created with it.
    for part in try Parts(connection).missing where !part.name.hasPrefix("search_") {
      if let sql = part.sql { try connection.execute(sql) }
    }
    try connection.execute(
      "INSERT INTO file SELECT lower(hex(randomblob(16))), 0, 0 WHERE NOT EXISTS (SELECT 1 FROM file)"
    )
    // Move items of a lost feed to a replacement feed that is never fetched.
    try connection.execute(
      """
      INSERT INTO feeds (id, url, user_title, position, added)
      SELECT DISTINCT feed, 'ingest:recovered-' || feed, 'Recovered items of feed ' || feed, feed, 0
      FROM items WHERE feed NOT IN (SELECT id FROM feeds)
      """
    )
    for (_, condition) in orphans { try connection.execute("DELETE FROM \(condition)") }
    try connection.execute(
      """
      INSERT INTO contents (id, author, text)
      SELECT id, '', '' FROM items WHERE id NOT IN (SELECT id FROM contents)
      """
    )
    try recount(connection)
    try connection.execute(FeedLog.completion)
    try connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
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
