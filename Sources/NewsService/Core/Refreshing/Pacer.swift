/// Spaces the starts of due feeds, so that feeds due in the same second do not all start at once. One timer serves all
/// feeds.
struct Pacer {
  /// The pause between two starts while fewer than twenty feeds wait.
  static let longestPause = Duration.milliseconds(50)

  private var ids: [Feed.ID] = []
  private var head = 0
  private var pause = longestPause
  private var next: ContinuousClock.Instant?

  var count: Int { ids.count - head }

  /// When the next feed starts; nil: no feed is waiting.
  var nextStart: ContinuousClock.Instant? { count > 0 ? next : nil }

  /// Adds feeds. All start within a second, small batches sooner; a backlog drains in about three seconds.
  mutating func append(_ more: [Feed.ID], now: ContinuousClock.Instant) {
    guard !more.isEmpty else { return }
    ids.removeFirst(head)
    head = 0
    ids += more
    pause = min(Self.longestPause, .seconds(1) / max(more.count, ids.count / 3))
    next = next ?? now
  }

  /// Takes the next feed, if its start time has come.
  mutating func take(now: ContinuousClock.Instant) -> Feed.ID? {
    guard count > 0, let start = next, start <= now else { return nil }
    head += 1
    // After a delay, do not burst to catch up.
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
