import Glibc
public import NewsCore
import NewsToolbox

/// A folder with backups.
public struct BackupFolder: BackupFolding {
  private let path: String

  public init(path: String) { self.path = path }

  public func path(of name: String) -> String {
    path.hasSuffix(bytesOf: "/") ? path + name : path + "/" + name
  }

  public func names() throws(FileError) -> [String] {
    guard let directory = opendir(path) else {
      throw FileError(code: .cannotRead, message: "cannot read \(path): \(SystemError.last.reason)")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
      )
    }
    return names
  }

  public func reserve(_ name: String) -> Bool {
    guard mkdir(unfinished(name), 0o700) == 0 else { return errno != EEXIST }
    guard access(path(of: name), F_OK) == 0 else { return true }
    release(name)
    return false
  }

  public func release(_ name: String) { rmdir(unfinished(name)) }

  private func unfinished(_ name: String) -> String { path(of: name) + ".partial" }

  public func remove(_ name: String) throws(FileError) {
    let place = path(of: name)
    do throws(SystemError) {
      if unlink(place) == 0 { return }
      guard errno == EISDIR else { throw .last }
      try WorkFolder(place).remove()
    } catch {
      let reason = error.code == EEXIST ? "it is not newsd's own folder" : error.reason
      throw FileError(code: .io, message: "cannot remove \(place): \(reason)")
    }
  }
}
