import Glibc
import Synchronization
public import Testing

/// Runs tests that block threads, for example until a program ends, on threads of their own: Swift's pool has only as
/// many threads as there are processors, and other tests need them.
public struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTests {
  public static var blocking: Self { BlockingTests() }
}

/// Runs each job on an idle thread, or on a new one if all are busy: a blocked job delays no other one.
private final class ThreadPerJob: TaskExecutor {
  static let shared = ThreadPerJob()

  private struct State {
    var jobs: [UnownedJob] = []
    var idle = 0
  }

  private let state = Mutex(State())
  private let wakes = Semaphore()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      return state.jobs.count > state.idle
    }
    if needsThread { start() }
    wakes.post()
  }

  private func start() {
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { _ in ThreadPerJob.shared.work() }, nil)
    precondition(code == 0, "no thread for a test: \(String(cString: strerror(code)))")
    pthread_detach(thread)
  }

  private func work() -> UnsafeMutableRawPointer? {
    while true {
      state.withLock { $0.idle += 1 }
      wakes.wait()
      let job = state.withLock { state in
        state.idle -= 1
        return state.jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// A counting semaphore of the C library.
private final class Semaphore: @unchecked Sendable {
  // Never freed: it is as old as the process.
  private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(raw, 0, 0) }
  func post() { sem_post(raw) }
  func wait() { while sem_wait(raw) != 0 {} }
}
