import NewsCore

/// Compares the wall clock with one that nobody sets.
struct ClockWatch {
  private var wall: Timestamp
  private var steady: ContinuousClock.Instant

  /// Seconds that the two may drift apart between two looks: NTP pulls a clock gently.
  private static let tolerance: Int64 = 300

  init(wall: Timestamp, steady: ContinuousClock.Instant = .now) {
    self.wall = wall
    self.steady = steady
  }

  /// Seconds that the wall clock was set on (or, negative, back) since the last look; nil: it went its way.
  mutating func jump(wall: Timestamp, steady: ContinuousClock.Instant = .now) -> Int64? {
    let expected = self.wall + self.steady.duration(to: steady).components.seconds
    self.wall = wall
    self.steady = steady
    let jump = wall - expected
    return (-Self.tolerance...Self.tolerance).contains(jump) ? nil : jump
  }
}
