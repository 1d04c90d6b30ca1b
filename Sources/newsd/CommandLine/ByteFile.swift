import Glibc

/// Reads whole files and streams as bytes.
enum ByteFile {
  struct Failure: Error {
    var code: Int32
    var reason: String { String(cString: strerror(code)) }
  }

  /// Reads a file; `-` is standard input.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    if path == "-" { return try readAll(STDIN_FILENO) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    return try readAll(descriptor)
  }

  private static func readAll(_ descriptor: Int32) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
      bytes.reserveCapacity(Int(status.st_size) + 1)
    }
    let chunk = 1 << 16
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, chunk)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(code: errno)
      }
      bytes.append(contentsOf: buffer[..<count])
    }
  }
}
