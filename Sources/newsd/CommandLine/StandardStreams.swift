import Glibc
import Modules
import NewsText
import Synchronization

/// Standard output, written in blocks.
///
/// A closed pipe ends the process silently by SIGPIPE, as in every filter.
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

  /// Buffers bytes until a block is full or `flush` is called.
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

/// Standard error. Each line is one write, so that lines of several processes do not mix.
///
/// Every message passes here and is made safe for terminals here: parts of it come from servers, programs and files. Control
/// characters become U+FFFD, bidirectional controls are dropped.
enum StandardError {
  static func line(_ text: String) {
    write(text + "\n")
  }

  static func write(_ text: String) {
    // A failure to write messages cannot be reported.
    _ = write(text, to: STDERR_FILENO)
  }

  /// False when the descriptor took not all of it.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(DisplayText(block: text).string.utf8).withUnsafeBytes { bytes in
      (try? DescriptorWriter(descriptor: descriptor).write(bytes)) != nil
    }
  }
}
