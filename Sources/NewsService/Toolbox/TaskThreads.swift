import Glibc
import Synchronization

/// Runs tasks on threads of its own, so that their work delays no task elsewhere in the process. The threads start with
/// the first task and are never ended.
public final class TaskThreads: TaskExecutor {
  private enum Job: Sendable {
    case step(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct State {
    var jobs: [Job] = []
    /// Index of the next job; the jobs before it have been taken.
    var next = 0
    var hasThreads = false
  }

  private let count: Int
  private let state = Mutex(State())
  private let wake = WakeSignal()

  /// The object must exist until the process ends.
  public init(_ count: Int) { self.count = count }

  public func enqueue(_ job: consuming ExecutorJob) { add(.step(UnownedJob(job))) }

  /// Runs a piece of work.
  func run(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

  private func add(_ job: Job) {
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
      switch take() {
      case .step(let job)?: job.runSynchronously(on: asUnownedTaskExecutor())
      case .work(let work)?: work()
      case nil: break
      }
    }
  }

  private func take() -> Job? {
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

/// Runs the tasks of one of several users on threads that they share. A user has some of the threads at most, and after
/// each step of a task the others have their turns: long work of one user delays the others little.
public final class TaskTurns: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var running = 0
  }

  private let threads: TaskThreads
  private let most: Int
  private let state = Mutex(State())

  /// `most` is the number of threads that the user may have at once.
  public init(_ threads: TaskThreads, most: Int) {
    self.threads = threads
    self.most = most
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let starts = state.withLock { state in
      state.jobs.append(job)
      guard state.running < most else { return false }
      state.running += 1
      return true
    }
    if starts { threads.run { self.step() } }
  }

  private func step() {
    let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    job?.runSynchronously(on: asUnownedTaskExecutor())
    let goesOn = state.withLock { state in
      if state.jobs.isEmpty { state.running -= 1 }
      return !state.jobs.isEmpty
    }
    if goesOn { threads.run { self.step() } }
  }
}
