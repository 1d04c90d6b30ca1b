import NewsSearch
import NewsStoresShared
import NewsCore

/// Groups items that tell the same story, and maintains the keys that find candidates.
enum Stories {
  /// Returns the story to which a new item belongs; nil if no other item tells it. If the matching item has no story
  /// yet, creates a story that contains it.
  static func story(
    for new: StoryCandidate,
    key: ItemKey,
    _ budget: inout StoryBudget,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    let signatures = StoryComparison.searchKeys(of: new)
    guard !signatures.isEmpty, !budget.isSpent(new.feedID) else { return nil }
    // Run one query per key and period: for `IN`, SQLite builds a temporary table, which takes longer than the
    // look-ups.
    let lookup = try connection.prepare(
      "SELECT item FROM story_keys WHERE days = ? AND key = ? AND item BETWEEN ? AND ?"
    )
    try lookup.bind(3, ItemKey.lowest(at: new.time - StoryPeriod.span))
    try lookup.bind(4, ItemKey.lowest(at: new.time + StoryPeriod.span))
    let statement = try connection.prepare(
      """
      SELECT s.fingerprint, i.id, i.feed, i.title, i.cluster FROM stories AS s JOIN items AS i ON i.key = s.item
      WHERE s.item = ?
      """
    )
    var seen: Set<Int64> = []
    defer { budget.spend(seen.count, of: new.feedID) }
    var titleBytes = 0
    for period in StoryPeriod.numbers(around: new.time) {
      let isCovered = try connection.storyKeys.covers(period) { () throws(StoreError) in
        try isEmpty(period, connection)
      }
      try lookup.bind(1, period)
      for signature in signatures where !isCovered || connection.storyKeys.mayContain(signature, in: period) {
        try lookup.bind(2, signature)
        while seen.count < StoryPeriod.maximumCandidates, titleBytes < StoryPeriod.maximumTitleBytes,
          try lookup.step()
        {
          let item = lookup.int64(0)
          guard item != key.rawValue, seen.insert(item).inserted,
            let story = try story(for: new, with: ItemKey(rawValue: item), &titleBytes, statement, connection)
          else { continue }
          return story
        }
        lookup.reset()
      }
    }
    return nil
  }

  private static func isEmpty(_ period: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    try connection.number("SELECT 1 FROM story_keys WHERE days = $1 LIMIT 1", period) == nil
  }

  /// Returns the story of a stored item, which is created if needed. Returns nil if the stored item tells another
  /// story. Adds the bytes of its title to `titleBytes` if they are compared.
  private static func story(
    for new: StoryCandidate,
    with key: ItemKey,
    _ titleBytes: inout Int,
    _ statement: borrowing Statement,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    defer { statement.reset() }
    try statement.bind(1, key.rawValue)
    guard try statement.step(), let fingerprint = statement.withBytes(0, { ItemFingerprint(bytes: $0) }),
      StoryComparison.mayTellSameStory(new.fingerprint, fingerprint)
    else { return nil }
    let other = StoryCandidate(
      fingerprint: fingerprint,
      title: statement.string(3),
      feedID: Feed.ID(rawValue: statement.int64(2)),
      time: key.sortTime
    )
    titleBytes += other.title.byteCount
    guard StoryComparison.tellSameStory(new, other) else { return nil }
    if let story = statement.optionalInt64(4) { return story }
    let id = statement.int64(1)
    try set(id, of: key, connection)
    return id
  }

  static func set(_ story: Int64, of key: ItemKey, _ connection: Connection) throws(StoreError) {
    try connection.run("UPDATE items SET cluster = $1 WHERE key = $2", story, key)
  }

  static func insert(
    _ fingerprint: ItemFingerprint,
    _ key: ItemKey,
    _ connection: Connection
  ) throws(StoreError) {
    let signatures = fingerprint.keys
    guard !signatures.isEmpty else { return }
    try connection.run(
      "INSERT INTO stories (item, fingerprint) VALUES ($1, $2)",
      key,
      StoreValue.bytes(fingerprint.bytes)
    )
    try insertKeys(signatures, key, connection)
  }

  /// INSERT statements for 0 to 8 keys: one statement for all keys takes half the time of one statement per key.
  ///
  /// `OR FAIL` prevents SQLite from copying each page that the statement will change to a temporary file, which it
  /// would need to undo half a statement. Here, a failure undoes the whole transaction.
  private static let insertions = (0...8).map { count in
    "INSERT OR FAIL INTO story_keys (days, item, key) VALUES "
      + (0..<count).map { "(?1, ?2, ?\($0 + 3))" }.joined(separator: ", ")
  }

  private static func insertKeys(
    _ signatures: [Int64],
    _ key: ItemKey,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(insertions[signatures.count])
    let period = StoryPeriod.number(of: key.sortTime)
    try statement.bind(1, period)
    try statement.bind(2, key.rawValue)
    for (place, signature) in signatures.enumerated() { try statement.bind(Int32(place + 3), signature) }
    try statement.run()
    for signature in signatures { connection.storyKeys.insert(signature, in: period) }
  }

  static func remove(_ key: ItemKey, _ connection: Connection) throws(StoreError) {
    let bytes = try connection.first("DELETE FROM stories WHERE item = $1 RETURNING fingerprint", key) {
      $0.bytes(0)
    }
    guard let fingerprint = bytes?.withUnsafeBytes({ ItemFingerprint(bytes: $0) }) else { return }
    for signature in fingerprint.keys {
      try connection.run(
        "DELETE FROM story_keys WHERE days = $1 AND key = $2 AND item = $3",
        StoryPeriod.number(of: key.sortTime),
        signature,
        key
      )
    }
  }
}
