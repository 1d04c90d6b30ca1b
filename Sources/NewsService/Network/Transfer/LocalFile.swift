import Glibc
import NewsCore

/// The content of the file of a `file:` feed.
struct LocalFile {
  let bytes: [UInt8]
  let modified: Timestamp

  /// Reads a regular file of at most `limit` bytes. Rejects pipes, devices and directories, because reading them may
  /// block or never end.
  ///
  /// - Throws: `fileNotFound` or `bodyTooLarge`.
  static func read(path: String, limit: Int) throws(FetchError) -> LocalFile {
    func failure(_ what: String) -> FetchError {
      FetchError(code: .fileNotFound, message: "\(path): \(what).")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("not a regular file") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(Int(status.st_size), limit))
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(String(cString: strerror(errno))) }
      if count == 0 { break }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= limit else {
        throw FetchError(
          code: .bodyTooLarge,
          message: "\(path) holds more than \(limit) bytes. Raise the size limit to read it."
        )
      }
    }
    return LocalFile(bytes: bytes, modified: Timestamp(seconds: Int64(status.st_mtim.tv_sec)))
  }
}
