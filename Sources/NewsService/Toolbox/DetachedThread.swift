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
