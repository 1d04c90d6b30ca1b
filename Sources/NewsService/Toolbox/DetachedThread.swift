import Glibc

/// Runs blocking work on its own thread, because tasks must not block.
public enum DetachedThread {
  /// Runs `body` on a new thread.
  public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
        return nil
      },
      box.toOpaque()
    )
    guard status == 0 else {
      box.release()
      throw SystemError(code: status)
    }
    pthread_detach(thread)
  }

  /// Runs `body` on a new thread without which the process cannot go on. If the system creates none, tries again for a
  /// second, because other threads may end; then ends the process with status 71 (`EX_OSERR` of sysexits.h).
  static func startOrExit(_ body: @escaping @Sendable () -> Void) {
    var failure = SystemError(code: EAGAIN)
    for _ in 0..<100 {
      do {
        return try start(body)
      } catch {
        failure = error
        usleep(10_000)
      }
    }
    let line =
      "newsd: cannot create a thread: \(failure.reason); raise the limit of threads (ulimit -u, TasksMax) "
      + "or of memory\n"
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    _exit(71)
  }

  /// Runs `body` on a new thread and suspends until it ends. Returns nil if no thread could be started.
  public static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
    await withCheckedContinuation { continuation in
      do {
        try start { continuation.resume(returning: body()) }
      } catch {
        continuation.resume(returning: nil)
      }
    }
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
