import Glibc

/// Signals as values: blocked in every thread and collected by one thread with sigwait(3), so that no code of ours
/// runs inside a signal handler.
struct SignalStream: Sendable {
  let signals: AsyncStream<Int32>

  /// Must be made before other threads start: they inherit the blocked mask.
  init(_ wanted: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in wanted {
      sigaddset(&set, signal)
      // A parent such as nohup may have left it ignored, and what is ignored is never waited for.
      Glibc.signal(signal, SIG_DFL)
    }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    signals = stream
    let box = Unmanaged.passRetained(Box(set: set, continuation: continuation))
    var thread = pthread_t()
    let status = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
        while true {
          var signal: Int32 = 0
          guard sigwait(&box.set, &signal) == 0 else { continue }
          box.continuation.yield(signal)
        }
      },
      box.toOpaque()
    )
    if status == 0 {
      pthread_detach(thread)
    } else {
      box.release()
    }
  }

  /// Handed to the one thread that uses it.
  private final class Box {
    var set: sigset_t
    let continuation: AsyncStream<Int32>.Continuation
    init(set: sigset_t, continuation: AsyncStream<Int32>.Continuation) {
      self.set = set
      self.continuation = continuation
    }
  }
}
