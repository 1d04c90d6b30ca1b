import NewsCore
import NewsToolbox
import Synchronization

/// Tells the parts of the work on a store when to look at it again.
///
/// The parts of a single store look at fixed intervals. Those of accounts, of which there may be hundreds, share one timer:
/// at each `beat`, they are woken up if the store was written since they looked last. Parts of idle accounts
/// therefore hardly ever run. A change of the clock wakes all of them up at once.
final class StorePulse: Sendable {
  private struct Waiter {
    let earliest: ContinuousClock.Instant
    let latest: ContinuousClock.Instant
    let seen: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var stamp: FileStamp?
    var clock: ClockWatch?
    /// Number of changes that beats have noticed.
    var changes = 0
    var waiters: [Int: Waiter] = [:]
    var lastNumber = 0

    /// Takes a time of the wall clock. Returns true if the clock was set since the last one.
    mutating func isSet(_ wall: Timestamp, at now: ContinuousClock.Instant) -> Bool {
      guard clock != nil else {
        clock = ClockWatch(wall: wall, steady: now, tolerance: PollPolicy.clockTolerance)
        return false
      }
      return clock?.jump(wall: wall, steady: now) != nil
    }
  }

  private let look: (@Sendable () -> FileStamp?)?
  private let state = Mutex(State())

  /// `look` returns the stamp of the store, or nil if its changes cannot be seen: then each beat counts as a change.
  /// Without beats, all parts look at fixed intervals.
  init(hasBeats: Bool = true, look: @escaping @Sendable () -> FileStamp?) {
    self.look = hasBeats ? look : nil
  }

  /// Number of parts that wait.
  var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Waits for `pause`; then, with beats, until the store has changed since the place `seen`, at most until `longest` is
  /// over, and moves the place. Returns false if the task was cancelled. A part begins with the place -1.
  func wait(_ pause: Duration, atMost longest: Duration, _ seen: inout Int) async -> Bool {
    guard look != nil else { return (try? await Task.sleep(for: pause)) != nil }
    let now = ContinuousClock.now
    let known = seen
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let goesOn: Bool = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let waiter = Waiter(
          earliest: now + pause,
          latest: now + longest,
          seen: known,
          continuation: continuation
        )
        let waits = state.withLock { state in
          guard !Task.isCancelled else { return false }
          state.waiters[number] = waiter
          return true
        }
        if !waits { continuation.resume(returning: false) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
    }
    seen = state.withLock { $0.changes }
    return goesOn
  }

  /// Looks at the store's stamp and the clock, and wakes up the parts that must look at the store. `isChanged` wakes them up
  /// without.
  func beat(at now: ContinuousClock.Instant = .now, wall: Timestamp? = nil, isChanged: Bool = false) {
    guard let look else { return }
    let stamp = look()
    let woken = state.withLock { state -> [Waiter] in
      if isChanged || stamp == nil || stamp != state.stamp { state.changes += 1 }
      // Another change may follow without another time.
      state.stamp = stamp?.isSettled == true ? stamp : nil
      let changes = state.changes
      let isSet = wall.map { state.isSet($0, at: now) } ?? false
      let due = state.waiters.filter { _, waiter in
        isSet || now >= waiter.latest || now >= waiter.earliest && waiter.seen != changes
      }
      for number in due.keys { state.waiters[number] = nil }
      return Array(due.values)
    }
    for waiter in woken { waiter.continuation.resume(returning: true) }
  }
}
