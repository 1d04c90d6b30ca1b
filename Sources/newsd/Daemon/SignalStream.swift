import Glibc
import NewsToolbox

/// The write end of the pipe for the signal handler. A handler has no context, so this is newsd's one global
/// variable. It is set once, before the handler is installed, and never closed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Delivers signals as values: a handler writes each signal's number to a pipe, and a thread forwards the numbers.
///
/// Blocking the signals in all threads and waiting with sigwait(3) does not work: the Swift runtime's main thread
/// sleeps in libdispatch with every signal unblocked.
struct SignalStream: Sendable {
  let signals: AsyncStream<Int32>

  /// Handles these signals for the rest of the process; create it only once. The stream ends at once if no pipe or
  /// thread is available.
  init(_ wanted: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    signals = stream
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      continuation.finish()
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not block. A signal is lost if the pipe is full, that is, if 65,536 signals are unread.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe = ends[1]
    let reading = ends[0]
    guard (try? DetachedThread.start { Self.pass(from: reading, to: continuation) }) != nil else {
      continuation.finish()
      return
    }
    for signal in wanted {
      var action = sigaction()
      // The handler calls only functions that signal-safety(7) lists, and restores errno.
      action.__sigaction_handler.sa_handler = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipe, &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART
      sigaction(signal, &action, nil)
    }
  }

  /// Has the signals wait from now on. They are delivered to the handlers that a command installs, or end the process, as
  /// soon as `deliver` is called.
  static func hold() { setMask([SIGTERM, SIGINT, SIGHUP, SIGUSR1]) }

  /// Unblocks all signals in this thread, which receives them: the parent may have blocked them, and libdispatch blocks
  /// them in its threads.
  static func deliver() { setMask([]) }

  /// Ends the process as the signal would without a handler.
  static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    deliver()
    raise(number)
    _exit(128 + number)
  }

  private static func setMask(_ signals: [Int32]) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  private static func pass(from descriptor: Int32, to continuation: AsyncStream<Int32>.Continuation) {
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count == 1 {
        continuation.yield(Int32(byte))
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}

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
