import Glibc

/// A thread of its own for the terminal: curses is called by one thread only, and waiting for keys blocks it.
enum ReaderThread {
  /// Runs `body` on a new thread and suspends until it ends.
  ///
  /// - Returns: Nil when no thread could be started.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
    await withCheckedContinuation { continuation in
      let box = Unmanaged.passRetained(Box { continuation.resume(returning: body()) })
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
        return continuation.resume(returning: nil)
      }
      pthread_detach(thread)
    }
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
