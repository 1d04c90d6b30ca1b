import Glibc

/// Standard output, buffered in blocks; on a terminal flushed by whoever ends a line of interest.
///
/// A closed pipe ends the process silently, by SIGPIPE, as every filter does.
final class StandardOutput {
  enum Failure: Error {
    case write(code: Int32)
    var reason: String {
      switch self {
      case .write(let code): String(cString: strerror(code))
      }
    }
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let capacity = 1 << 16

  init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    buffer.reserveCapacity(Self.capacity + 4096)
  }

  func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  func flush() throws(Failure) {
    var done = 0
    while done < buffer.count {
      let count = buffer.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
      if count >= 0 {
        done += count
      } else if errno == EPIPE {
        Self.endByBrokenPipe()
      } else if errno != EINTR {
        let code = errno
        buffer.removeAll()
        throw Failure.write(code: code)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// SIGPIPE is ignored while newsd runs (a peer that closes a socket must not end a daemon), so it is raised here.
  private static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }
}

/// Standard error: whole lines, written at once so that lines of several processes do not mix.
enum StandardError {
  static func line(_ text: String) {
    write(text + "\n")
  }

  static func write(_ text: String) {
    var bytes = Array(text.utf8)
    bytes.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(STDERR_FILENO, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count < 0 {
          if errno == EINTR { continue }
          return
        }
        done += count
      }
    }
  }
}
