import Glibc

/// A folder that is removed, with the files in it, when the test is over.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/newsd-files-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
  }

  deinit {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      unlink(path + "/" + name)
    }
    closedir(directory)
    rmdir(path)
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) -> String {
    let file = path + "/" + name
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    return file
  }

  /// The content of a file of at most 4 KiB.
  func read(_ name: String) -> String {
    let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}
