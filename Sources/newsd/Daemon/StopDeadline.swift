import Glibc

/// Ends the process when it takes too long to stop by itself. Nothing that was stored is lost by that, and what was not yet
/// stored is fetched again after the next start.
enum StopDeadline {
  /// - Parameters:
  ///   - milliseconds: From now.
  ///   - last: Runs right before the end; must not block for long.
  static func start(milliseconds: UInt32, last: @escaping @Sendable () -> Void = {}) {
    _ = DetachedThread.start {
      usleep(milliseconds * 1000)
      last()
      _exit(0)
    }
  }
}
