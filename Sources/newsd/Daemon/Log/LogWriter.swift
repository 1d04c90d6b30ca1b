import Glibc
import NewsToolbox
import Synchronization

/// Writes log lines to a descriptor on its own thread. A stalled reader stops only the log: lines wait in a bounded
/// queue, and lines without room in it are dropped and counted.
final class LogWriter: Sendable {
  private struct State {
    var queue: [UInt8] = []
    var dropped = 0
    /// Number of lines dropped since the start.
    var allDropped = 0
    var isWriting = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let descriptor: Int32
  private let capacity: Int
  private let droppedLine: @Sendable (Int) -> String
  /// Semaphore posted for each line; the thread waits for it.
  nonisolated(unsafe) private let wakeUp: UnsafeMutablePointer<sem_t>

  /// The descriptor must stay open until the process ends. `droppedLine` formats the line that reports the
  /// number of dropped lines.
  init(
    descriptor: Int32,
    capacity: Int = 1 << 20,
    droppedLine: @escaping @Sendable (Int) -> String
  ) {
    self.descriptor = descriptor
    self.capacity = capacity
    self.droppedLine = droppedLine
    wakeUp = .allocate(capacity: 1)
    sem_init(wakeUp, 0, 0)
  }

  deinit {
    sem_destroy(wakeUp)
    wakeUp.deallocate()
  }

  /// Starts the thread, which keeps the writer alive until `close`. Returns false if no thread could be
  /// started.
  func start() -> Bool { (try? DetachedThread.start { self.writeLines() }) != nil }

  /// Ends the thread once the queue is empty.
  func close() {
    state.withLock { $0.isClosed = true }
    sem_post(wakeUp)
  }

  /// Queues a line without waiting for the reader.
  func line(_ text: String) {
    let isQueued = state.withLock { state in
      guard state.queue.count + text.utf8.count < capacity else {
        state.dropped += 1
        state.allDropped += 1
        return false
      }
      state.queue += text.utf8
      state.queue.append(UInt8(ascii: "\n"))
      return true
    }
    if isQueued { sem_post(wakeUp) }
  }

  /// Lines dropped since the start.
  var droppedLines: Int { state.withLock { $0.allDropped } }

  /// True if all queued lines have been written.
  var isIdle: Bool { state.withLock { $0.queue.isEmpty && $0.dropped == 0 && !$0.isWriting } }

  /// Waits at most `milliseconds` until all queued lines have been written.
  func flush(milliseconds: Int) {
    var left = milliseconds
    while !isIdle, left > 0 {
      usleep(5000)
      left -= 5
    }
  }

  private func writeLines() {
    while true {
      while sem_wait(wakeUp) != 0 {}
      let (lines, dropped, isClosed) = state.withLock { state in
        defer {
          state.queue = []
          state.dropped = 0
          state.isWriting = true
        }
        return (state.queue, state.dropped, state.isClosed)
      }
      write(lines)
      // Report dropped lines last, because they came after the queued ones.
      if dropped > 0 { write(Array((droppedLine(dropped) + "\n").utf8)) }
      state.withLock { $0.isWriting = false }
      if isClosed { return }
    }
  }

  /// Writes bytes; discards the rest on an error, such as a closed pipe or a full disk, because there is no place
  /// to report it.
  private func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count > 0 {
        written += count
      } else if count < 0, errno == EAGAIN {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&room, 1, -1)
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}
