import Glibc
import Synchronization

/// Runs the jobs of one actor in order on a thread of its own, for an actor whose work blocks or takes long: on its own
/// thread, it delays no other task. The thread starts with the first job.
public final class ActorThread: SerialExecutor {
  private final class Inbox: Sendable {
    struct State {
      var jobs: [UnownedJob] = []
      var isStarted = false
      var isStopped = false
    }
    let state = Mutex(State())
    let wake = WakeSignal()
  }

  private let inbox = Inbox()

  public init() {}

  private func start() {
    let context = Context(inbox: inbox, executor: Weak())
    context.executor.set(self)
    DetachedThread.startOrExit { context.run() }
  }

  deinit {
    inbox.state.withLock { $0.isStopped = true }
    inbox.wake.signal()
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = inbox.state.withLock { state in
      state.jobs.append(job)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isFirst { start() }
    inbox.wake.signal()
  }

  /// The data of the thread. It must not retain the executor, whose `deinit` stops the thread.
  private final class Context: Sendable {
    let inbox: Inbox
    let executor: Weak

    init(inbox: Inbox, executor: Weak) {
      self.inbox = inbox
      self.executor = executor
    }

    func run() {
      while true {
        inbox.wake.wait()
        let (jobs, isStopped) = inbox.state.withLock { state in
          defer { state.jobs = [] }
          return (state.jobs, state.isStopped)
        }
        for job in jobs {
          // The executor exists: the job retains the actor, which owns the executor.
          guard let executor = executor.get() else { continue }
          job.runSynchronously(on: executor.asUnownedSerialExecutor())
        }
        if isStopped { return }
      }
    }
  }

  private final class Weak: Sendable {
    private struct Reference: @unchecked Sendable {
      // Written once before the thread starts; weak references are atomic.
      weak var executor: ActorThread?
    }
    private let reference = Mutex(Reference())

    func set(_ executor: ActorThread) { reference.withLock { $0.executor = executor } }
    func get() -> ActorThread? { reference.withLock { $0.executor } }
  }
}

/// A counting semaphore.
final class WakeSignal: @unchecked Sendable {
  // POSIX semaphores are thread-safe; deinit frees the memory.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() {
    while sem_wait(semaphore) != 0, errno == EINTR {}
  }
}
