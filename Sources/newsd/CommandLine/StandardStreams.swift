import Glibc
import NewsText
import Synchronization

/// Standard output, written in blocks.
///
/// A closed pipe ends the process silently, by SIGPIPE, as every filter does.
final class StandardOutput: Sendable {
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
  func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
    let result = buffer.withLock { buffer in
      buffer.append(contentsOf: bytes)
      return buffer.count < Self.capacity ? .success(()) : Self.drain(&buffer, to: descriptor)
    }
    try result.get()
  }

  func write(_ text: String) throws(OutputError) {
    try write(text.utf8)
  }

  func flush() throws(OutputError) {
    try buffer.withLock { Self.drain(&$0, to: descriptor) }.get()
  }

  private static func drain(_ buffer: inout [UInt8], to descriptor: Int32) -> Result<Void, OutputError> {
    defer { buffer.removeAll(keepingCapacity: true) }
    return buffer.withUnsafeBytes { bytes in
      Result { () throws(OutputError) in try DescriptorWriter(descriptor: descriptor).write(bytes) }
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
    Array(text.utf8).withUnsafeBytes { bytes in
      // Where messages cannot go there is nobody to be told so.
      try? DescriptorWriter(descriptor: STDERR_FILENO).write(bytes)
    }
  }
}
