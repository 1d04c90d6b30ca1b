import Glibc
import Synchronization

/// Device and inode, which identify a file independently of its path.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  /// Reads the identity of the file at `path`. Returns nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// The database files that this process has open. A process that closes any descriptor of a file loses all its locks on
/// the file, including SQLite's (POSIX fcntl). Therefore no other code may open a file in this list.
enum OpenFiles {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  static func opened(_ path: String) -> FileIdentity? {
    guard path != ":memory:", let file = FileIdentity(path: path) else { return nil }
    counts.withLock { $0[file, default: 0] += 1 }
    return file
  }

  static func closed(_ file: FileIdentity) {
    counts.withLock { counts in
      guard let count = counts[file] else { return }
      counts[file] = count > 1 ? count - 1 : nil
    }
  }

  static func contains(_ file: FileIdentity) -> Bool { counts.withLock { $0[file] != nil } }
}
