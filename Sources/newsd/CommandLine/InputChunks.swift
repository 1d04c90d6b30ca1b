import Glibc

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
      let count = read(STDIN_FILENO, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(.noInput, "cannot read standard input: \(String(cString: strerror(errno)))")
      }
      if count == 0 { return bytes.isEmpty ? nil : bytes }
      bytes.append(contentsOf: chunk[..<count])
      var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&more, 1, 0) == 0 { break }
    }
    return bytes
  }
}
