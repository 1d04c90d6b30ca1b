import NewsStoresShared
import CSQLite
import Glibc
package import NewsCore
package import NewsToolbox

extension NewsStore {
  public func backup(to target: String, progress: @escaping StoreProgressHandler) async throws(StoreError) {
    guard access(target, F_OK) != 0 else {
      throw StoreError(
        code: .cannotCreate,
        message: "\(target) exists already; name a new file for the backup"
      )
    }
    let owner = try Self.owner(of: path)
    if let owner, geteuid() != 0 { throw .cannotCarryOwner(of: path, owner, to: target) }
    let source = try await takeReader()
    try source.refuseOwner(besides: owner, to: target)
    let work = try StoreError.workFolder(target + ".partial", else: .cannotCreate)
    defer { work.remove() }
    // A snapshot keeps the copy consistent, however long it takes.
    try source.snapshot { () throws(StoreError) in
      _ = try source.number("SELECT count(*) FROM counters")
      // Its owner may have changed it since it was opened.
      try refuseForeignDefinitions(source)
      try Self.copy(source, to: work, owner: owner, progress: progress)
      if options.copy?.becomesAccount == true {
        // SQLite reads what its pages lead to: a tree that leads to the same pages again has rows without end.
        let copy = try Connection(path: work.file(Self.copyName), access: .reading, busyTimeout: 0)
        try Self.refuse(try StoreInspection.everything(copy), of: source)
      }
    }
    release(source)
    try Self.move(work, to: target)
  }

  /// Returns the other user to whom a copy of the database must belong. Throws if it cannot be told.
  package static func owner(of path: String) throws(StoreError) -> FileTrust.Owner? {
    do {
      return try FileTrust.owner(ofDatabase: path)
    } catch {
      throw StoreError(
        code: .unreadable,
        message:
          "\(error.reason), so that its content may be anybody's. Copy it to a folder of your own first"
      )
    }
  }

  /// The name of the file that `copy` makes.
  static let copyName = "store.db"

  /// Copies a store to a new file with its own id. The copy is complete without a WAL, and has no statistics of SQLite.
  /// With `numbers`, the copy continues after these numbers, because it will replace the store; with `account`, it is made
  /// that of the account. Root gives the copy to `owner`.
  static func copy(
    _ source: Connection,
    to folder: WorkFolder,
    owner: FileTrust.Owner?,
    continuing numbers: GivenNumbers? = nil,
    into account: RestoredAccount? = nil,
    progress: StoreProgressHandler
  ) throws(StoreError) {
    let path = folder.file(copyName)
    do {
      try folder.create(copyName)
    } catch {
      throw StoreError(code: .unreadable, message: "cannot create \(path): \(error.reason)")
    }
    let target = try Connection(path: path, access: .writing, busyTimeout: 0)
    // SQLite opens the file by its path, where another folder may be by now.
    guard let created = folder.identity(of: copyName), let file = target.file,
      created == (file.device, file.inode)
    else {
      throw StoreError(
        code: .replaced,
        message: "another folder was put at \(folder.path) while newsd used it"
      )
    }
    try copyPages(source, to: target, progress: progress)
    // Statistics of the owner's choice would decide how the daemon queries the store.
    try target.execute("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4")
    // The new id prevents a WAL of the store from being applied to the copy; see `ForeignWAL`.
    try target.execute("UPDATE file SET id = lower(hex(randomblob(16)))")
    try numbers?.pass(to: target)
    if let account {
      try target.transaction { () throws(StoreError) in
        try Schema.createLaterTables(target)
        try target.adopt(by: account)
      }
    }
    try target.execute("PRAGMA journal_mode = DELETE")
    do {
      if let owner { try folder.give(copyName, to: owner) }
    } catch {
      throw StoreError(code: .unreadable, message: "cannot change the owner of \(path): \(error.reason)")
    }
  }

  /// Makes a store at `target`, where no file may exist yet, with the content that `fill` stores. Until it is complete, it is in a
  /// folder beside, so that a process that is killed leaves no incomplete store that looks like a whole one.
  package static func make(
    at target: String,
    fill: (NewsStore) async throws -> Void
  ) async throws {
    guard access(target, F_OK) != 0 else {
      throw StoreError(
        code: .cannotCreate,
        message: "\(target) exists already; name a new file for the backup"
      )
    }
    let work = try StoreError.workFolder(target + ".partial", else: .cannotCreate)
    defer { work.remove() }
    // Opened by its path, where another folder may be by now.
    let store = try NewsStore(path: work.file(copyName), options: Options(receivesCopy: true))
    do {
      try await fill(store)
    } catch {
      await store.close()
      throw error
    }
    await store.close()
    try Connection(path: work.file(copyName), access: .writing, busyTimeout: 0)
      .execute("PRAGMA journal_mode = DELETE")
    try move(work, to: target)
  }

  /// Moves the copy in the folder to its place beside the folder.
  static func move(_ folder: WorkFolder, to target: String) throws(StoreError) {
    do {
      try folder.move(copyName, to: target)
    } catch {
      throw StoreError(code: .unreadable, message: "cannot create \(target): \(error.reason)")
    }
  }

  static func rename(_ path: String, to target: String) throws(StoreError) {
    guard Glibc.rename(path, target) == 0 else {
      let reason = SystemError.last.reason
      unlink(path)
      throw StoreError(code: .unreadable, message: "cannot create \(target): \(reason)")
    }
  }

  /// Pages copied between two progress reports.
  private static let portion: Int32 = 2000

  /// Replaces all pages of `target` in one transaction. Calls `mayReplace` after locking out other writers. If
  /// `mayReplace` returns false, changes nothing and returns false.
  @discardableResult
  static func copyPages(
    _ source: Connection,
    to target: Connection,
    progress: StoreProgressHandler = { _ in },
    if mayReplace: () throws(StoreError) -> Bool = { () throws(StoreError) in true }
  ) throws(StoreError) -> Bool {
    guard let backup = sqlite3_backup_init(target.raw, "main", source.raw, "main") else {
      throw target.error(sqlite3_errcode(target.raw))
    }
    // A step of 0 pages copies nothing but takes the lock.
    var step = sqlite3_backup_step(backup, 0)
    do {
      if step == SQLITE_OK, try !mayReplace() {
        sqlite3_backup_finish(backup)
        return false
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    while step == SQLITE_OK {
      step = sqlite3_backup_step(backup, portion)
      let total = Int(sqlite3_backup_pagecount(backup))
      progress(StoreProgress(done: total - Int(sqlite3_backup_remaining(backup)), total: total))
    }
    let finish = sqlite3_backup_finish(backup)
    guard step == SQLITE_DONE, finish == SQLITE_OK else {
      throw target.error(finish == SQLITE_OK ? step : finish)
    }
    return true
  }
}

extension NewsStore {
  public func compact(
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> (before: Int64, after: Int64) {
    let before = fileSize()
    progress(StoreProgress(done: 0, total: 2))
    // VACUUM builds the new file in SQLite's directory for temporary files, which may be a small tmpfs; use the store's
    // directory.
    setenv("SQLITE_TMPDIR", StoreDirectory.path(ofStore: path), 0)
    closeIdleReaders()
    try await transaction { (connection) throws(StoreError) in try ItemTags.forgetUnused(connection) }
    try await mergeWords(of: before) { (connection) throws(StoreError) in
      try FullTextIndex.merge(connection)
    }
    try await maintain { (connection) throws(StoreError) in try connection.execute("VACUUM") }
    progress(StoreProgress(done: 1, total: 2))
    try await transaction { (connection) throws(StoreError) in try connection.touch() }
    // The file shrinks at the checkpoint. If a reader blocks this checkpoint, the file shrinks at the next one.
    try await maintain { (connection) throws(StoreError) in
      _ = try connection.number("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    progress(StoreProgress(done: 2, total: 2))
    return (before, fileSize())
  }

  /// Returns the size of the store's file in bytes; 0 if the file cannot be examined.
  private func fileSize() -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
