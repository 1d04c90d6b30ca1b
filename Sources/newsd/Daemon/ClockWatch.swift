import NewsCore

/// Notices that the wall clock was set, by comparing it with a steady clock.
struct ClockWatch {
  private var wall: Timestamp
  private var steady: ContinuousClock.Instant

  /// Seconds that the clocks may drift apart between two calls: NTP adjusts a clock gradually.
  private static let tolerance: Int64 = 300

  init(wall: Timestamp, steady: ContinuousClock.Instant = .now) {
    self.wall = wall
    self.steady = steady
  }

  /// Seconds by which the wall clock was set forward (or, negative, back) since the last call; nil: it was not set.
  mutating func jump(wall: Timestamp, steady: ContinuousClock.Instant = .now) -> Int64? {
    let expected = self.wall + self.steady.duration(to: steady).components.seconds
    self.wall = wall
    self.steady = steady
    let jump = wall - expected
    return (-Self.tolerance...Self.tolerance).contains(jump) ? nil : jump
  }
}
