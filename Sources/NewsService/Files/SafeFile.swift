import Glibc
import NewsCore
import NewsToolbox

/// Opens newsd's own files in folders that other users may write to. Rejects symbolic and hard links, pipes,
/// devices, and files of other users than this one, root and the store's owner.
enum SafeFile {
  /// `O_PATH` of open(2), which Swift does not import: also opens a folder that this user may not list.
  private static let pathOnly: Int32 = 0o10000000

  /// Opens a file for reading and writing; creates it if it is missing.
  ///
  /// A file that root creates is given to the store's owner, as SQLite does for its WAL; otherwise the service's user
  /// could not open it later.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - what: The kind of file, for messages: "lock file".
  ///   - mode: Permissions of a new file.
  ///   - store: Path of the store in the same folder that the file belongs to; its owner may own the file too. Nil: the file
  ///     belongs to no store.
  /// - Returns: A descriptor that the caller must close.
  /// - Throws: `unsafe` for a link, a pipe, a device, a hard link, or a file of another user; otherwise `cannotOpen`.
  static func open(
    _ path: String,
    _ what: String,
    mode: mode_t = 0o600,
    beside store: String? = nil
  ) throws(FileError) -> Int32 {
    // File and store are looked up in one folder: another user could exchange the folder meanwhile.
    let (folder, name) = split(path)
    let directory = Glibc.open(folder, pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw refusal(path, what, errno) }
    defer { close(directory) }
    // O_NONBLOCK: opening a pipe must not block. It has no effect on regular files.
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = openat(directory, name, flags, mode)
    guard descriptor >= 0 else { throw refusal(path, what, errno) }
    do throws(FileError) {
      let owner = store.flatMap { Self.owner(split($0).name, in: directory) }
      let status = try checked(descriptor, path, what, owner: owner)
      if let owner, geteuid() == 0, status.st_uid != owner.uid {
        _ = fchown(descriptor, owner.uid, owner.gid)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[...slash]), String(path[path.utf8.index(after: slash)...]))
  }

  /// Returns owner and group of an existing file.
  private static func owner(_ name: String, in directory: Int32) -> (uid: uid_t, gid: gid_t)? {
    var status = stat()
    return fstatat(directory, name, &status, 0) == 0 ? (status.st_uid, status.st_gid) : nil
  }

  private static func checked(
    _ descriptor: Int32,
    _ path: String,
    _ what: String,
    owner: (uid: uid_t, gid: gid_t)?
  ) throws(FileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal(path, what, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(
        code: .unsafe,
        message:
          "the \(what) \(path) is a folder, a pipe or a device, not a regular file; name another path, "
          + "or remove it if nothing else uses it"
      )
    }
    guard status.st_nlink <= 1 else {
      throw FileError(code: .unsafe, message: "the \(what) \(path) has a second name (hard link); remove it")
    }
    guard [geteuid(), 0, owner?.uid].contains(status.st_uid) else {
      throw FileError(
        code: .unsafe,
        message:
          "the \(what) \(path) belongs to another user (uid \(status.st_uid)); remove it, or change its owner"
      )
    }
    return status
  }

  private static func refusal(_ path: String, _ what: String, _ code: Int32) -> FileError {
    if code == ELOOP {
      return FileError(code: .unsafe, message: "the \(what) \(path) is a symbolic link; remove it")
    }
    var status = stat()
    if code == EACCES, lstat(path, &status) == 0 {
      return FileError(
        code: .unsafe,
        message: "the \(what) \(path) cannot be opened by this user; it belongs to uid \(status.st_uid):"
          + " remove it, or change its owner"
      )
    }
    return FileError(
      code: .cannotOpen,
      message: "cannot open the \(what) \(path): \(SystemError(code: code).reason)"
    )
  }
}
