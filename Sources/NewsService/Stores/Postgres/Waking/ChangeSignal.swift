import NewsCore
import Synchronization

/// Counts announced changes, and wakes tasks that wait for the next one.
final class ChangeSignal: Sendable {
  private struct Waiter {
    let kinds: StoreChangeKinds
    var isWoken = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private struct State {
    /// Number of announcements of each kind, by the kind's bit.
    var counts = [Int](repeating: 0, count: UInt8.bitWidth)
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0

    func count(of kinds: StoreChangeKinds) -> Int {
      counts.indices.reduce(0) { $0 + (kinds.rawValue >> $1 & 1 == 1 ? counts[$1] : 0) }
    }
  }

  private let state = Mutex(State())

  /// A number that grows with each announcement of these kinds.
  func count(of kinds: StoreChangeKinds) -> Int { state.withLock { $0.count(of: kinds) } }

  /// Counts a change, and wakes the tasks that wait for one of its kinds.
  func raise(_ kinds: StoreChangeKinds) {
    let woken = state.withLock { state in
      for bit in state.counts.indices where kinds.rawValue >> bit & 1 == 1 { state.counts[bit] += 1 }
      return state.waiters.filter { !$0.value.kinds.isDisjoint(with: kinds) }.keys.compactMap {
        Self.wake($0, &state)
      }
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until the count of these kinds is no longer `count`, the timer has ended, or the task is cancelled.
  func wait(
    for kinds: StoreChangeKinds,
    whileCountIs count: Int,
    timer: @escaping @Sendable () async -> Void
  ) async {
    let id = state.withLock { state in
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = Waiter(kinds: kinds, isWoken: state.count(of: kinds) != count)
      return state.lastWaiter
    }
    let alarm = Task {
      await timer()
      wake(id)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.waiters[id]?.isWoken == false else { return true }
          state.waiters[id]?.continuation = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake(id)
    }
    alarm.cancel()
    state.withLock { $0.waiters[id] = nil }
  }

  private func wake(_ id: Int) {
    state.withLock { Self.wake(id, &$0) }?.resume()
  }

  /// Marks a waiter as woken. Returns its continuation, which the caller resumes after releasing the lock.
  private static func wake(_ id: Int, _ state: inout State) -> CheckedContinuation<Void, Never>? {
    state.waiters[id]?.isWoken = true
    return state.waiters[id]?.continuation.take()
  }
}
