import NewsCore

/// Limits the look-ups per second for requests with unknown tokens, because any client can send such requests.
struct LookupBudget {
  private static let mostPerSecond = 10
  private var second = Timestamp(seconds: 0)
  private var count = 0

  /// Takes one look-up. Returns false if no look-up is left in this second.
  mutating func take(at now: Timestamp) -> Bool {
    if now != second {
      second = now
      count = 0
    }
    count += 1
    return count <= Self.mostPerSecond
  }
}
