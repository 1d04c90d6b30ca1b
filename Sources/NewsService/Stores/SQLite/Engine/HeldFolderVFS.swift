import CSQLite
import Glibc
import NewsToolbox

/// SQLite's access to files by the names of `HeldFolders`. SQLite's own resolves the link in `/proc/self/fd` to a path, and
/// then finds the write-ahead log, its index and the journal by this path, which another user may have changed.
enum HeldFolderVFS {
  static let name = "newsd-held"

  /// Registers this access, once. Returns nil if SQLite cannot.
  static let registered: String? = {
    guard let original = sqlite3_vfs_find(nil) else { return nil }
    // SQLite keeps the pointers, so they are never freed.
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup(name))
    copy.pointee.xFullPathname = { vfs, path, size, result in
      guard let path, let result else { return SQLITE_CANTOPEN }
      guard strncmp(path, "/proc/self/fd/", 14) == 0 else {
        // Names of other files, such as those of attached ones, are resolved as usual.
        return sqlite3_vfs_find(nil)?.pointee.xFullPathname(vfs, path, size, result) ?? SQLITE_CANTOPEN
      }
      guard strlen(path) < Int(size) else { return SQLITE_CANTOPEN }
      strcpy(result, path)
      return SQLITE_OK
    }
    return sqlite3_vfs_register(copy, 0) == SQLITE_OK ? name : nil
  }()
}
