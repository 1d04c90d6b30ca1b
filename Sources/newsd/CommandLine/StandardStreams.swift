import Glibc
import Synchronization

/// Standard output, written in blocks.
///
/// A closed pipe ends the process silently, by SIGPIPE, as every filter does.
final class StandardOutput: Sendable {
  struct Failure: Error {
    var code: Int32
    var reason: String { String(cString: strerror(code)) }
  }

  private let descriptor: Int32
  private let buffer: Mutex<[UInt8]>
  private static let capacity = 1 << 16

  init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    var empty: [UInt8] = []
    empty.reserveCapacity(Self.capacity + 4096)
    buffer = Mutex(empty)
  }

  /// Takes bytes to be written; keeps them until a block is full or `flush` is called.
  func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
    let code = buffer.withLock { buffer -> Int32 in
      buffer.append(contentsOf: bytes)
      return buffer.count < Self.capacity ? 0 : Self.drain(&buffer, to: descriptor)
    }
    if code != 0 { throw Failure(code: code) }
  }

  func write(_ text: String) throws(Failure) {
    try write(text.utf8)
  }

  func flush() throws(Failure) {
    let code = buffer.withLock { Self.drain(&$0, to: descriptor) }
    if code != 0 { throw Failure(code: code) }
  }

  /// Returns errno, or 0.
  private static func drain(_ buffer: inout [UInt8], to descriptor: Int32) -> Int32 {
    defer { buffer.removeAll(keepingCapacity: true) }
    return buffer.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno == EPIPE {
          endByBrokenPipe()
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  /// SIGPIPE is ignored while newsd runs (a peer that closes a socket must not end a daemon), so it is raised here.
  static func endByBrokenPipe() -> Never {
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
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { buffer in
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
