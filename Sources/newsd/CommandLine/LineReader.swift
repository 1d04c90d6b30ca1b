import Synchronization

/// Bytes, line by line.
final class LineReader: Sendable {
  private let bytes: [UInt8]
  private let position = Mutex(0)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next line without its end; nil after the last.
  func next() -> [UInt8]? {
    position.withLock { position in
      guard position < bytes.count else { return nil }
      let rest = bytes[position...]
      let end = rest.firstIndex(of: 0x0A) ?? bytes.count
      defer { position = end + 1 }
      return Array(bytes[position..<end])
    }
  }
}
