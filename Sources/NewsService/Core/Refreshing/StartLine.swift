/// Feeds that are due and begin one after the other, so that those of one second do not all begin in one instant. One
/// timer for all of them.
struct StartLine {
  /// Between two starts, where fewer than twenty wait.
  static let longestPause = Duration.milliseconds(50)

  private var ids: [Feed.ID] = []
  private var head = 0
  private var pause = longestPause
  private var next: ContinuousClock.Instant?

  var count: Int { ids.count - head }

  /// When the next one begins; nil: none waits.
  var nextStart: ContinuousClock.Instant? { count > 0 ? next : nil }

  /// More feeds, to begin within a second or, if they are few, within less; those before them are caught up with slowly.
  mutating func append(_ more: [Feed.ID], now: ContinuousClock.Instant) {
    guard !more.isEmpty else { return }
    ids.removeFirst(head)
    head = 0
    ids += more
    pause = min(Self.longestPause, .seconds(1) / max(more.count, ids.count / 3))
    next = next ?? now
  }

  /// The next one, if it is time for it.
  mutating func take(now: ContinuousClock.Instant) -> Feed.ID? {
    guard count > 0, let start = next, start <= now else { return nil }
    head += 1
    // Whoever was late does not hurry.
    next = max(start, now - pause) + pause
    return ids[head - 1]
  }

  mutating func removeAll() -> [Feed.ID] {
    defer {
      ids = []
      head = 0
    }
    return Array(ids[head...])
  }
}
