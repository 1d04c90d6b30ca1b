import NewsStoresShared
import CSQLite
import Glibc
package import NewsCore
package import NewsToolbox
import Synchronization

/// The store: one SQLite file that holds subscriptions, items, their state and the full-text index.
///
/// Files are opened on first use. Reads use their own connections, which never wait for a writer (WAL). The
/// writing transactions go through one connection of this process, one at a time, and wait for other
/// processes. The search history, checkpoints, restores and salvages have connections of their own.
package final class NewsStore: Sendable {
  /// Settings of a store.
  public struct Options: Hashable, Sendable {
    /// A copy that will be made of the store's content.
    public struct Copy: Hashable, Sendable {
      let target: String
      let owner: FileTrust.Owner?
      /// True if the copy becomes the store of an account: what the definitions of its tables compute would be computed in the
      /// daemon.
      let becomesAccount: Bool

      public init(to target: String, owner: FileTrust.Owner?, becomesAccount: Bool) {
        self.target = target
        self.owner = owner
        self.becomesAccount = becomesAccount
      }
    }

    /// How long a write waits for another process's lock, in milliseconds.
    public var busyTimeout: Int32
    /// Maximum size of the file in pages of 8 KiB; nil for no limit but the disk.
    public var maximumPages: Int?
    /// Maximum number of items whose texts are searched in one snapshot.
    var scannedItems = 2000
    /// In a store with at least this many items, the matches of a one-letter prefix are counted in portions.
    var itemsWithSlowPrefixes: Int64 = 200_000
    var checkLimits = CheckLimits()
    /// The user to whom root gives the store's file when it is created; nil: it stays root's.
    var newFileOwner: FileTrust.Owner?
    /// Nil: the content is not copied, so that its owner does not matter.
    var copy: Copy?
    /// True if the content of another store is copied into this one, so that the file's owner must not be anybody else.
    var receivesCopy = false
    /// True if root may give up its rights for good when the store is salvaged or restored; see `OwnerRights`.
    var givesUpRights = false
    /// The free bytes of the disk, set by tests; nil to ask the system.
    var assumedFreeSpace: Int64?

    public init(
      busyTimeout: Int32 = 20_000,
      maximumPages: Int? = nil,
      newFileOwner: FileTrust.Owner? = nil,
      copy: Copy? = nil,
      receivesCopy: Bool = false,
      givesUpRights: Bool = false
    ) {
      self.givesUpRights = givesUpRights
      self.newFileOwner = newFileOwner
      self.copy = copy
      self.receivesCopy = receivesCopy
      self.busyTimeout = busyTimeout
      self.maximumPages = maximumPages
    }
  }

  public let path: String
  let options: Options
  private let writer: Writer
  private let idleReaders = Mutex<[Connection]>([])
  private let notice: @Sendable (String) -> Void
  private let turns: TaskTurns?
  private let watched = Mutex(Watched())

  /// The state of the opened file, to detect that it was replaced.
  struct Watched: Sendable {
    var isPrepared = false
    var file: FileIdentity?
    var restored: Int64?
    /// The stamp of the files when they were found intact last.
    var stamp: FileStamp?
    /// Shared by all connections of the store since it was opened.
    var content = KnownMark()
  }

  /// A store at `path`; the file and its directories are created on first use. It is read in `turns`; nil: by the tasks that
  /// ask. `notice` receives a message when a leftover file was set aside. Throws `unreadable` for an empty path; all other
  /// errors occur on first use.
  public init(
    path: String,
    options: Options = Options(),
    turns: TaskTurns? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreError) {
    guard !path.isEmpty else {
      throw StoreError(code: .unreadable, message: "the store has no path; name a file with --db")
    }
    self.path = path
    self.options = options
    self.turns = turns
    self.notice = notice
    writer = Writer(path: path, options: options)
  }

  /// True if the path has no file or an empty one. The first use then makes a store there.
  ///
  /// Throws `unreadable` if files of a former store lie beside it: an empty store would hide that the former one was deleted,
  /// or is on a volume that is not mounted.
  package static func isMissing(_ path: String) throws(StoreError) -> Bool {
    var status = stat()
    guard
      stat(path, &status) != 0 ? errno == ENOENT : status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    else { return false }
    // A process that was killed before it made the store has written nothing into them.
    let left = [".media", ".claims"].map { path + $0 }.filter {
      var status = stat()
      return stat($0, &status) == 0 && status.st_size > 0
    }
    guard left.isEmpty else {
      throw StoreError(
        code: .unreadable,
        message:
          "there is no store \(path), but \(left.joined(separator: " and ")) of a former one; mount its volume, restore a "
          + "backup of it with 'newsd restore', or delete what is left of it to begin with an empty store"
      )
    }
    return true
  }

  /// Closes all connections; the next use reopens them.
  ///
  /// Closes readers first: only the last connection to close checkpoints the WAL, and a read-only one cannot. After a
  /// close without a checkpoint, the next process to open the store must read the whole WAL.
  public func close() async {
    closeIdleReaders()
    await writer.close()
    // The next use determines the file's identity and its row in the table `file` again.
    watched.withLock { $0 = Watched() }
  }

  deinit { closeIdleReaders() }

  /// Takes the rights of the user who can replace the store's files. Call before a file is replaced at a name. Returns the
  /// store at a name that this user can reach: this one, or, if only root can enter a folder above the store's, as systemd's
  /// `/var/lib/private`, one at a held name.
  func withOwnersRights() throws(StoreError) -> NewsStore {
    guard options.givesUpRights else { return self }
    let held = try StoreDirectory.heldName(ofStore: path, always: true)
    do {
      try OwnerRights.take(ofDatabase: path)
    } catch {
      throw .unsafeNames(of: path, error.reason)
    }
    guard let held, FileIdentity(path: StoreDirectory.path(ofStore: path)) == nil else { return self }
    return try NewsStore(path: held, options: Options(busyTimeout: options.busyTimeout), notice: notice)
  }

  /// Returns the text with the store's path in place of a held name.
  func shown(_ text: String, at place: NewsStore) -> String {
    text.replacing(scalarsOf: place.path, with: path)
  }

  func closeIdleReaders() {
    idleReaders.withLock { $0.removeAll() }
  }

  /// Closes the idle readers except the last one used. Frees the pages that this reader and the writer have cached; the next
  /// transaction reads them again.
  public func freeMemory() async {
    idleReaders.withLock { idle in
      idle.removeFirst(max(0, idle.count - 1))
      idle.last?.freeCachedPages()
    }
    await writer.freeCachedPages()
  }

  // MARK: Access

  /// Runs `body` with a read-only connection, in one snapshot. A cancelled task has one second left; then
  /// `read` throws.
  func read<Result: Sendable>(
    _ body: (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    guard let turns else { return try await readAtOnce(body) }
    return try await withTaskExecutorPreference(turns) { () async throws(StoreError) in
      try await readAtOnce(body)
    }
  }

  private func readAtOnce<Result: Sendable>(
    _ body: (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let connection = try await takeReader()
    let running = RunningRead(connection)
    let read = await withTaskCancellationHandler {
      Swift.Result { () throws(StoreError) in
        try connection.snapshot { () throws(StoreError) in try body(connection) }
      }
    } onCancel: {
      running.endSoon()
    }
    running.end()
    // Do not reuse a connection after an error.
    let result = try read.get()
    release(connection)
    return result
  }

  /// Runs `body` in one write transaction.
  package func transaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try prepareFile()
    return try await writer.perform(watchedFile, body)
  }

  /// Runs `body` with the writing connection, outside a transaction.
  func maintain<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try prepareFile()
    return try await writer.maintain(watchedFile, body)
  }

  func takeReader() async throws(StoreError) -> Connection {
    if let idle = idleReaders.withLock({ $0.popLast() }) { return idle }
    try prepareFile()
    if access(path, F_OK) != 0 { try await prepareWriter() }
    let connection = try openReader()
    if try connection.schemaState() != .current { try await prepareWriter() }
    return connection
  }

  private func openReader() throws(StoreError) -> Connection {
    let access: Connection.Access = ReadOnlyFile.isImmutable(path) ? .immutable : .reading
    let known = watchedFile.content
    let connection = try Connection(
      path: path,
      access: access,
      busyTimeout: options.busyTimeout,
      known: known
    )
    if let copy = options.copy { try connection.refuseOwner(besides: copy.owner, to: copy.target) }
    try refuseForeignDefinitions(connection)
    guard access == .immutable else { return connection }
    // A process with write access may have started writing between the check and the opening.
    return ReadOnlyFile.isImmutable(path)
      ? connection
      : try Connection(path: path, access: .reading, busyTimeout: options.busyTimeout, known: known)
  }

  private func prepareWriter() async throws(StoreError) {
    try await writer.prepare(watchedFile)
    try prepareFile()
  }

  /// Checks which file is used. Before the first use, sets aside a leftover WAL of another file and records the file's
  /// identity. Later, throws `replaced` if the path leads to another file, because pages of the two files must not be
  /// mixed, or to none: what is written into a deleted file is lost, and a new one would look like an empty store.
  func prepareFile() throws(StoreError) {
    let (isPrepared, known) = watched.withLock { ($0.isPrepared, $0.file) }
    let found = FileIdentity(path: path)
    if let known, found != known, found != nil || errno == ENOENT {
      let event = found == nil ? "deleted; put it back" : "replaced by another; try again to use the new file"
      throw StoreError(code: .replaced, message: "the file of the store \(path) was \(event)")
    }
    if !isPrepared, let line = try ForeignWAL.renameIfForeign(besides: path) { notice(line) }
    if !isPrepared, found != nil { endInterruptedTransaction() }
    watched.withLock { watched in
      watched.isPrepared = true
      watched.file = known ?? found
    }
  }

  /// Rolls back the transaction of a killed process in a store without a write-ahead log, such as a restored one. A connection
  /// that may not write cannot, and could not read the store.
  private func endInterruptedTransaction() {
    guard access(path + "-journal", F_OK) == 0,
      let connection = try? Connection(path: path, access: .writing, busyTimeout: options.busyTimeout)
    else { return }
    _ = try? connection.number("SELECT count(*) FROM sqlite_schema")
  }

  /// The free bytes of the disk; nil if unknown.
  var freeSpace: Int64? { options.assumedFreeSpace ?? FreeSpace.bytes(besides: path) }

  /// The recorded identity and content of the opened file.
  var watchedFile: Watched { watched.withLock { $0 } }

  func watch(restored: Int64?) { watched.withLock { $0.restored = restored } }

  func watch(stamp: FileStamp?) { watched.withLock { $0.stamp = stamp } }

  func release(_ connection: Connection) {
    idleReaders.withLock { idle in
      if idle.count < 4 { idle.append(connection) }
    }
  }
}

/// A read that ends early if its task is cancelled.
private final class RunningRead: Sendable {
  private let connection: Mutex<Connection?>

  init(_ connection: Connection) { self.connection = Mutex(connection) }

  /// Notes that the read has ended.
  func end() { connection.withLock { $0 = nil } }

  /// Interrupts the statements of the read, unless it ends within a second: most do, and may end work that is to be kept.
  func endSoon() {
    Task {
      repeat { try? await Task.sleep(for: .seconds(1)) } while connection.withLock({ $0?.interrupt() }) != nil
    }
  }
}

/// Limits of the portions in which `check` reads a store.
struct CheckLimits: Hashable, Sendable {
  /// Maximum size of a file that is checked in one piece, in bytes.
  var fileBytes: Int64 = 32 << 20
  /// Maximum number of rows of a table that is checked in one piece.
  var tableRows = 10_000
  /// Maximum number of rows that are read per snapshot.
  var portion = 10_000
  /// Maximum time for reading a portion, in milliseconds: rows may have several megabytes.
  var portionMilliseconds: Int64 = 300
}

/// Owns the connection of `write` and `maintain`.
private actor Writer {
  /// On a thread of its own, long transactions delay no other task, and their memory is in another arena of malloc than
  /// that of parsed feeds.
  private let thread = ActorThread()
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let path: String
  private let options: NewsStore.Options
  private var opened: (connection: Connection, checkpointer: WALCheckpointer)?

  init(path: String, options: NewsStore.Options) {
    self.path = path
    self.options = options
  }

  func close() async {
    await opened?.checkpointer.close()
    opened = nil
  }

  func freeCachedPages() { opened?.connection.freeCachedPages() }

  /// Creates the store if it is missing.
  func prepare(_ file: NewsStore.Watched) throws(StoreError) {
    _ = try open(file)
  }

  func perform<Result: Sendable>(
    _ file: NewsStore.Watched,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let (connection, checkpointer) = try open(file)
    guard !connection.wasOverwritten() else { throw .overwritten(path) }
    checkpointer.checkpointIfNeeded(before: connection)
    let result: Result
    do {
      result = try connection.transaction { () throws(StoreError) in
        // A newer newsd may have changed the layout since the last transaction.
        _ = try connection.schemaState()
        let before = connection.changes
        let result = try body(connection)
        if connection.changes != before {
          try connection.noteChangeTime()
          try connection.countCommit()
        }
        return result
      }
    } catch {
      if error.code == .full { checkpointer.truncateLog(connection) }
      throw error
    }
    checkpointer.committed(pages: connection.walPages)
    return result
  }

  func maintain<Result: Sendable>(
    _ file: NewsStore.Watched,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let connection = try open(file).connection
    guard !connection.wasOverwritten() else { throw .overwritten(path) }
    return try body(connection)
  }

  private func open(_ file: NewsStore.Watched) throws(StoreError) -> (
    connection: Connection, checkpointer: WALCheckpointer
  ) {
    if let opened { return opened }
    let known = file.content
    _ = try NewsStore.isMissing(path)
    if file.file == nil, access(path, F_OK) != 0 { try makeDirectory() }
    let connection = try Connection(
      path: path,
      // A file that was there may have been deleted since: a new one would look like an empty store.
      access: file.file == nil ? .creating : .writing,
      busyTimeout: options.busyTimeout,
      newFileOwner: options.newFileOwner,
      known: known
    )
    if options.receivesCopy { try connection.refuseReceiver(besides: options.newFileOwner) }
    switch try connection.schemaState() {
    case .current:
      // A backup is a single file without a WAL. Switch a restored backup to WAL, so that readers never wait for
      // writers.
      if try connection.text("PRAGMA journal_mode") != "wal" { try enterWAL(connection) }
    case .empty:
      // Set the page size before the first write: it cannot change later.
      try connection.execute("PRAGMA page_size = 8192")
      try enterWAL(connection)
      try Schema.create(connection)
    }
    // With synchronous=NORMAL in WAL mode, commits survive a crash of the process. A power failure may lose the last
    // commits, but never leaves half of one.
    try connection.execute(
      "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(WALCheckpointer.maximumBytes)"
    )
    // Use a cache of 16 MiB: a larger one is hardly faster, and the daemon would hold the memory for months. Readers
    // keep SQLite's default of 2 MiB.
    try connection.execute("PRAGMA cache_size = -16384")
    connection.countWALPages()
    if let pages = options.maximumPages { try connection.execute("PRAGMA max_page_count = \(pages)") }
    if let id = try connection.text("SELECT id FROM file") { known.begin(id: id) }
    try Schema.addLaterTables(connection)
    let checkpointer = WALCheckpointer(path: path, known: known) { [path, options] in
      options.assumedFreeSpace ?? FreeSpace.bytes(besides: path)
    }
    opened = (connection, checkpointer)
    return (connection, checkpointer)
  }

  /// Switches the store to WAL mode. Retries by itself, because SQLite does not call the busy handler here, and another
  /// process may be switching the mode too.
  private func enterWAL(_ connection: Connection) throws(StoreError) {
    var attempts = options.busyTimeout / 10
    while true {
      do {
        return try connection.execute("PRAGMA journal_mode = WAL")
      } catch  where error.code == .busy && attempts > 0 {
        attempts -= 1
        usleep(10_000)
      }
    }
  }

  private func makeDirectory() throws(StoreError) {
    var end = path.utf8.startIndex
    while let slash = path.utf8[end...].firstIndex(of: UInt8(ascii: "/")) {
      end = path.utf8.index(after: slash)
      let directory = String(path[..<slash])
      guard !directory.isEmpty, mkdir(directory, 0o700) != 0, errno != EEXIST else { continue }
      let reason = errno
      var status = stat()
      // For an existing directory, mkdir may fail with an error other than EEXIST.
      if stat(directory, &status) == 0 { continue }
      throw StoreError(
        code: .unreadable,
        message:
          "cannot create the directory \(directory) for the store: \(SystemError(code: reason).reason). "
          + "Name another file with --db"
      )
    }
  }
}
