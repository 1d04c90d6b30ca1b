import Glibc

/// The pipe that the signal handler writes to. A handler has no context, so this is the one global of newsd; it is set
/// once, before the handler is installed, and never closed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Signals as values: a handler writes each one's number to a pipe, and one thread passes them on.
///
/// Blocking them in all threads and waiting with sigwait(3) does not work here: the Swift runtime's main thread sleeps
/// in libdispatch with every signal unblocked.
struct SignalStream: Sendable {
  let signals: AsyncStream<Int32>

  /// Takes over these signals for the rest of the process. To be made once.
  init(_ wanted: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    signals = stream
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      continuation.finish()
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe = ends[1]
    Self.read(from: ends[0], into: continuation)
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

  private static func read(from descriptor: Int32, into continuation: AsyncStream<Int32>.Continuation) {
    let box = Unmanaged.passRetained(Reader(descriptor: descriptor, continuation: continuation))
    var thread = pthread_t()
    let status = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().run()
        return nil
      },
      box.toOpaque()
    )
    if status == 0 {
      pthread_detach(thread)
    } else {
      box.release()
      continuation.finish()
    }
  }

  /// Handed to the one thread that uses it.
  private final class Reader {
    private let descriptor: Int32
    private let continuation: AsyncStream<Int32>.Continuation

    init(descriptor: Int32, continuation: AsyncStream<Int32>.Continuation) {
      self.descriptor = descriptor
      self.continuation = continuation
    }

    func run() {
      var byte: UInt8 = 0
      while true {
        let count = Glibc.read(descriptor, &byte, 1)
        if count == 1 {
          continuation.yield(Int32(byte))
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
  }
}
