package import NewsCore

/// When the requests of accounts were last sent, as far as this process must know to tell its own requests from those of others.
///
/// Forgets what it has not heard of for a day: feeds of accounts come and go. A request that is so old counts as one of
/// another process, so the feed waits for the rest of its minimum interval, if that is longer than a day.
package struct RequestTimes {
  /// The last request for a feed, in microseconds since 1970 by the server's clock.
  private struct Entry {
    /// By this process.
    var own: Int64?
    /// By any process, when the feed was claimed last.
    var found: Int64?
    /// The seconds since `found` when it was read.
    var seconds: Int64 = 0
    /// When the entry was last changed.
    var changed: ContinuousClock.Instant
  }

  private var entries: [Feed.ID: Entry] = [:]
  /// When entries were last forgotten.
  private var cleaned: ContinuousClock.Instant

  private static let lifetime = Duration.seconds(86_400)

  package init(at now: ContinuousClock.Instant = .now) { cleaned = now }

  package var count: Int { entries.count }

  /// Notes the last request that the server knows.
  package mutating func found(
    _ feed: Feed.ID,
    _ time: Int64,
    seconds: Int64,
    at now: ContinuousClock.Instant = .now
  ) {
    clean(now)
    entries[feed] = Entry(own: entries[feed]?.own, found: time, seconds: seconds, changed: now)
  }

  /// Notes that this process sends a request.
  package mutating func sent(_ feed: Feed.ID, at time: Int64, _ now: ContinuousClock.Instant = .now) {
    clean(now)
    entries[feed, default: Entry(changed: now)].own = time
  }

  /// Seconds since the last request if another process sent it, or this one before it was started anew.
  package func secondsSinceForeign(_ feed: Feed.ID, at now: ContinuousClock.Instant = .now) -> Int64? {
    guard let entry = entries[feed], let found = entry.found, found > entry.own ?? 0 else { return nil }
    return entry.seconds + (now - entry.changed).components.seconds
  }

  private mutating func clean(_ now: ContinuousClock.Instant) {
    guard cleaned + Self.lifetime / 24 < now else { return }
    cleaned = now
    entries = entries.filter { $0.value.changed + Self.lifetime > now }
  }
}
