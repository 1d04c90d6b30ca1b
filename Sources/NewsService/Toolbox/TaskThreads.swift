import Glibc
import Synchronization

/// Runs tasks on threads of its own, so that their work delays no task elsewhere in the process. The threads start with
/// the first task and are never ended.
public final class TaskThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// Index of the next job; the jobs before it have been taken.
    var next = 0
    var hasThreads = false
  }

  private let count: Int
  private let state = Mutex(State())
  private let wake = WakeSignal()

  /// The object must exist until the process ends.
  public init(_ count: Int) { self.count = count }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.hasThreads = true }
      return !state.hasThreads
    }
    if isFirst {
      // One thread is enough to run all tasks.
      DetachedThread.startOrExit { self.run() }
      for _ in 1..<count { try? DetachedThread.start { self.run() } }
    }
    wake.signal()
  }

  private func run() {
    while true {
      wake.wait()
      if let job = take() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  private func take() -> UnownedJob? {
    state.withLock { state in
      guard state.next < state.jobs.count else { return nil }
      let job = state.jobs[state.next]
      state.next += 1
      if state.next == state.jobs.count || state.next > 1000 {
        state.jobs.removeFirst(state.next)
        state.next = 0
      }
      return job
    }
  }
}
