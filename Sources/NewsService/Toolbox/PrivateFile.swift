import Glibc

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

/// A folder for unfinished files that only this user can enter.
public struct WorkFolder: Sendable {
  public let path: String

  /// Creates the folder. Takes over what a killed process of this user has left at the path; fails with EEXIST if it
  /// is anything else.
  public init(_ path: String) throws(SystemError) {
    self.path = path
    if mkdir(path, 0o700) == 0 { return }
    guard errno == EEXIST else { throw .last }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_uid == geteuid() else { throw SystemError(code: EEXIST) }
    switch status.st_mode & S_IFMT {
    // Earlier versions of newsd wrote a file.
    case S_IFREG where status.st_mode & 0o077 == 0: unlink(path)
    case S_IFDIR where status.st_mode & 0o077 == 0: Self.remove(path)
    default: throw SystemError(code: EEXIST)
    }
    guard mkdir(path, 0o700) == 0 else { throw .last }
  }

  /// Returns the path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Deletes the folder and its files.
  public func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    // O_NOFOLLOW and unlinkat: the owner of the parent folder may have put another folder at the path.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0, let folder = fdopendir(descriptor) else { return }
    var status = stat()
    while fstat(descriptor, &status) == 0, status.st_uid == geteuid(), let entry = readdir(folder) {
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { _ = unlinkat(descriptor, $0, 0) }
      }
    }
    closedir(folder)
    rmdir(path)
  }
}
