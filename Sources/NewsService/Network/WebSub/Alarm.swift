import Synchronization

/// Lets one task sleep until a duration has passed or `ring` is called.
///
/// `AsyncStream` is unsuitable: cancelling a task that awaits its next element ends the stream for later tasks.
final class Alarm: Sendable {
  private struct State {
    /// True if `ring` was called while no task slept: the next sleep returns at once.
    var isRung = false
    /// Number of the last sleep that started.
    var sleep = 0
    /// Number of the last sleep whose duration has expired.
    var passed = 0
    var sleeper: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  /// True while a task sleeps.
  var isAwaited: Bool { state.withLock { $0.sleeper != nil } }

  /// Wakes the sleeping task. If no task sleeps, makes the next sleep return at once.
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

  /// Returns after `duration`, after `ring`, or when the task is cancelled. Only one task may sleep at a time.
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

  /// Wakes the task in the sleep with this number. If the task does not wait yet, `passed` makes it return at
  /// once. A sleep ends only after its timer, because the task group waits for it, so no timer ends a later
  /// sleep.
  private func timeHasPassed(for number: Int) {
    let sleeper = state.withLock { state in
      state.passed = number
      return state.sleeper.take()
    }
    sleeper?.resume()
  }
}
