import Glibc
import NewsCore
import NewsToolbox

/// Detects a WAL that does not belong to the store next to it: a killed process left the WAL, and then the store was
/// replaced by a copy. SQLite would apply the WAL and destroy the copy.
///
/// Every transaction writes the page of the table `file`, so nearly every WAL contains the store's id and
/// commit numbers. A WAL is foreign if all ids in it are others. If no other process uses it, it is also
/// foreign if all its commit numbers with the store's id are more than one above the number in the store's file, or all are
/// below that number. Ids of former content may precede the store's id. After a killed restore, the numbers may jump: the
/// store has the id of the backup if an earlier restore of it was killed, too.
enum ForeignWAL {
  /// Renames a foreign WAL. Returns a message for the user; nil if the WAL belongs to the store or does not
  /// exist, or if this process has the store open. Throws `replaced` if another process still uses the
  /// foreign WAL.
  static func renameIfForeign(besides path: String) throws(StoreError) -> String? {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > 32 else { return nil }
    let place = try StoreDirectory.heldName(ofStore: path) ?? path
    return try OpenFiles.examine(place) { () throws(StoreError) in try renameIfForeign(at: place, path) }
  }

  /// The files are found by `place`. Messages show `path`.
  private static func renameIfForeign(at place: String, _ path: String) throws(StoreError) -> String? {
    let log = place + "-wal"
    // While another process uses the WAL, compare only the id: that process may restart the WAL at any moment.
    let isUsed = isLocked(place + "-shm")
    guard let own = StoreFileRow(inStore: place), let rows = StoreFileRowsOfWAL(path: log),
      isForeign(rows, to: own, isUsed)
    else { return nil }
    guard !isUsed else {
      throw StoreError(
        code: .replaced,
        message:
          "another file was copied onto the store \(path) while another process uses it. "
          + "Stop that process and try again. To put a backup in the place of a store, use 'newsd restore FILE'"
      )
    }
    let kept = try name(besides: log)
    guard rename(log, kept) == 0 else {
      throw StoreError(
        code: .unreadable,
        message:
          "\(path)-wal belongs to another file than \(path) and cannot be renamed: \(SystemError.last.reason)"
      )
    }
    unlink(place + "-shm")
    let (name, newName) = ("\(path)-wal", kept.replacing(scalarsOf: place, with: path))
    return "\(name) belongs to another file than the store: it was renamed to \(newName) and not applied. "
      + "To put a backup in the place of a store, use 'newsd restore FILE'"
  }

  /// Renames the WAL of a store that is missing or about to be replaced.
  static func keep(besides path: String) throws(StoreError) {
    let log = path + "-wal"
    guard access(log, F_OK) == 0 else { return }
    let kept = try name(besides: log)
    guard rename(log, kept) == 0 else {
      throw StoreError(
        code: .unreadable,
        message: "cannot rename \(log): \(SystemError.last.reason)"
      )
    }
    unlink(path + "-shm")
  }

  private static func name(besides log: String) throws(StoreError) -> String {
    for number in 1...99 {
      let name = "\(log).\(number)"
      if access(name, F_OK) != 0 { return name }
    }
    throw StoreError(
      code: .unreadable,
      message: "\(log).1 to \(log).99 exist already; remove those that are not needed"
    )
  }

  private static func isForeign(_ rows: StoreFileRowsOfWAL, to own: StoreFileRow, _ isUsed: Bool) -> Bool {
    func isOwn(_ row: StoreFileRow) -> Bool { row.id == own.id }
    guard let first = rows.first(where: isOwn) else {
      // Accept a WAL that contains no id: a restore or another program may have written it.
      return rows.first { _ in true } != nil
    }
    guard !isUsed else { return false }
    let latest = own.commits < .max ? own.commits + 1 : .max
    func isEarly(_ row: StoreFileRow) -> Bool { row.commits <= latest && isOwn(row) }
    func isLate(_ row: StoreFileRow) -> Bool { isOwn(row) && row.commits >= own.commits }
    // The first and the last row are nearly always the extremes.
    return !isEarly(first) && rows.first(where: isEarly) == nil
      || rows.last(where: isOwn).map { !isLate($0) } ?? false && rows.first(where: isLate) == nil
  }

  /// Returns true if another process has the store open. Each such process holds a lock on this byte (SQLite,
  /// os_unix.c, `UNIX_SHM_DMS`).
  private static func isLocked(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 128
    lock.l_len = 1
    guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
  }
}
