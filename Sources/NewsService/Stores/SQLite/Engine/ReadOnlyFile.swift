import Glibc

/// Detects stores that cannot be written: on a read-only file system or snapshot, or in another user's directory.
enum ReadOnlyFile {
  /// `ST_RDONLY` of statvfs(3).
  private static let readOnlyFlag: UInt = 1

  /// Returns true if the file can be read without locks and WAL: its WAL is empty, and this process cannot create one.
  static func isImmutable(_ path: String) -> Bool {
    guard access(path, R_OK) == 0, !canWrite(beside: path) else { return false }
    var log = stat()
    return stat(path + "-wal", &log) != 0 || log.st_size == 0
  }

  /// Returns why a store on a read-only file system cannot be changed, or cannot be used at all; nil if the file system
  /// is writable.
  static func readOnlyReason(_ path: String) -> String? {
    var system = statvfs()
    guard statvfs(path, &system) == 0, system.f_flag & readOnlyFlag != 0 else { return nil }
    guard isImmutable(path) else {
      return
        "the store \(path) is on a read-only file system, and its log \(path)-wal cannot be applied there. "
        + "Copy both files to a directory that can be written, and name the copy with --db"
    }
    return "the store \(path) is on a read-only file system: it can be read and not changed"
  }

  private static func canWrite(beside path: String) -> Bool {
    access(StoreDirectory.path(ofStore: path), W_OK) == 0
  }
}
