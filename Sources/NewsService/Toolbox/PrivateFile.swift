import Glibc
import Synchronization

/// Creates files and folders that only this user can read, in folders where other users may create files too.
public enum PrivateFile {
  /// Creates a file with mode 0600, which root gives to `owner`. Fails with EEXIST if the name exists, also as a link.
  /// The caller closes the descriptor.
  public static func create(_ path: String, owner: FileTrust.Owner? = nil) throws(SystemError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last }
    // Takes a descriptor: in a folder of other users, the path may name another file by now.
    if let owner, geteuid() == 0, fchown(descriptor, owner.uid, owner.gid) != 0 {
      let error = SystemError.last
      close(descriptor)
      unlink(path)
      throw error
    }
    return descriptor
  }
}

/// A folder for unfinished stores that only this user can enter. Its files have the names `store.db` and `scratch.db`, with
/// SQLite's endings.
///
/// It is held by its descriptor and by that of its parent: the owner of the parent can put other folders and links at the names
/// meanwhile, but files are created in this folder and moved to that parent.
public final class WorkFolder: Sendable {
  public let path: String
  private let name: String
  private let parent: Int32
  private let folder: Int32
  /// The folders of this process, so that a signal can end it cleanly.
  private static let held = Mutex<[ObjectIdentifier: Held]>([:])

  /// What removing a folder takes. A folder that is held cannot be freed meanwhile.
  private struct Held {
    let folder: Int32
    let parent: Int32
    let name: String
  }

  /// `O_PATH` of open(2), which Swift does not import. Opens a folder that this user may not list, too.
  private static let pathOnly: Int32 = 0o10000000

  /// Creates the folder. Takes over what a killed process of this user has left at the path; fails with EBUSY if another process
  /// uses it, and with EEXIST if it is anything else.
  public convenience init(_ path: String) throws(SystemError) { try self.init(path, isMade: false) }

  /// Creates a folder whose name begins with that of `path` and cannot be guessed.
  public convenience init(unguessable path: String) throws(SystemError) {
    var template = Array("\(path)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .last }
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try self.init(made, isMade: true)
  }

  private init(_ path: String, isMade: Bool) throws(SystemError) {
    let (place, name) = Self.cut(path)
    let parent = Glibc.open(place, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw .last }
    do throws(SystemError) {
      if !isMade { try Self.make(name, in: parent) }
      folder = try Self.open(name, in: parent)
      // A folder with other files is the user's own.
      guard Self.empty(folder) else {
        close(folder)
        throw SystemError(code: EEXIST)
      }
    } catch {
      close(parent)
      throw error
    }
    (self.path, self.name, self.parent) = (path, name, parent)
    let held = Held(folder: folder, parent: parent, name: name)
    Self.held.withLock { $0[ObjectIdentifier(self)] = held }
  }

  deinit {
    _ = Self.held.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    close(folder)
    close(parent)
  }

  /// Returns the folder and the name of a path.
  private static func cut(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (
      slash == path.utf8.startIndex ? "/" : String(path[..<slash]),
      String(path[path.utf8.index(after: slash)...])
    )
  }

  private static func make(_ name: String, in parent: Int32) throws(SystemError) {
    if mkdirat(parent, name, 0o700) == 0 { return }
    guard errno == EEXIST else { throw .last }
    var status = stat()
    guard fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else { throw SystemError(code: EEXIST) }
    switch status.st_mode & S_IFMT {
    // Earlier versions of newsd wrote a file.
    case S_IFREG: unlinkat(parent, name, 0)
    // The folder stays: without it, another process could take its name.
    case S_IFDIR: return
    default: throw SystemError(code: EEXIST)
    }
    guard mkdirat(parent, name, 0o700) == 0 else { throw .last }
  }

  private static func open(_ name: String, in parent: Int32) throws(SystemError) -> Int32 {
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw .last }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      close(folder)
      throw SystemError(code: EEXIST)
    }
    // Ends with the process. Some file systems have no locks.
    guard flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(folder)
      throw SystemError(code: EBUSY)
    }
    return folder
  }

  /// Returns the path of a file in the folder. Another user may have put another folder at this path.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Creates an empty file in the folder, with mode 0600.
  public func create(_ name: String) throws(SystemError) {
    let descriptor = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last }
    close(descriptor)
  }

  /// Returns the device and inode of a file in the folder; nil if there is none.
  public func identity(of name: String) -> (device: UInt64, inode: UInt64)? {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// Gives a file in the folder to another user, if this process is root's.
  public func give(_ name: String, to owner: FileTrust.Owner) throws(SystemError) {
    guard geteuid() != 0 || fchownat(folder, name, owner.uid, owner.gid, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .last
    }
  }

  /// Moves a file from the folder to the name of `target`, which is in the same folder as this one.
  public func move(_ file: String, to target: String) throws(SystemError) {
    guard renameat(folder, file, parent, Self.cut(target).name) == 0 else { throw .last }
  }

  /// Deletes the folder and its files if a killed process of this user has left it.
  public static func removeLeft(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    try? WorkFolder(path).remove()
  }

  /// Deletes the folder and its files.
  public func remove() {
    if Self.empty(folder) { unlinkat(parent, name, AT_REMOVEDIR) }
  }

  /// Deletes all folders of this process and their files, before a signal ends the process.
  public static func removeAll() {
    held.withLock { held in
      for folder in held.values where empty(folder.folder) {
        unlinkat(folder.parent, folder.name, AT_REMOVEDIR)
      }
    }
  }

  /// Deletes the files if all of them have names that newsd gives. Otherwise deletes none and returns false.
  private static func empty(_ folder: Int32) -> Bool {
    let copy = fcntl(folder, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let list = fdopendir(copy) else { return false }
    defer { closedir(list) }
    rewinddir(list)
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      guard name.utf8.starts(with: "store.db".utf8) || name.utf8.starts(with: "scratch.db".utf8) else {
        return false
      }
      names.append(name)
    }
    for name in names { unlinkat(folder, name, 0) }
    return true
  }
}
