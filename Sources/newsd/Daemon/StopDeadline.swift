import Glibc
import NewsToolbox

/// Ends the process if stopping takes too long. Stored data is safe; data not yet stored is fetched again after the
/// next start.
enum StopDeadline {
  /// Starts a thread that ends the process at the deadline. `last` runs just before that, and must not block
  /// for long.
  static func start(milliseconds: UInt32, last: @escaping @Sendable () -> Void = {}) {
    try? DetachedThread.start {
      usleep(milliseconds * 1000)
      last()
      _exit(0)
    }
  }
}
