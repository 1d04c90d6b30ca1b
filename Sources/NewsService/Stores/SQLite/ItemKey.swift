import NewsStoresShared
import NewsCore

/// The rowid of an item: its sort time in seconds, and its index among the items of that second. Tables, indexes and
/// the full-text index are therefore all in list order: "the newest 20 of 50,000 matches" reads only 20 items.
///
/// The low six bits hold the index; the other bits hold seconds since 1900-01-01. Earlier times count as that date.
///
/// The index is short because FTS5 stores the difference to the previous key in every posting. With the whole item id
/// in the key, the full-text index was half as large again. When a second has 64 items, further items get keys of the
/// next second (see `KeyMaker`).
struct ItemKey: Hashable, Comparable {
  static let placeBits: Int64 = 6
  /// Seconds from 1900-01-01 to 1970-01-01: 25,567 whole days.
  static let epoch: Int64 = 2_208_988_800
  static let epochDays = 25_567

  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// The key in the first column of a row.
  init(_ row: CurrentRow) { self.init(rawValue: row.int64(0)) }

  /// The smallest possible key for this second.
  static func lowest(at time: Timestamp) -> Int64 {
    second(of: time) << placeBits
  }

  /// Assumed maximum of the difference between a key's second and its item's time, in seconds; more than
  /// 230,400 items of one second would exceed it. Keys are later than the item if seconds were full.
  private static let maximumOverflow: Int64 = 3600

  /// Returns the SQL condition for items at or after a time: a range of keys, with an exact comparison of times near
  /// its start.
  static func condition(since time: Timestamp, key: String) -> String {
    let first = lowest(at: time)
    return
      "\(key) >= \(first) AND (\(key) >= \(lowest(at: time + maximumOverflow)) OR \(exactTime(key)) >= \(time.seconds))"
  }

  /// Returns the SQL condition for items before a time.
  static func condition(until time: Timestamp, key: String) -> String {
    let beyond = lowest(at: time + maximumOverflow)
    return "\(key) < \(beyond) AND (\(key) < \(lowest(at: time)) OR \(exactTime(key)) < \(time.seconds))"
  }

  private static func exactTime(_ key: String) -> String {
    "(SELECT min(coalesce(e.published, e.stored), e.stored) FROM items AS e WHERE e.key = \(key))"
  }

  /// Seconds since 1900, clamped to the range of a key.
  static func second(of time: Timestamp) -> Int64 {
    min(max(time.seconds, -epoch), 1 << 50) + epoch
  }

  /// The key's second. If the item's own second was full, it is later than the item's time.
  var sortTime: Timestamp { Timestamp(seconds: (rawValue >> Self.placeBits) - Self.epoch) }

  static func < (a: ItemKey, b: ItemKey) -> Bool { a.rawValue < b.rawValue }
}

extension ItemKey: StoreValueConvertible {
  var storeValue: StoreValue { .integer(rawValue) }
}

/// Assigns keys in ascending order within a second, so that items of one second sort by id.
struct KeyMaker {
  /// The last key assigned in each second. `next` maps each full second to the second to try next.
  private var last: [Int64: Int64] = [:]
  private var next: [Int64: Int64] = [:]

  /// Returns an unused key. When a second is full, keys continue in the next one. This happens to undated items, which
  /// share the second in which they were stored; the last of them sort slightly later.
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
        // The next search for a free key of this second starts here.
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
    try connection.number(
      "SELECT key FROM items WHERE key BETWEEN $1 AND $2 ORDER BY key DESC LIMIT 1",
      lowest,
      highest
    )
  }
}
