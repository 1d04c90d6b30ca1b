import CSQLite
import Glibc
import NewsCore
import Synchronization

/// The latest row of the table `file` that a store's connections have read from the database file itself,
/// ignoring the WAL.
final class KnownMark: Sendable {
  /// `isRead` is true if the row, or an earlier one, was read from the file.
  private let mark = Mutex<(row: StoreFileRow?, isRead: Bool)>((nil, false))

  /// True if the file had a row. A new store has none until the first checkpoint.
  var wasRead: Bool { mark.withLock { $0.isRead } }

  /// Records a row read from the file. Returns false, and records nothing, if the row belongs to another store or is
  /// older than the recorded row. In the store's own file, rows never become older: only checkpoints write to the file,
  /// and `commits` only increases.
  fileprivate func accepts(_ found: StoreFileRow) -> Bool {
    mark.withLock { known in
      if let row = known.row, row.id != found.id || row.commits > found.commits { return false }
      known = (found, true)
      return true
    }
  }

  /// Records the id of a new store, whose first transactions are in the WAL only.
  func begin(id: String) {
    mark.withLock { $0.row = $0.row ?? StoreFileRow(id: id, commits: 0) }
  }
}

extension Connection {
  /// Returns true if another file was copied onto this one, for example with cp, since the store was opened. The WAL
  /// then belongs to content that no longer exists, and a checkpoint would destroy the copied content.
  func wasOverwritten() -> Bool {
    guard let found = fileMark(), !known.accepts(found) else { return false }
    // Another connection may have recorded a later state, or a checkpoint may be writing the page.
    for _ in 0..<3 {
      usleep(5000)
      guard let again = fileMark(), !known.accepts(again) else { return false }
    }
    return true
  }

  /// Reads the row from the file, ignoring the WAL. Uses SQLite's own descriptor, because closing another descriptor
  /// would release all locks of this process on the file (POSIX fcntl).
  func fileMark() -> StoreFileRow? { StoreFileRow(reading: { readFile($0, at: $1) }) }

  /// Reads bytes of the file at an offset. Returns nil if the file has fewer.
  func readFile(_ count: Int, at offset: Int) -> [UInt8]? {
    guard let openedFile, let read = openedFile.pointee.pMethods?.pointee.xRead else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes {
      read(openedFile, $0.baseAddress, Int32(count), Int64(offset))
    }
    return result == SQLITE_OK ? bytes : nil
  }

  /// Returns the size of the file, whatever is at its path now; nil if it is unknown.
  func fileSize() -> Int64? {
    guard let openedFile, let measure = openedFile.pointee.pMethods?.pointee.xFileSize else { return nil }
    var size: Int64 = 0
    return measure(openedFile, &size) == SQLITE_OK ? size : nil
  }

  /// SQLite's own handle of the file.
  private var openedFile: UnsafeMutablePointer<sqlite3_file>? {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(raw, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
    return code == SQLITE_OK ? pointer : nil
  }
}

extension StoreError {
  /// Returns the error for a store onto which another file was copied.
  static func overwritten(_ path: String) -> StoreError {
    StoreError(
      code: .replaced,
      message: "another file was copied onto the store \(path) while newsd was using it; nothing was written "
        + "into it. 'newsd run' opens it within ten seconds; run other commands again. "
        + "To put a backup in the place of a store, use 'newsd restore FILE'"
    )
  }
}
