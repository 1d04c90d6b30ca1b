import Glibc
public import NewsCore
import NewsToolbox

/// A folder with backups. Root looks for it once: its owner could put a link to other backups at its path later.
public struct BackupFolder: BackupFolding {
  private let path: String
  /// The path, or a name that cannot be redirected.
  private let place: String

  public init(path: String) throws(FileError) {
    self.path = path
    do throws(HeldFolders.Failure) {
      place = try HeldFolders.folder(at: path) ?? path
    } catch {
      let reason =
        switch error {
        case .foreignLink(let link, let uid):
          "the link \(link) of uid \(uid) leads there; name the folder itself"
        case .danglingLink: SystemError(code: ENOENT).reason
        case .system(let error): error.reason
        }
      throw FileError(code: .cannotOpen, message: "cannot open \(path): \(reason)")
    }
  }

  public func path(of name: String) -> String {
    path.hasSuffix(bytesOf: "/") ? path + name : path + "/" + name
  }

  public func names() throws(FileError) -> [String] {
    guard let directory = opendir(place) else {
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
    guard access("\(place)/\(name)", F_OK) == 0 else { return true }
    release(name)
    return false
  }

  public func release(_ name: String) { rmdir(unfinished(name)) }

  private func unfinished(_ name: String) -> String { "\(place)/\(name).partial" }

  public func remove(_ name: String) throws(FileError) {
    let file = "\(place)/\(name)"
    do throws(SystemError) {
      if unlink(file) == 0 { return }
      guard errno == EISDIR else { throw .last }
      try WorkFolder(file).remove()
    } catch {
      let reason = error.code == EEXIST ? "it is not newsd's own folder" : error.reason
      throw FileError(code: .io, message: "cannot remove \(path(of: name)): \(reason)")
    }
  }
}
