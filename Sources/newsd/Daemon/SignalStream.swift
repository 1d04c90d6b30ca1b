import Glibc

/// The pipe that the signal handler writes to. A handler has no context, so this is the one global of newsd; it is set
/// once, before the handler is installed, and never closed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Signals as values: a handler writes each signal's number to a pipe, and a thread passes the numbers on.
///
/// Blocking them in all threads and waiting with sigwait(3) does not work here: the Swift runtime's main thread sleeps
/// in libdispatch with every signal unblocked.
struct SignalStream: Sendable {
  let signals: AsyncStream<Int32>

  /// Handles these signals for the rest of the process; made once. The stream ends at once when there is no pipe or thread
  /// left for it.
  init(_ wanted: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    signals = stream
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      continuation.finish()
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait: signals that do not fit into the pipe are as many as need to be handled.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe = ends[1]
    let reading = ends[0]
    guard DetachedThread.start({ Self.pass(from: reading, to: continuation) }) else {
      continuation.finish()
      return
    }
    for signal in wanted {
      var action = sigaction()
      // Only what signal-safety(7) allows: write, and errno as it was.
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
