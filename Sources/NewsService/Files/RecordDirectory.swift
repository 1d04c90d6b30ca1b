import Glibc
public import NewsCore

/// A folder of recorded exchanges on disk.
public struct RecordDirectory: RecordKeeping {
  private let path: String
  /// Maximum size of a recording that is read, in bytes. Bodies of up to 4 GiB can be configured, but the default limit
  /// is 20 MiB.
  private static let maximumSize = 256 << 20

  /// - Parameters:
  ///   - path: The folder.
  ///   - isCreated: True: a missing folder is created with access for this user only.
  /// - Throws: `FileError` when the folder is missing, is not a folder, or cannot be created.
  public init(_ path: String, isCreated: Bool) throws(FileError) {
    self.path = path
    if isCreated, mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Self.error("cannot create", path)
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.error("cannot open", path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(code: .cannotOpen, message: "\(path) is not a folder")
    }
  }

  private static func error(_ attempt: String, _ path: String) -> FileError {
    FileError(code: .io, message: "\(attempt) \(path): \(String(cString: strerror(errno)))")
  }

  public func write(_ bytes: [UInt8], named name: String) throws(FileError) {
    let file = "\(path)/\(name)"
    let descriptor = try SafeFile.open(file, "recording")
    defer { close(descriptor) }
    guard ftruncate(descriptor, 0) == 0 else { throw Self.error("cannot write", file) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.error("cannot write", file) }
      written += count
    }
  }

  public func names() throws(FileError) -> [String] {
    guard let directory = opendir(path) else { throw Self.error("cannot read", path) }
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

  public func read(named name: String) throws(FileError) -> [UInt8] {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.error("cannot read", file) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.error("cannot read", file) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumSize else {
      throw FileError(
        code: .badData,
        message: "\(file) is not a regular file of at most \(Self.maximumSize >> 20) MiB"
      )
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.error("cannot read", file) }
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }
}
