import Synchronization

/// An event that happens once. Any number of tasks can wait for it.
public final class OneTimeEvent: Sendable {
  private struct State {
    var hasHappened = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  public init() {}

  public var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// Wakes up the tasks that wait.
  public func happen() {
    let waiters = state.withLock { state in
      state.hasHappened = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Returns as soon as the event has happened or the task is cancelled.
  public func wait() async {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
        let isWaiting = state.withLock { state in
          guard !state.hasHappened, !Task.isCancelled else { return false }
          state.waiters[number] = waiter
          return true
        }
        if !isWaiting { waiter.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}
