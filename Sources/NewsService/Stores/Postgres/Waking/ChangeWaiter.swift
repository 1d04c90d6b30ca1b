import NewsCore
import Synchronization

/// Lets one reader wait for changes. A wait ends when the server announces a change, or after `WakeTiming.net` without
/// an announcement.
final class ChangeWaiter: ChangeAwaiting {
  private struct State {
    /// The count of announcements when the last wait ended.
    var seen: Int
    /// When the last wait ended.
    var lastLook = ContinuousClock.now
  }

  private let listener: ChangeListener
  private let kinds: StoreChangeKinds
  private let timing: WakeTiming
  private let state: Mutex<State>

  init(_ listener: ChangeListener, for kinds: StoreChangeKinds, _ timing: WakeTiming) {
    self.listener = listener
    self.kinds = kinds
    self.timing = timing
    state = Mutex(State(seen: listener.signal.count(of: kinds)))
  }

  func wait() async throws {
    while try await !wait(atMost: timing.net) {}
  }

  func wait(atMost limit: Duration) async throws -> Bool {
    listener.start()
    let (seen, last) = state.withLock { ($0.seen, $0.lastLook) }
    let end = min(ContinuousClock.now + limit, last + timing.net)
    await listener.signal.wait(for: kinds, whileCountIs: seen) {
      try? await Task.sleep(until: end, clock: .continuous)
    }
    try Task.checkCancellation()
    guard listener.signal.count(of: kinds) != seen || ContinuousClock.now >= last + timing.net else {
      return false
    }
    try await Task.sleep(until: last + timing.spacing, clock: .continuous)
    state.withLock { $0 = State(seen: listener.signal.count(of: kinds)) }
    return true
  }
}
