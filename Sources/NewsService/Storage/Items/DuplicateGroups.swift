import NewsCore
import NewsToolbox

/// Finds the items that tell the same story as a new one, and keeps the keys that they are found by.
enum DuplicateGroups {
  /// Largest distance of two items of one story that only their texts connect, in seconds.
  private static let span: Int64 = 3 * 86_400
  /// Items looked at for one new item: a bound for texts that a thousand feeds repeat.
  private static let maximumCandidates = 64

  /// Keys are grouped by spans of 24 days: an item is compared with neighbours in time only, and storing it writes few
  /// pages. The three days before and after it are in at most two spans.
  private static func days(_ time: Timestamp) -> Int64 { ItemKey.second(of: time) / (8 * span) }

  /// The cluster that an item belongs to; nil: it is alone. An item that was alone until now is made its first member.
  static func cluster(
    for new: StoryCandidate,
    key: ItemKey,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    let signatures = new.fingerprint.keys
    guard !signatures.isEmpty else { return nil }
    // One look-up for each key and span: of `IN` SQLite makes a table, which takes longer than the looking.
    let lookup = try connection.prepare(
      "SELECT item FROM story_keys WHERE days = ? AND key = ? AND item BETWEEN ? AND ?"
    )
    try lookup.bind(3, ItemKey.lowest(at: new.time - span))
    try lookup.bind(4, ItemKey.lowest(at: new.time + span))
    let story = try connection.prepare("SELECT fingerprint FROM stories WHERE item = ?")
    let row = try connection.prepare("SELECT id, feed, title, cluster FROM items WHERE key = ?")
    var seen: Set<Int64> = [key.rawValue]
    let (first, last) = (days(new.time - span), days(new.time + span))
    for days in first == last ? [first] : [first, last] {
      try lookup.bind(1, days)
      for signature in signatures {
        try lookup.bind(2, signature)
        while seen.count <= maximumCandidates, try lookup.step() {
          let item = lookup.int64(0)
          guard seen.insert(item).inserted,
            let cluster = try cluster(for: new, with: ItemKey(rawValue: item), story, row, connection)
          else { continue }
          return cluster
        }
        lookup.reset()
      }
    }
    return nil
  }

  /// The cluster of a stored item that tells the same story, nil when it tells another; creates the cluster if needed.
  private static func cluster(
    for new: StoryCandidate,
    with key: ItemKey,
    _ story: borrowing Statement,
    _ row: borrowing Statement,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    defer {
      story.reset()
      row.reset()
    }
    try story.bind(1, key.rawValue)
    guard try story.step(), let fingerprint = story.withBytes(0, { ItemFingerprint(bytes: $0) }),
      StoryComparison.mayTellSameStory(new.fingerprint, fingerprint)
    else { return nil }
    try row.bind(1, key.rawValue)
    guard try row.step() else { return nil }
    let other = StoryCandidate(
      fingerprint: fingerprint,
      title: row.string(2),
      feedID: Feed.ID(rawValue: row.int64(1)),
      time: key.sortTime
    )
    guard StoryComparison.tellSameStory(new, other) else { return nil }
    if let cluster = row.optionalInt64(3) { return cluster }
    try set(row.int64(0), of: key, connection)
    return row.int64(0)
  }

  static func set(_ cluster: Int64, of key: ItemKey, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare("UPDATE items SET cluster = ? WHERE key = ?")
    try statement.bind(1, cluster)
    try statement.bind(2, key.rawValue)
    try statement.run()
  }

  static func insert(
    _ fingerprint: ItemFingerprint,
    _ key: ItemKey,
    _ connection: Connection
  ) throws(StoreError) {
    let signatures = Set(fingerprint.keys)
    guard !signatures.isEmpty else { return }
    let story = try connection.prepare("INSERT INTO stories (item, fingerprint) VALUES (?, ?)")
    try story.bind(1, key.rawValue)
    try story.bind(2, blob: fingerprint.bytes)
    try story.run()
    try insertKeys(signatures, key, connection)
  }

  /// By the number of keys: one statement takes half as long as one for each.
  private static let insertions = (0...8).map { count in
    "INSERT INTO story_keys (days, item, key) VALUES "
      + (0..<count).map { "(?1, ?2, ?\($0 + 3))" }.joined(separator: ", ")
  }

  private static func insertKeys(
    _ signatures: Set<Int64>,
    _ key: ItemKey,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(insertions[signatures.count])
    try statement.bind(1, days(key.sortTime))
    try statement.bind(2, key.rawValue)
    for (place, signature) in signatures.enumerated() { try statement.bind(Int32(place + 3), signature) }
    try statement.run()
  }

  static func remove(_ key: ItemKey, _ connection: Connection) throws(StoreError) {
    let story = try connection.prepare("DELETE FROM stories WHERE item = ? RETURNING fingerprint")
    try story.bind(1, key.rawValue)
    guard try story.step(), let fingerprint = story.withBytes(0, { ItemFingerprint(bytes: $0) }) else {
      return
    }
    let statement = try connection.prepare("DELETE FROM story_keys WHERE days = ? AND key = ? AND item = ?")
    for signature in Set(fingerprint.keys) {
      try statement.bind(1, days(key.sortTime))
      try statement.bind(2, signature)
      try statement.bind(3, key.rawValue)
      try statement.run()
    }
  }
}
