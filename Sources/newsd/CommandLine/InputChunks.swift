import Glibc
import NewsToolbox

/// Standard input as it comes.
enum InputChunks {
  /// More than this is not gathered before it is worked on.
  private static let limit = 1 << 20

  /// What is there, after waiting for something; nil at the end.
  static func next() throws(CommandFailure) -> [UInt8]? {
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while bytes.count < limit {
      let count: Int
      do {
        count = try FileBytes.read(STDIN_FILENO, into: chunk)
      } catch {
        throw CommandFailure(.noInput, "cannot read standard input: \(error.reason)")
      }
      if count == 0 { return bytes.isEmpty ? nil : bytes }
      bytes.append(contentsOf: chunk[..<count])
      var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&more, 1, 0) == 0 { break }
    }
    return bytes
  }
}
