import CSQLite
import Glibc
public import NewsCore

extension NewsStore: StoreBackingUp {
  public func backup(to target: String) async throws(StoreError) {
    guard access(target, F_OK) != 0 else {
      throw StoreError(code: .unreadable, message: "\(target) exists already; name a new file for the backup")
    }
    let partial = target + ".partial"
    unlink(partial)
    let source = try await takeReader()
    do {
      // A snapshot, so that the copy is of one moment however long it takes.
      try source.snapshot { () throws(StoreError) in
        _ = try source.integer("SELECT count(*) FROM counters")
        try Self.copy(source, to: partial)
      }
    } catch {
      unlink(partial)
      throw error
    }
    giveBack(source)
    guard Glibc.rename(partial, target) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(partial)
      throw StoreError(code: .unreadable, message: "cannot create \(target): \(reason)")
    }
  }

  private static func copy(_ source: Connection, to path: String) throws(StoreError) {
    let target = try Connection(path: path, access: .creating, patience: 0)
    try copyPages(source, to: target)
    // One file, complete in itself.
    try target.execute("PRAGMA journal_mode = DELETE")
  }

  /// Replaces all pages of `target`, in one transaction of it; false, and nothing is changed, where `mayReplace`, which is
  /// asked once nobody else can write any more, says no.
  @discardableResult
  static func copyPages(
    _ source: Connection,
    to target: Connection,
    if mayReplace: () throws(StoreError) -> Bool = { () throws(StoreError) in true }
  ) throws(StoreError) -> Bool {
    guard let backup = sqlite3_backup_init(target.raw, "main", source.raw, "main") else {
      throw target.error(sqlite3_errcode(target.raw))
    }
    // No page yet: this takes the lock.
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
    if step == SQLITE_OK { step = sqlite3_backup_step(backup, -1) }
    let finish = sqlite3_backup_finish(backup)
    guard step == SQLITE_DONE, finish == SQLITE_OK else {
      throw target.error(finish == SQLITE_OK ? step : finish)
    }
    return true
  }
}
