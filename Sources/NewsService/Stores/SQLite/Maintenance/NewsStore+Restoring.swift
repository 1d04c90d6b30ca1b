import Glibc
package import NewsCore
import NewsStoresShared
import NewsToolbox

extension NewsStore {
  public func restore(
    from backup: String,
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRestore {
    if let file = FileIdentity(path: backup), file == FileIdentity(path: path) {
      throw StoreError(code: .unreadable, message: "\(backup) is the store itself; name a backup")
    }
    if let header = StoreFileRow.header(of: backup), !header.starts(with: "SQLite format 3\0".utf8) {
      throw StoreError(code: .corrupt, message: "\(backup) is not a backup of newsd; nothing was changed")
    }
    let upgraded = try Self.upgradedCopy(
      of: backup,
      in: path + ".partial-upgrade",
      options: options,
      progress: progress
    )
    defer { upgraded?.remove() }
    let source = try Self.openBackup(upgraded?.path ?? backup)
    // Root keeps the former store's owner, or gives a new store to the folder's.
    let exists = FileIdentity(path: path) != nil
    let owner =
      geteuid() == 0 || exists
      ? FileTrust.otherOwner(of: exists ? path : StoreDirectory.path(ofStore: path)) : nil
    if let writer = FileTrust.otherOwner(of: backup), writer.uid != owner?.uid {
      throw .cannotCarryOwner(of: backup, writer, to: path)
    }
    // Close every connection of this process to the file and its WAL.
    await close()
    var restore = StoreRestore(items: 0)
    var numbers = GivenNumbers()
    try source.snapshot { () throws(StoreError) in
      try Self.verify(source)
      restore.items = Int(try source.value(of: .items))
      // The backup is open, so that the rights to read it are no longer needed.
      try giveUpRights()
      switch try RestoreTarget(path) {
      case .store:
        do throws(StoreError) {
          try overwrite(with: source, &numbers, progress)
        } catch  where error.code == .corrupt {
          // The damage is too severe for SQLite to replace the pages, so replace the file.
          restore.kept = try replaceFile(by: source, owner, numbers, progress)
        }
      case .missing, .unknown: restore.kept = try replaceFile(by: source, owner, numbers, progress)
      }
    }
    return restore
  }

  private static func openBackup(_ path: String) throws(StoreError) -> Connection {
    guard access(path, F_OK) == 0 else {
      throw StoreError(code: .missing, message: "cannot read \(path): \(SystemError.last.reason)")
    }
    if let line = try ForeignWAL.renameIfForeign(besides: path) {
      throw StoreError(code: .corrupt, message: line)
    }
    let mode: Connection.Access = ReadOnlyFile.isImmutable(path) ? .immutable : .reading
    return try Connection(path: path, access: mode, busyTimeout: 2000)
  }

  /// Checks a backup. Throws if the file is not a store of this layout or has any problem.
  private static func verify(_ source: Connection) throws(StoreError) {
    guard try Schema.state(of: source) == .current else {
      throw StoreError(
        code: .corrupt,
        message: "\(source.path) is empty and not a backup; nothing was changed"
      )
    }
    let problems = try StoreInspection.everything(source)
    guard let first = problems.first else { return }
    throw StoreError(
      code: .corrupt,
      message:
        "\(source.path) has \(Plural.of(problems.count, "problem")) (\(first.message)); "
        + "nothing was changed. 'newsd --db \(source.path) check' lists them"
    )
  }

  /// Copies the backup over the store's pages in one transaction, so that other processes see changed content
  /// instead of a deleted file. Sets `numbers` to the last feed id, item id and sequence number of the replaced
  /// content, so that none is assigned again.
  private func overwrite(
    with source: Connection,
    _ numbers: inout GivenNumbers,
    _ progress: StoreProgressHandler
  ) throws(StoreError) {
    try prepareFile()
    let target = try Connection(
      path: path,
      access: .writing,
      busyTimeout: options.busyTimeout,
      toleratesDamage: true
    )
    let keeper = StoreFileRowKeeper(target)
    numbers = GivenNumbers(target)
    try Self.copyPages(source, to: target, progress: progress)
    try keeper.finish(isRestored: true, continuing: numbers)
    // Ignore a failure here: other processes may be reading.
    target.busyTimeout = 1000
    try? target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Moves a copy of the backup to the store's path. Returns the path where the previous file is kept; nil if
  /// there was none.
  private func replaceFile(
    by source: Connection,
    _ owner: FileTrust.Owner?,
    _ numbers: GivenNumbers,
    _ progress: StoreProgressHandler
  ) throws(StoreError) -> String? {
    let work = try StoreError.workFolder(path + ".partial")
    defer { work.remove() }
    try Self.copy(source, to: work, owner: owner, continuing: numbers, progress: progress)
    try ForeignWAL.keep(besides: path)
    var kept: String?
    var status = stat()
    if stat(path, &status) == 0, status.st_size > 0 {
      let name = path + ".damaged"
      guard access(name, F_OK) != 0 else {
        throw StoreError(
          code: .unreadable,
          message: "\(name) exists already; move it away before the restore"
        )
      }
      try Self.rename(path, to: name)
      kept = name
    }
    try Self.move(work, to: path)
    return kept
  }
}

/// The state of the file that a backup replaces.
private enum RestoreTarget {
  case missing
  case store
  /// A file with a destroyed header, or a file that never was a database. The file is kept under another name.
  case unknown

  /// Examines the file at a path. Throws if the file is a database of another program.
  init(_ path: String) throws(StoreError) {
    guard let header = StoreFileRow.header(of: path) else {
      var status = stat()
      self = stat(path, &status) == 0 && status.st_size > 0 ? .unknown : .missing
      return
    }
    guard header.starts(with: "SQLite format 3\0".utf8) else {
      self = .unknown
      return
    }
    let owner = header[68..<72].reduce(0) { $0 << 8 | Int64($1) }
    var isStore = owner == Schema.applicationID
    if !isStore { isStore = try Self.isYoung(path) }
    guard isStore else {
      throw StoreError(
        code: .corrupt,
        message: "\(path) is a database of another program or of a newsd before the first release. "
          + "It was not changed. Name another file with --db"
      )
    }
    self = .store
  }

  /// True for a store whose first commits are still in its WAL, with what they write into the header.
  private static func isYoung(_ path: String) throws(StoreError) -> Bool {
    guard access(path + "-wal", F_OK) == 0 else { return false }
    let connection = try Connection(path: path, access: .reading, busyTimeout: 2000)
    return try connection.number("PRAGMA application_id") == Schema.applicationID
  }
}
