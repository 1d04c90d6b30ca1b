import Synchronization

/// The wall clock of a process. If the store is on a server and this machine's clock differs from the server's by more
/// than five seconds, it follows the server's clock, so that all processes on the store agree about times.
public final class NodeClock: WallClock {
  /// Milliseconds by which the clocks may differ before this one follows the server's.
  private static let tolerance: Int64 = 5000
  /// Milliseconds below which a clock that follows the server's returns to this machine's.
  private static let agreement: Int64 = 2000
  /// Changes of the difference up to this number of milliseconds are ignored: round trips vary.
  private static let jitter: Int64 = 1500
  /// Milliseconds that a comparison may take. The error of the measured difference is at most half of them.
  private static let longestRoundTrip: Int64 = 3000

  private struct State {
    /// Seconds by which the server's clock is ahead of this machine's; 0 while they agree.
    var offset: Int64 = 0
    /// The difference that was reported last; 0 when the clocks have agreed since.
    var reported: Int64 = 0
    var report: (@Sendable (Int64) -> Void)?
  }

  private let machine: @Sendable () -> Int64
  private let state = Mutex(State())

  /// `machine` returns the time of this machine's clock, in milliseconds since 1970.
  public init(machine: @escaping @Sendable () -> Int64) { self.machine = machine }

  public func now() -> Timestamp {
    let (seconds, _) = machine().quotientAndRemainder(dividingBy: 1000)
    return Timestamp(seconds: seconds + state.withLock { $0.offset })
  }

  /// The time of this machine's clock, in milliseconds since 1970.
  public var machineTime: Int64 { machine() }

  /// Sets the function that receives the difference in seconds when the clock begins to follow the server's, and when
  /// the difference changes by more than five seconds. The difference is positive if this machine's clock is behind.
  public func reportDifferences(to report: @escaping @Sendable (Int64) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Compares the clocks. `server` is the server's answer, in milliseconds since 1970; `before` and `after`
  /// are `machineTime` when the question was sent and when the answer arrived.
  public func compare(server: Int64, before: Int64, after: Int64) {
    // Ignore slow answers, and a machine's clock that was set in between.
    guard (0...Self.longestRoundTrip).contains(after &- before) else { return }
    let difference = server &- (before &+ (after &- before) / 2)
    let report = state.withLock { state -> (@Sendable () -> Void)? in
      let follows = state.offset != 0
      // Compare without `abs`, which overflows for the smallest number.
      let limit = follows ? Self.agreement : Self.tolerance
      guard !(-limit...limit).contains(difference) else {
        state.offset = 0
        state.reported = 0
        return nil
      }
      let change = difference &- state.offset &* 1000
      guard !follows || !(-Self.jitter...Self.jitter).contains(change) else { return nil }
      state.offset = Self.seconds(difference)
      let isNews = !(-5...5).contains(state.offset - state.reported)
      guard isNews, let report = state.report else { return nil }
      state.reported = state.offset
      return { [offset = state.offset] in report(offset) }
    }
    report?()
  }

  /// Rounds to the nearest second.
  private static func seconds(_ milliseconds: Int64) -> Int64 {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return rest >= 500 ? seconds + 1 : rest <= -500 ? seconds - 1 : seconds
  }
}
