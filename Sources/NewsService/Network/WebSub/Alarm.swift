import Synchronization

/// Lets one task sleep until a time has passed or somebody wakes it.
///
/// An `AsyncStream` would not do: a task that is cancelled while it waits for the next element ends the stream for all
/// who come after.
final class Alarm: Sendable {
  private struct State {
    /// Rung while nobody slept: the next sleep is none.
    var isRung = false
    /// Number of the last sleep that was begun.
    var sleep = 0
    /// Number of the last sleep whose time has passed.
    var passed = 0
    var sleeper: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  /// Wakes the sleeper, or keeps the next one awake.
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

  /// Returns when that much time has passed, when it is rung for, or when the task is cancelled. One task at a time.
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

  /// A timer wakes its own sleep only, lest one that was cancelled cut the next one short.
  private func timeHasPassed(for number: Int) {
    let sleeper = state.withLock { state in
      state.passed = number
      return state.sleeper.take()
    }
    sleeper?.resume()
  }
}
