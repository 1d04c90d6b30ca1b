import Glibc
import Modules
import NewsToolbox

/// Reads standard input in chunks as they arrive.
enum InputChunks {
  /// Number of bytes after which a chunk is complete; the last reading may exceed it.
  private static let limit = 1 << 20

  /// Waits for input and returns all available bytes; nil at the end.
  static func next() throws(UserMessage) -> [UInt8]? {
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while bytes.count < limit {
      let count: Int
      do {
        count = try FileBytes.read(STDIN_FILENO, into: chunk)
      } catch {
        throw UserMessage(code: .notFound, text: "cannot read standard input: \(error.reason)")
      }
      if count == 0 { return bytes.isEmpty ? nil : bytes }
      bytes.append(contentsOf: chunk[..<count])
      var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&more, 1, 0) == 0 { break }
    }
    return bytes
  }
}
