import Glibc

/// A temporary file of lines: first all lines are written, then all are read. The file is unnamed and
/// disappears with this object.
public final class LineSpool {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset = 0
  private static let chunk = 1 << 18

  /// Creates the file in `$TMPDIR` or `/tmp`.
  public init() throws(SystemError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/newsd-copy-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw .last }
    unlink(template)
    descriptor = file
  }

  deinit { close(descriptor) }

  public func write(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      done += count
    }
  }

  /// Returns the next line without its line feed; nil at the end.
  public func nextLine() throws(SystemError) -> [UInt8]? {
    var scanned = start
    while true {
      if let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      buffer.removeFirst(start)
      start = 0
      scanned = buffer.count
      guard let more = FileBytes.read(descriptor, upTo: Self.chunk, at: offset) else { throw .last }
      guard !more.isEmpty else {
        defer { buffer = [] }
        return buffer.isEmpty ? nil : buffer
      }
      offset += more.count
      buffer += more
    }
  }
}
