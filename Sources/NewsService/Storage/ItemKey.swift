import NewsCore

/// The rowid of an item: its sort time and a place within that second, so that tables, indexes and the full-text index
/// are all in the order of lists, and "the newest 20 of 50,000 hits" reads 20 of them.
///
/// Above six bits for the place are seconds since 1900-01-01; earlier times count as that. Few bits, because FTS5 stores
/// the distance between neighbours in every posting: with the whole id in the key the index was half as large again.
/// A second that has its 64 items overflows into the next one (see `KeyMaker`).
struct ItemKey: Hashable, Comparable {
  static let placeBits: Int64 = 6
  /// Seconds from 1900-01-01 to 1970-01-01: 25,567 whole days.
  static let epoch: Int64 = 2_208_988_800
  static let epochDays = 25_567

  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// The smallest key that an item of this second can have.
  static func lowest(at time: Timestamp) -> Int64 {
    second(of: time) << placeBits
  }

  /// How far a key may be after its item's time, in seconds, because earlier seconds were full.
  private static let drift: Int64 = 3600

  /// Items at or after a time, as SQL: a range of keys, and near its border the times themselves.
  static func condition(since time: Timestamp, key: String) -> String {
    let first = lowest(at: time)
    return
      "\(key) >= \(first) AND (\(key) >= \(lowest(at: time + drift)) OR \(exactTime(key)) >= \(time.seconds))"
  }

  /// Items before a time.
  static func condition(until time: Timestamp, key: String) -> String {
    let beyond = lowest(at: time + drift)
    return "\(key) < \(beyond) AND (\(key) < \(lowest(at: time)) OR \(exactTime(key)) < \(time.seconds))"
  }

  private static func exactTime(_ key: String) -> String {
    "(SELECT min(coalesce(e.published, e.stored), e.stored) FROM items AS e WHERE e.key = \(key))"
  }

  /// Seconds since 1900, within what a key can hold.
  static func second(of time: Timestamp) -> Int64 {
    min(max(time.seconds, -epoch), 1 << 50) + epoch
  }

  /// The key's second; for an item that overflowed, later than its own time.
  var sortTime: Timestamp { Timestamp(seconds: (rawValue >> Self.placeBits) - Self.epoch) }

  static func < (a: ItemKey, b: ItemKey) -> Bool { a.rawValue < b.rawValue }
}

/// Assigns keys to items, rising within a second, so that items of one second are in the order of ids.
struct KeyMaker {
  /// The last key given in each second, and for each full second the next one to try.
  private var last: [Int64: Int64] = [:]
  private var next: [Int64: Int64] = [:]

  /// A key that no item has. A full second overflows into the next: undated items share the second in which
  /// they were stored, and the last of them sort a little later.
  mutating func key(for time: Timestamp, _ connection: Connection) throws(StoreError) -> ItemKey {
    let wanted = ItemKey.second(of: time)
    var second = wanted
    while let later = next[second] { second = later }
    while true {
      let lowest = second << ItemKey.placeBits
      let highest = lowest | ((1 << ItemKey.placeBits) - 1)
      var used = last[second]
      if used == nil { used = try lastKey(from: lowest, to: highest, connection) }
      let free = used.map { $0 + 1 } ?? lowest
      if free <= highest {
        last[second] = free
        // The next search for this second starts here.
        if second != wanted { next[wanted] = second }
        return ItemKey(rawValue: free)
      }
      next[second] = second + 1
      second += 1
      while let later = next[second] { second = later }
    }
  }

  private func lastKey(
    from lowest: Int64,
    to highest: Int64,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    let statement = try connection.prepare(
      "SELECT key FROM items WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1"
    )
    try statement.bind(1, lowest)
    try statement.bind(2, highest)
    return try statement.step() ? statement.int64(0) : nil
  }
}
