import NewsCore

/// Limits how many requests with unknown tokens are looked up per second: anyone can send them.
struct LookupBudget {
  private static let mostPerSecond = 10
  private var second = Timestamp(seconds: 0)
  private var count = 0

  /// Returns false if the second's lookups are used up.
  mutating func take(at now: Timestamp) -> Bool {
    if now != second {
      second = now
      count = 0
    }
    count += 1
    return count <= Self.mostPerSecond
  }
}
