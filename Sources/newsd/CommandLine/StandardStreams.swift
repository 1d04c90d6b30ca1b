import Glibc
import Modules
import NewsText
import Synchronization

/// Buffers standard output and writes it in blocks.
///
/// A closed pipe ends the process silently by SIGPIPE, as with other filters.
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
/// All messages pass through here and are cleaned for terminals, because parts of them come from servers, programs
/// and files. Control characters become U+FFFD, bidirectional controls are dropped.
enum StandardError {
  static func line(_ text: String) {
    write(text + "\n")
  }

  static func write(_ text: String) {
    // There is no place to report a failure to write messages.
    _ = write(text, to: STDERR_FILENO)
  }

  /// Returns false if not all of the text could be written.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(DisplayText(block: text).string.utf8).withUnsafeBytes { bytes in
      (try? DescriptorWriter(descriptor: descriptor).write(bytes)) != nil
    }
  }
}
