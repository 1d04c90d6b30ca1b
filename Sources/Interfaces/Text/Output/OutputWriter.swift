import Glibc
public import Modules
import NewsToolbox

/// A destination of bytes: a file descriptor, or an array in tests.
public protocol OutputWriter: Sendable {
  /// Writes all of the bytes or throws.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)
}

extension OutputWriter {
  /// Writes all of the bytes or throws.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(OutputError) in try write(raw) }
    }
    try result.get()
  }
}

/// An error that occurred while writing output.
public enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reader has closed the pipe (`| head -1`): exit silently.
  case closed
  /// Writing failed with this `errno`.
  case failed(Int32)
  /// A destination other than the output failed, such as a mail directory.
  case refused(UserMessage)

  public var description: String {
    switch self {
    case .closed: "the reader of the output has gone"
    case .failed(let code): "cannot write the output: \(SystemError(code: code).reason)"
    case .refused(let message): message.text
    }
  }
}

/// Writes to an open file descriptor. Its owner closes it.
public struct DescriptorWriter: OutputWriter {
  public let descriptor: Int32

  public init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard var next = bytes.baseAddress else { return }
    var left = bytes.count
    while left > 0 {
      let written = Glibc.write(descriptor, next, left)
      if written >= 0 {
        next += written
        left -= written
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another program that shares standard output has made it non-blocking: wait until it is writable.
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = Glibc.poll(&poll, 1, -1)
      case EPIPE: throw .closed
      default: throw .failed(errno)
      }
    }
  }
}

/// Discards all bytes.
public struct DiscardingWriter: OutputWriter {
  public init() {}

  public func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {}
}
