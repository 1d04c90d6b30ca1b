import Glibc
import NewsCore
import NewsToolbox

/// The content of the file of a `file:` feed.
struct LocalFile {
  let bytes: [UInt8]
  let modified: Timestamp

  /// Reads a regular file of at most `limit` bytes. Rejects pipes, devices and directories, because reading
  /// them may block or never end.
  static func read(path: String, limit: Int) throws(FetchError) -> LocalFile {
    func failure(_ what: String) -> FetchError {
      FetchError(code: .fileNotFound, message: "\(path): \(what)")
    }
    let bytes: [UInt8]
    var status = stat()
    do throws(SystemError) {
      let descriptor = try FileBytes.open(path, flags: O_NONBLOCK)
      defer { close(descriptor) }
      guard fstat(descriptor, &status) == 0 else { throw .last }
      let isRegular = status.st_mode & S_IFMT == S_IFREG
      bytes = isRegular ? try FileBytes.readAll(descriptor, limit: limit) : []
    } catch {
      throw failure(error.reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("not a regular file") }
    guard bytes.count <= limit else {
      throw FetchError(
        code: .bodyTooLarge,
        message: "\(path) holds more than \(limit) bytes. " + FetchError.sizeAdvice
      )
    }
    return LocalFile(bytes: bytes, modified: Timestamp(seconds: Int64(status.st_mtim.tv_sec)))
  }
}
