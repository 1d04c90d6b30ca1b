import NewsService

/// The rowid of an item: its sort time and its id in one number, so that tables, indexes and the full-text index are all
/// in the order of lists, and "the newest 20 of 50,000 hits" reads 20 of them.
///
/// The upper 33 bits are seconds since 1900-01-01 (until the year 2172), the lower 30 bits those of the id. Times outside
/// are clamped, which only spoils their order among themselves. Two ids with the same lower bits are a thousand million
/// items apart and would have to share a second to collide.
struct ItemKey: Hashable, Comparable {
  static let idBits: Int64 = 30
  /// Seconds from 1900-01-01 to 1970-01-01: 25,567 whole days.
  static let epoch: Int64 = 2_208_988_800
  static let epochDays = 25_567

  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  init(_ sortTime: Timestamp, _ id: NewsItem.ID) {
    rawValue = Self.lowest(at: sortTime) | (id.rawValue & ((1 << Self.idBits) - 1))
  }

  /// The smallest key that an item of this second can have.
  static func lowest(at time: Timestamp) -> Int64 {
    let seconds = min(max(time.seconds, -epoch), (1 << 33) - 1 - epoch)
    return (seconds + epoch) << idBits
  }

  var sortTime: Timestamp { Timestamp(seconds: (rawValue >> Self.idBits) - Self.epoch) }

  static func < (a: ItemKey, b: ItemKey) -> Bool { a.rawValue < b.rawValue }
}
