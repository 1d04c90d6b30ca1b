import Synchronization

/// Lets one task sleep until a time has passed or `ring` is called.
///
/// An `AsyncStream` does not fit: cancelling a task that waits for its next element ends the stream for later tasks.
final class Alarm: Sendable {
  private struct State {
    /// Rung while no task slept: the next sleep returns at once.
    var isRung = false
    /// Number of the last sleep that was begun.
    var sleep = 0
    /// Number of the last sleep whose time has passed.
    var passed = 0
    var sleeper: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  /// A task sleeps.
  var isAwaited: Bool { state.withLock { $0.sleeper != nil } }

  /// Wakes the sleeping task, or lets the next sleep return at once.
  func ring() {
    let sleeper = state.withLock { state in
      guard let sleeper = state.sleeper.take() else {
        state.isRung = true
        return nil as CheckedContinuation<Void, Never>?
      }
      return sleeper
    }
    sleeper?.resume()
  }

  /// Returns after `duration`, after `ring`, or when the task is cancelled. One task at a time.
  func sleep(for duration: Duration) async {
    let number = state.withLock { state in
      state.sleep += 1
      return state.sleep
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await Task.sleep(for: duration)
        self.timeHasPassed(for: number)
      }
      await withCheckedContinuation { sleeper in
        let isAwake = state.withLock { state in
          if state.isRung || state.passed == number {
            state.isRung = false
            return true
          }
          state.sleeper = sleeper
          return false
        }
        if isAwake { sleeper.resume() }
      }
      group.cancelAll()
    }
  }

  /// A timer wakes only its own sleep, so that a cancelled one does not end the next.
  private func timeHasPassed(for number: Int) {
    let sleeper = state.withLock { state in
      state.passed = number
      return state.sleeper.take()
    }
    sleeper?.resume()
  }
}
