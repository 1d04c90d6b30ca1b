import NewsService

/// Finds the items that tell the same story as a new one, and keeps what they are found by.
enum StoryClusters {
  /// Seconds that two items of one story may lie apart, where only their texts say so.
  private static let span: Int64 = 3 * 86_400
  /// Items looked at for one new item: a bound for texts that a thousand feeds repeat.
  private static let maximumCandidates = 64

  /// The cluster that an item belongs to; nil: it is alone. An item that was alone until now is made its first member.
  static func cluster(
    for new: StoryCandidate,
    key: ItemKey,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    let lookup = try connection.prepare(
      """
      SELECT k.item, i.id, i.feed, i.title, i.cluster, s.fingerprint
      FROM story_keys AS k CROSS JOIN stories AS s ON s.item = k.item CROSS JOIN items AS i ON i.key = k.item
      WHERE k.key = ?1 AND k.item BETWEEN ?2 AND ?3 AND k.item <> ?4 ORDER BY k.item DESC LIMIT ?5
      """
    )
    let earliest = ItemKey.lowest(at: new.time - span)
    let latest = ItemKey.lowest(at: new.time + span)
    var left = maximumCandidates
    var seen: Set<Int64> = []
    for signature in new.fingerprint.keys where left > 0 {
      try lookup.bind(1, signature)
      try lookup.bind(2, earliest)
      try lookup.bind(3, latest)
      try lookup.bind(4, key.rawValue)
      try lookup.bind(5, left)
      while try lookup.step() {
        left -= 1
        guard seen.insert(lookup.int64(0)).inserted else { continue }
        let bytes = lookup.withBytes(5) { Array($0) }
        guard let fingerprint = ItemFingerprint(bytes: bytes) else { continue }
        let other = StoryCandidate(
          fingerprint: fingerprint,
          title: lookup.string(3),
          feedID: Feed.ID(rawValue: lookup.int64(2)),
          time: ItemKey(rawValue: lookup.int64(0)).sortTime
        )
        guard StoryComparison.tellSameStory(new, other) else { continue }
        if let cluster = lookup.optionalInt64(4) { return cluster }
        try set(lookup.int64(1), of: ItemKey(rawValue: lookup.int64(0)), connection)
        return lookup.int64(1)
      }
      lookup.reset()
    }
    return nil
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
    let statement = try connection.prepare("INSERT INTO story_keys (key, item) VALUES (?, ?)")
    for signature in signatures {
      try statement.bind(1, signature)
      try statement.bind(2, key.rawValue)
      try statement.run()
    }
  }

  static func remove(_ key: ItemKey, _ connection: Connection) throws(StoreError) {
    let story = try connection.prepare("DELETE FROM stories WHERE item = ? RETURNING fingerprint")
    try story.bind(1, key.rawValue)
    guard try story.step(), let fingerprint = ItemFingerprint(bytes: story.withBytes(0) { Array($0) }) else {
      return
    }
    let statement = try connection.prepare("DELETE FROM story_keys WHERE key = ? AND item = ?")
    for signature in Set(fingerprint.keys) {
      try statement.bind(1, signature)
      try statement.bind(2, key.rawValue)
      try statement.run()
    }
  }
}
