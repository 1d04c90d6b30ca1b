import Glibc
package import NewsCore
import NewsStoresShared
import NewsToolbox

extension NewsStore {
  /// The folders beside a store in which a restore works.
  private static let (folder, upgradeFolder) = (".partial", ".partial-upgrade")

  /// Removes what a killed restore has left.
  package static func removeLeftovers(besides path: String) {
    for name in [folder, upgradeFolder] { WorkFolder.removeLeft(path + name) }
  }

  public func restore(
    from backup: String,
    into account: RestoredAccount?,
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
      in: path + Self.upgradeFolder,
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
    if upgraded == nil { try source.refuseOwner(besides: owner, to: path) }
    if let writer = try Self.owner(of: backup), writer.uid != owner?.uid {
      throw .cannotCarryOwner(of: backup, writer, to: path)
    }
    // Close every connection of this process to the file and its WAL.
    await close()
    var restore = StoreRestore(items: 0)
    var numbers = GivenNumbers()
    try source.snapshot { () throws(StoreError) in
      try Self.verify(source)
      // Another person may have changed the backup of an account.
      if account != nil {
        try source.refuseLongValues()
        try source.refuseExcesses()
      }
      restore.items = Int(try source.value(of: .items))
      // The backup is open, so that the rights to read it are no longer needed.
      let place = try withOwnersRights()
      do throws(StoreError) {
        restore.kept = try place.replaceContent(by: source, owner, &numbers, account, progress).map {
          shown($0, at: place)
        }
      } catch {
        throw StoreError(code: error.code, message: shown(error.message, at: place))
      }
    }
    return restore
  }

  /// Returns the path where the previous file is kept; nil if it was overwritten, or there was none.
  private func replaceContent(
    by source: Connection,
    _ owner: FileTrust.Owner?,
    _ numbers: inout GivenNumbers,
    _ account: RestoredAccount?,
    _ progress: StoreProgressHandler
  ) throws(StoreError) -> String? {
    switch try RestoreTarget(path) {
    case .store:
      do throws(StoreError) {
        try overwrite(with: source, &numbers, account, progress)
        return nil
      } catch  where error.code == .corrupt {
        // The damage is too severe for SQLite to replace the pages, so replace the file.
        return try replaceFile(by: source, owner, numbers, account, progress)
      }
    case .missing, .unknown: return try replaceFile(by: source, owner, numbers, account, progress)
    }
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
    guard try source.schemaState() == .current else {
      throw StoreError(
        code: .corrupt,
        message: "\(source.path) is empty and not a backup; nothing was changed"
      )
    }
    try refuse(try StoreInspection.everything(source), of: source)
  }

  /// Throws if the content becomes the store of an account and has tables, indexes, views or triggers other than newsd's.
  func refuseForeignDefinitions(_ source: Connection) throws(StoreError) {
    guard options.copy?.becomesAccount == true else { return }
    try Self.refuse(try StoreInspection.layout(source), of: source)
  }

  static func refuse(_ problems: [StoreProblem], of source: Connection) throws(StoreError) {
    guard let first = problems.first else { return }
    throw StoreError(
      code: .corrupt,
      message:
        "\(source.path) has \(Plural.of(problems.count, "problem")) (\(first.message)); "
        + "nothing was changed. 'newsd --db \(source.path) check' lists them"
    )
  }

  /// How often the content is copied anew because another process has written meanwhile.
  private static let mostCopies = 1000

  /// Copies the backup over the store's pages in one transaction, so that other processes see changed content
  /// instead of a deleted file. Sets `numbers` to the last feed id, item id and sequence number of the replaced
  /// content, so that none is assigned again.
  private func overwrite(
    with source: Connection,
    _ numbers: inout GivenNumbers,
    _ account: RestoredAccount?,
    _ progress: StoreProgressHandler
  ) throws(StoreError) {
    try prepareFile()
    // Closed after all connections: a process loses its locks on a file with any descriptor of it.
    let file = try Self.openFile(path)
    defer { Glibc.close(file) }
    try overwrite(file, with: source, &numbers, account, progress)
  }

  private func overwrite(
    _ file: Int32,
    with source: Connection,
    _ numbers: inout GivenNumbers,
    _ account: RestoredAccount?,
    _ progress: StoreProgressHandler
  ) throws(StoreError) {
    let target = try Connection(
      path: path,
      access: .writing,
      busyTimeout: options.busyTimeout,
      toleratesDamage: true
    )
    numbers = GivenNumbers(target, replacedBy: source)
    let work = try StoreError.workFolder(path + Self.folder)
    defer { work.remove() }
    try Self.copy(source, to: work, owner: nil, into: account, progress: progress)
    let copy = try Connection(path: work.file(Self.copyName), access: .writing, busyTimeout: 0)
    let watch = try ChangeWatch(path, file, busyTimeout: options.busyTimeout)
    // Id and numbers are copied with the content: a process that writes, or a kill, between two commits would use numbers again.
    for _ in 0..<Self.mostCopies {
      let seen = try watch.state()
      numbers = GivenNumbers(target, replacedBy: source)
      try copy.transaction { () throws(StoreError) in
        try StoreFileRowKeeper(target).write(to: copy, isRestored: true)
        try numbers.pass(to: copy)
      }
      let isUnchanged = { () throws(StoreError) in try watch.state() == seen }
      guard try Self.copyPages(copy, to: target, if: isUnchanged) else { continue }
      // Ignore a failure here: other processes may be reading.
      target.busyTimeout = 1000
      try? target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      return
    }
    throw StoreError(
      code: .busy,
      message: "other processes keep writing into \(path); stop them and restore it again"
    )
  }

  /// Moves a copy of the backup to the store's path. Returns the path where the previous file is kept; nil if
  /// there was none.
  private func replaceFile(
    by source: Connection,
    _ owner: FileTrust.Owner?,
    _ numbers: GivenNumbers,
    _ account: RestoredAccount?,
    _ progress: StoreProgressHandler
  ) throws(StoreError) -> String? {
    let work = try StoreError.workFolder(path + Self.folder)
    defer { work.remove() }
    try Self.copy(source, to: work, owner: owner, continuing: numbers, into: account, progress: progress)
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
