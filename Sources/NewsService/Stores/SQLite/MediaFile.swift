import Glibc
package import NewsCore
import NewsStoresShared
import NewsToolbox

/// The media store beside a store in a file. It is a file of its own, so that the store stays small and a backup can
/// leave the pictures out. It is created on first use, and may be deleted while newsd is not running.
package actor MediaFile: MediaStore {
  /// `application_id`: "nwsm".
  private static let applicationID: Int64 = 0x6E77_736D
  private static let layout: Int64 = 1
  /// How long a statement waits for another process's lock, in milliseconds.
  private static let busyTimeout: Int32 = 5000
  /// The WAL in bytes, once it has been checkpointed.
  private static let log = 4 << 20
  /// Number of unused pages that are not worth a smaller file: 1 MiB.
  private static let leastFree: Int64 = 256

  private let path: String
  private let store: String
  private let freeSpace: @Sendable () -> Int64?
  private var opened: Connection?
  /// True if the file was used since `closeUnlessUsed` was called last.
  private var isUsed = false
  /// What was done with a damaged file, until a writer has said it: the daemon's own work logs its errors.
  private var notice: StoreError?

  /// The file beside the store at `store`. `assumedFreeSpace` replaces the free bytes of the disk.
  package init(besides store: String, assumedFreeSpace: Int64? = nil) {
    self.store = store
    path = store + ".media"
    freeSpace = { assumedFreeSpace ?? FreeSpace.bytes(besides: store) }
  }

  package func requireRoom() throws(StoreError) {
    guard let free = freeSpace(), free < FreeSpace.little else { return }
    let room = "less than \(FreeSpace.little >> 20) MiB of the disk of \(path) are free"
    throw StoreError(code: .full, message: room + ", so newsd keeps no more pictures")
  }

  package func readMedia<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try recovering { (connection) throws(StoreError) in
      try connection.snapshot { () throws(StoreError) in try body(connection) }
    }
  }

  package func writeMedia<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let result = try recovering { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in try body(connection) }
    }
    if let notice {
      self.notice = nil
      throw notice
    }
    shrink()
    return result
  }

  /// Closes the file if it was not used since the last call.
  package func closeUnlessUsed() {
    if !isUsed { opened = nil }
    isUsed = false
  }

  /// Runs `body`, once more with a new file if the file is damaged: everything in it can be fetched again.
  private func recovering<Result>(
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let file = FileIdentity(path: path)
    do throws(StoreError) {
      return try body(try open())
    } catch {
      guard error.code == .corrupt, setAside(file) else { throw error }
      return try body(try open())
    }
  }

  /// Moves the damaged file away, unless another process has done so. Root does not in a folder of another user.
  private func setAside(_ file: FileIdentity?) -> Bool {
    opened = nil
    guard file != nil, geteuid() != 0 || FileTrust.finding(ofNames: path) == nil else { return false }
    guard FileIdentity(path: path) == file else { return true }
    let aside = path + ".damaged"
    guard rename(path, aside) == 0 else { return false }
    for log in ["-wal", "-shm"] { unlink(path + log) }
    notice = StoreError(
      code: .unreadable,
      message:
        "the media store \(path) was damaged; newsd has moved it to \(aside), and fetches its pictures again"
    )
    return true
  }

  /// Gives unused pages back to the system if they are more than the others. After a failure, a later call tries again.
  private func shrink() {
    guard let opened, let free = try? opened.number("PRAGMA freelist_count"), free > Self.leastFree,
      let count = try? opened.number("PRAGMA page_count"), free > count / 2
    else { return }
    setenv("SQLITE_TMPDIR", StoreDirectory.path(ofStore: path), 0)
    try? opened.execute("VACUUM")
    _ = try? opened.number("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func open() throws(StoreError) -> Connection {
    isUsed = true
    // The user may have deleted or replaced the file.
    if let opened, opened.file == FileIdentity(path: path) { return opened }
    opened = nil
    // Root gives a new file to the owner of the store, whose newsd could not use it otherwise.
    let connection = try Connection(
      path: path,
      access: .creating,
      busyTimeout: Self.busyTimeout,
      newFileOwner: FileTrust.otherOwner(of: store)
    )
    if try !isComplete(connection) {
      try connection.execute("PRAGMA journal_mode = WAL")
      try connection.transaction { () throws(StoreError) in
        // Another process may have created the tables in the meantime.
        if try !isComplete(connection) { try create(connection) }
      }
    }
    // Files of earlier versions lack this table.
    if try connection.number("SELECT 1 FROM sqlite_master WHERE name = 'kept_pictures'") == nil {
      try connection.execute(MediaTables.keptPictures(number: "INTEGER", bytes: "BLOB"))
    }
    try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(Self.log)")
    opened = connection
    return connection
  }

  private func isComplete(_ connection: Connection) throws(StoreError) -> Bool {
    let owner = try connection.number("PRAGMA application_id") ?? 0
    let found = try connection.number("PRAGMA user_version") ?? 0
    if owner == Self.applicationID, found == Self.layout { return true }
    if owner == 0, found == 0, try connection.number("SELECT count(*) FROM sqlite_master") == 0 {
      return false
    }
    throw StoreError(
      code: .unreadable,
      message: "\(path) is not a media store of this newsd. Move it away; newsd makes a new one"
    )
  }

  private func create(_ connection: Connection) throws(StoreError) {
    // Connections of newsd expect the row of the table `file` on page 2; see `StoreFileRow`.
    try connection.execute(
      """
      CREATE TABLE file (id TEXT NOT NULL, commits INTEGER NOT NULL);
      INSERT INTO file VALUES (lower(hex(randomblob(16))), 0);
      \(MediaTables.pictures(number: "INTEGER", bytes: "BLOB"));
      \(MediaTables.icons(number: "INTEGER"));
      \(MediaTables.index);
      PRAGMA application_id = \(Self.applicationID);
      PRAGMA user_version = \(Self.layout);
      """
    )
  }
}
