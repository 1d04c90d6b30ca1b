import Glibc
import Modules
import NewsText
import Synchronization

/// Standard output, to which screens write.
enum StandardOutput {
  /// Ends the process by SIGPIPE. newsd ignores this signal otherwise, because a closed socket must not end the
  /// daemon.
  static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }
}

/// Standard error. Each line is one write, so that lines of several processes do not mix.
///
/// Messages that are written here are cleaned for terminals, because parts of them come from servers,
/// programs and files. Control characters become U+FFFD, bidirectional controls are dropped. Screens and the
/// daemon's log write their own, cleaned text.
enum StandardError {
  static func line(_ text: String) {
    write(text + "\n")
  }

  static func write(_ text: String) {
    // Ignore the result: there is no place to report a failure to write messages.
    _ = write(text, to: STDERR_FILENO)
  }

  /// Returns false if not all of the text could be written.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(DisplayText(block: text).string.utf8).withUnsafeBytes { bytes in
      (try? DescriptorWriter(descriptor: descriptor).write(bytes)) != nil
    }
  }
}

/// Writes to a descriptor until it is stopped. It writes only when the pipe has room, so that a stalled
/// reader cannot keep the process from ending.
final class StoppableWriter: OutputWriter {
  private let descriptor: Int32
  private let stopped = Atomic<Bool>(false)

  /// Bytes for which a pipe has room when poll(2) reports it as writable (PIPE_BUF, pipe(7)).
  private static let portion = 4096
  /// Milliseconds between two checks whether the writer was stopped.
  private static let look: Int32 = 100

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Makes a waiting write, and all later ones, throw `OutputError.failed(EINTR)`.
  func stop() { stopped.store(true, ordering: .releasing) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let writer = DescriptorWriter(descriptor: descriptor)
    var written = 0
    while written < bytes.count {
      try waitForRoom()
      let end = min(bytes.count, written + Self.portion)
      try writer.write(UnsafeRawBufferPointer(rebasing: bytes[written..<end]))
      written = end
    }
  }

  private func waitForRoom() throws(OutputError) {
    while !isStopped {
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // The write itself reports an error or a hang-up.
      if poll(&room, 1, Self.look) > 0 { return }
    }
    throw .failed(EINTR)
  }
}
