import NewsCore
import Synchronization

/// Detects changes to the wall clock by comparison with a monotonic clock.
struct ClockWatch {
  private var wall: Timestamp
  private var steady: ContinuousClock.Instant
  private let tolerance: Int64

  /// `tolerance` is the tolerated drift in seconds between two calls: NTP adjusts a clock gradually.
  init(wall: Timestamp, steady: ContinuousClock.Instant = .now, tolerance: Int64 = 300) {
    self.tolerance = tolerance
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
    return (-tolerance...tolerance).contains(jump) ? nil : jump
  }
}

/// Whether the wall clock's time can be trusted for what cannot be undone: it was not set within the last hour, as far as
/// this process knows, which must have watched it for as long.
final class ClockTrust: Sendable {
  private let state: Mutex<(watch: ClockWatch, since: ContinuousClock.Instant)>
  private static let proof = Duration.seconds(3600)

  init(wall: Timestamp, steady: ContinuousClock.Instant = .now) {
    state = Mutex((ClockWatch(wall: wall, steady: steady), steady))
  }

  /// When the clock was last seen to be set, or was watched first.
  var since: ContinuousClock.Instant { state.withLock { $0.since } }

  /// Takes note of a time of the clock. Returns true if it can be trusted.
  @discardableResult
  func isTrusted(_ wall: Timestamp, steady: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { state in
      if state.watch.jump(wall: wall, steady: steady) != nil { state.since = steady }
      return steady - state.since >= Self.proof
    }
  }
}
