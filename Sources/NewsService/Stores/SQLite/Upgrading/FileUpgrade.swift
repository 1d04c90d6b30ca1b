import CSQLite
import Glibc
import NewsCore
import NewsStoresShared
import NewsToolbox

/// Upgrades the file of a store to this newsd's layout.
///
/// All steps and the number of the layout are one transaction. A step with portions has a transaction for each, and
/// the last one contains the number. Until then, the store has its former layout, and the table `migration` contains the position: a
/// killed upgrade begins again or continues.
struct FileUpgrade {
  let path: String
  let options: NewsStore.Options
  /// False for a copy of a store, whose original stays.
  var keepsFormer = true

  /// The table with the position of an upgrade in portions. `commits` is the commit counter after the last portion.
  private static let progressTable = "migration"
  /// How often an upgrade begins again because other processes write.
  private static let restarts = 100

  func plan() throws(StoreError) -> UpgradePlan? {
    guard let connection = try open(), let layout = try Self.layout(connection) else { return nil }
    let size = [path, path + "-wal"].reduce(Int64(0)) { $0 + Self.size($1) }
    let isInterrupted = try connection.has(Self.progressTable)
    let copies: Int64 = isInterrupted || !keepsFormer ? 1 : 2
    return UpgradePlan(
      from: layout,
      to: Schema.version,
      backup: keepsFormer ? "\(path).layout-\(layout)" : nil,
      room: UpgradePlan.Room(
        store: size,
        needed: size * copies,
        free: options.assumedFreeSpace ?? FreeSpace.bytes(besides: path)
      ),
      isInterrupted: isInterrupted
    )
  }

  /// Opens the file for reading; nil if it is missing.
  func open() throws(StoreError) -> Connection? {
    guard access(path, F_OK) == 0 else { return nil }
    let access: Connection.Access = ReadOnlyFile.isImmutable(path) ? .immutable : .reading
    return try Connection(path: path, access: access, busyTimeout: options.busyTimeout)
  }

  /// The layout of a store that this newsd can upgrade; nil for any other store. Throws for one of a newer layout.
  private static func layout(_ connection: Connection) throws(StoreError) -> Int? {
    do throws(StoreError) {
      _ = try connection.schemaState()
    } catch {
      switch error.code {
      case .newerLayout: throw error
      case .olderLayout(let found, _) where found > 0 && found <= Migration.all.count: return found
      default: return nil
      }
    }
    return nil
  }

  /// Upgrades the file. Other processes can read it meanwhile.
  func run(_ progress: StoreProgressHandler) throws(StoreError) -> UpgradePlan? {
    guard let plan = try plan() else { return nil }
    if let room = plan.room, !room.isEnough { throw noRoom(room) }
    let connection = try Connection(path: path, access: .writing, busyTimeout: options.busyTimeout)
    if keepsFormer { try connection.execute("PRAGMA journal_mode = WAL") }
    // A power failure must not lose a layout whose backup the user may delete.
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -16384")
    var upgrade = Course(layout: plan.from, backup: plan.isInterrupted ? nil : plan.backup)
    while upgrade.layout < Schema.version {
      try advance(&upgrade, connection, progress)
    }
    // Readers may delay this; the next checkpoint then shrinks the log.
    connection.busyTimeout = 1000
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return plan
  }

  private struct Course {
    var layout: Int
    /// Where the former store is still to be kept.
    var backup: String?
    var restarts = 0
  }

  /// Performs one transaction: a portion, or all steps before the next step with portions.
  private func advance(
    _ course: inout Course,
    _ connection: Connection,
    _ progress: StoreProgressHandler
  ) throws(StoreError) {
    let found = course
    course = try connection.transaction { () throws(StoreError) in
      var course = found
      guard try Self.layout(connection) == course.layout else {
        // Another process has upgraded the store, or replaced its content.
        _ = try connection.schemaState()
        course.layout = Schema.version
        return course
      }
      if let backup = course.backup {
        try keepFormer(at: backup, layout: course.layout, progress)
        course.backup = nil
        try Schema.createLaterTables(connection)
      }
      let steps = Migration.all.dropFirst(course.layout - 1)
      if let portions = steps.first?.portions {
        let position = try position(&course, connection)
        if let next = try portions.advance(position, connection) {
          try note(next, connection)
          let end = try connection.number(portions.end) ?? next
          progress(StoreProgress(done: Int(clamping: next), total: Int(clamping: end)))
          return course
        }
      }
      let group = steps.prefix(1) + steps.dropFirst().prefix { $0.portions == nil }
      for step in group { try step.change(connection) }
      course.layout += group.count
      try connection.execute(
        "DROP TABLE IF EXISTS \(Self.progressTable); PRAGMA user_version = \(course.layout)"
      )
      try connection.countCommit()
      return course
    }
  }

  /// The position after which the work is to continue: 0 if it has not begun, or if another process has written since.
  private func position(_ course: inout Course, _ connection: Connection) throws(StoreError) -> Int64 {
    guard try connection.has(Self.progressTable) else {
      try connection.execute(
        "CREATE TABLE \(Self.progressTable) (position INTEGER NOT NULL, commits INTEGER NOT NULL)"
      )
      return 0
    }
    let position = try connection.number(
      "SELECT position FROM \(Self.progressTable), file WHERE migration.commits = file.commits"
    )
    if let position { return position }
    course.restarts += 1
    guard course.restarts < Self.restarts else {
      throw StoreError(
        code: .busy,
        message: "other processes keep changing the store \(path) during its upgrade; stop them and try again"
      )
    }
    return 0
  }

  private func note(_ position: Int64, _ connection: Connection) throws(StoreError) {
    try connection.countCommit()
    try connection.execute("DELETE FROM \(Self.progressTable)")
    try connection.run(
      "INSERT INTO \(Self.progressTable) SELECT $1, commits FROM file",
      position
    )
  }

  /// Copies the store to `backup`, which may be what an earlier upgrade left. The caller holds the write lock.
  private func keepFormer(at backup: String, layout: Int, _ progress: StoreProgressHandler)
    throws(StoreError)
  {
    let owner = FileTrust.otherOwner(of: path)
    if let owner, geteuid() != 0 { throw .cannotCarryOwner(of: path, owner, to: backup) }
    let work = try StoreError.workFolder(backup + ".partial")
    defer { work.remove() }
    let partial = work.file(NewsStore.copyName)
    let source = try Connection(path: path, access: .reading, busyTimeout: options.busyTimeout)
    try source.snapshot { () throws(StoreError) in
      _ = try source.number("SELECT count(*) FROM counters")
      try NewsStore.copy(source, to: work, owner: owner, progress: progress)
    }
    try Self.verify(partial, layout: layout)
    try Self.sync(partial)
    try NewsStore.move(work, to: backup)
    try Self.sync(StoreDirectory.path(ofStore: backup))
  }

  private static func verify(_ copy: String, layout: Int) throws(StoreError) {
    let connection = try Connection(path: copy, access: .reading, busyTimeout: 0)
    let found = try connection.number("PRAGMA user_version")
    let state = try connection.text("PRAGMA quick_check(1)")
    guard found == Int64(layout), state == "ok" else {
      throw StoreError(
        code: .corrupt,
        message:
          "the store is damaged (\(state ?? "no answer")), and was not upgraded. Run 'newsd check --repair' "
          + "with the newsd that wrote it, or put a backup in its place with 'newsd restore FILE'"
      )
    }
  }

  /// Writes a file or directory to the disk.
  private static func sync(_ path: String) throws(StoreError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      throw StoreError(
        code: .unreadable,
        message: "cannot write \(path) to the disk: \(SystemError.last.reason)"
      )
    }
  }

  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  private func noRoom(_ room: UpgradePlan.Room) -> StoreError {
    let needed = room.needed >> 20 + 1
    let free = (room.free ?? 0) >> 20
    return StoreError(
      code: .full,
      message:
        "no room to upgrade the store \(path): it needs \(needed) MiB beside the store, and \(free) MiB are free. "
        + "It was not changed. Free some space and try again"
    )
  }
}
