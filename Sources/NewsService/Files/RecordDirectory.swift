import Glibc
public import NewsCore
import NewsToolbox

/// A folder of recorded exchanges on disk.
public struct RecordDirectory: RecordKeeping {
  private let path: String
  /// Maximum size of a recording that is read, in bytes. Bodies of up to 4 GiB can be configured, but the default limit
  /// is 20 MiB.
  private static let maximumSize = 256 << 20

  /// With `isCreated`, a missing folder is created, with access for this user only.
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

  private static func error(_ attempt: String, _ path: String, _ cause: SystemError = .last) -> FileError {
    FileError(code: .io, message: "\(attempt) \(path): \(cause.reason)")
  }

  public func write(_ bytes: [UInt8], named name: String) throws(FileError) {
    let file = "\(path)/\(name)"
    let descriptor = try SafeFile.open(file, "recording")
    defer { close(descriptor) }
    guard ftruncate(descriptor, 0) == 0 else { throw Self.error("cannot write", file) }
    do {
      try FileBytes.write(bytes, to: descriptor)
    } catch {
      throw Self.error("cannot write", file, error)
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
    var status = stat()
    do throws(SystemError) {
      let descriptor = try FileBytes.open(file, flags: O_NONBLOCK)
      defer { close(descriptor) }
      guard fstat(descriptor, &status) == 0 else { throw .last }
      if status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumSize {
        return try FileBytes.readAll(descriptor, limit: Self.maximumSize)
      }
    } catch {
      throw Self.error("cannot read", file, error)
    }
    throw FileError(
      code: .badData,
      message: "\(file) is not a regular file of at most \(Self.maximumSize >> 20) MiB"
    )
  }
}
