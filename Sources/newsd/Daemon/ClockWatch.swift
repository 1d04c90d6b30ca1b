import NewsCore

/// Detects changes to the wall clock by comparison with a monotonic clock.
struct ClockWatch {
  private var wall: Timestamp
  private var steady: ContinuousClock.Instant

  /// Tolerated drift in seconds between two calls: NTP adjusts a clock gradually.
  private static let tolerance: Int64 = 300

  init(wall: Timestamp, steady: ContinuousClock.Instant = .now) {
    self.wall = wall
    self.steady = steady
  }

  /// The seconds by which the wall clock was set since the last call, negative if it was set back; nil: it
  /// was not set, or by no more than the tolerance.
  mutating func jump(wall: Timestamp, steady: ContinuousClock.Instant = .now) -> Int64? {
    let expected = self.wall + self.steady.duration(to: steady).components.seconds
    self.wall = wall
    self.steady = steady
    let jump = wall - expected
    return (-Self.tolerance...Self.tolerance).contains(jump) ? nil : jump
  }
}
