import CSQLite
import Glibc
import NewsCore
import NewsToolbox

extension StoreError {
  /// Converts an SQLite result code to an error with a message for users. `code` is a primary or extended
  /// result code, `systemError` the result of `sqlite3_system_errno`.
  init(sqlite code: Int32, message: String, systemError: Int32, path: String) {
    // Use the system error only for these codes: SQLite never clears it, so with any other code, it belongs to an
    // earlier failure.
    let failedInSystem = code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN
    switch code & 0xFF {
    case SQLITE_FULL:
      self = .full(path)
    case _ where failedInSystem && (systemError == ENOSPC || systemError == EDQUOT):
      self = .full(path)
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        code: .busy,
        message: "another process keeps the store \(path) locked; try again when it has finished"
      )
    // The file's header names a schema format that does not exist.
    case SQLITE_ERROR where message == "unsupported file format":
      self = .damagedHeader(path)
    case SQLITE_CORRUPT:
      self.init(
        code: .corrupt,
        message: "the store \(path) is damaged (\(message)). It was not changed. "
          + "Run 'newsd check' for details, or put a backup in its place with 'newsd restore FILE'"
      )
    case SQLITE_NOTADB:
      self.init(
        code: .corrupt,
        message: "\(path) is not a newsd store (\(message)). It was not changed. "
          + "Name another file with --db, or put a backup in its place with 'newsd restore FILE'"
      )
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_AUTH:
      if let obstacle = ReadOnlyFile.readOnlyReason(path) ?? StoreDirectory.denial(ofStore: path) {
        self.init(code: .unreadable, message: obstacle)
        return
      }
      let reason = failedInSystem && systemError != 0 ? SystemError(code: systemError).reason : message
      self.init(
        code: .unreadable,
        message:
          "cannot use the store \(path): \(reason). Check that file and directory may be read and written"
      )
    default:
      self.init(code: .other, message: "the store \(path) failed: \(message) (SQLite \(code))")
    }
  }

  /// Returns the error for a full disk, or for a store that has reached its maximum number of pages.
  static func full(_ path: String) -> StoreError {
    StoreError(
      code: .full,
      message: "no space left for the store \(path). What was stored before is intact; "
        + "free some space and try again"
    )
  }
}
