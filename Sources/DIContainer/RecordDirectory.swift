import Glibc
public import NewsCore

/// A folder of recorded exchanges on disk.
public struct RecordDirectory: RecordKeeping {
  private let path: String

  /// - Parameters:
  ///   - path: The folder.
  ///   - isCreated: True: made where it is missing, for the user's eyes only.
  /// - Throws: When it cannot be made, or is not there.
  public init(_ path: String, isCreated: Bool) throws(RecordError) {
    self.path = path
    if isCreated, mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Self.error("\(path) cannot be made")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.error("\(path) cannot be opened") }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw RecordError(message: "\(path) is no folder.") }
  }

  private static func error(_ what: String) -> RecordError {
    RecordError(message: "\(what): \(String(cString: strerror(errno))).")
  }

  public func write(_ bytes: [UInt8], named name: String) throws(RecordError) {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.error("\(file) cannot be written") }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.error("\(file) cannot be written") }
      written += count
    }
  }

  public func names() throws(RecordError) -> [String] {
    guard let directory = opendir(path) else { throw Self.error("\(path) cannot be read") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  public func read(named name: String) throws(RecordError) -> [UInt8] {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error("\(file) cannot be read") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.error("\(file) cannot be read") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.error("\(file) cannot be read") }
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }
}
