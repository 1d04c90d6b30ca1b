import CSQLite
import Glibc
package import NewsCore
package import NewsToolbox

extension StoreError {
  static func foreignLog(_ log: String, _ uid: UInt32, of path: String) -> StoreError {
    StoreError(
      code: .unreadable,
      message:
        "\(log) belongs to uid \(uid), who does not own the store \(path). It was not applied to the store. "
        + "Move it away, and let only the owner of the store write to its folder"
    )
  }

  static func foreignLink(_ link: String, _ uid: UInt32, to path: String) -> StoreError {
    StoreError(
      code: .unreadable,
      message:
        "the link \(link) belongs to uid \(uid), who does not own the file to which \(path) leads. newsd does not follow "
        + "it as root. Name the file itself"
    )
  }

  static func unsafeNames(of path: String, _ reason: String) -> StoreError {
    StoreError(
      code: .unreadable,
      message: "root does not replace \(path): \(reason). Run newsd as the owner of the store"
    )
  }

  package static func cannotCarryOwner(
    of path: String,
    _ owner: FileTrust.Owner,
    to target: String
  ) -> StoreError {
    StoreError(
      code: .unreadable,
      message:
        "\(path) belongs to uid \(owner.uid), and its content must not become another user's: the feeds would "
        + "run programs and read files with that user's rights. Nothing was written to \(target). Run newsd as that "
        + "user; use 'newsd export' and 'newsd import'; or if you trust the content, change the owner of \(path)"
    )
  }

  /// Creates a folder for unfinished files. An error has the code.
  static func workFolder(
    _ path: String,
    isUnguessable: Bool = false,
    else code: StoreErrorCode = .unreadable
  ) throws(StoreError) -> WorkFolder {
    do {
      return isUnguessable ? try WorkFolder(unguessable: path) : try WorkFolder(path)
    } catch {
      guard error.code != ENOENT else {
        let folder = StoreDirectory.path(ofStore: path)
        throw StoreError(
          code: code,
          message: "there is no folder \(folder); create it, or name another"
        )
      }
      let hint =
        switch error.code {
        case EEXIST: "it exists and is not newsd's own; remove it"
        case EBUSY: "another newsd uses it"
        default: error.reason
        }
      throw StoreError(code: code, message: "cannot create the folder \(path): \(hint)")
    }
  }

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
    case SQLITE_INTERRUPT:
      self.init(
        code: .busy,
        message: "reading the store \(path) was ended, because nothing needs the result any more"
      )
    // The file's header names a schema format that does not exist.
    case SQLITE_ERROR where message == "unsupported file format":
      self = .damagedHeader(path)
    case SQLITE_CORRUPT:
      self = .damaged(path, message)
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
      // Without a system error, only the extended code tells a file that is too short from a failed mapping.
      let reason =
        failedInSystem && systemError != 0
        ? SystemError(code: systemError).reason : "\(message) (SQLite \(code))"
      self.init(
        code: .unreadable,
        message:
          "cannot use the store \(path): \(reason). Check that file and directory may be read and written"
      )
    default:
      self.init(code: .other, message: "the store \(path) failed: \(message) (SQLite \(code))")
    }
  }

  static func damaged(_ path: String, _ reason: String) -> StoreError {
    StoreError(
      code: .corrupt,
      message: "the store \(path) is damaged (\(reason)). It was not changed. "
        + "Run 'newsd check' for details, or put a backup in its place with 'newsd restore FILE'"
    )
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
