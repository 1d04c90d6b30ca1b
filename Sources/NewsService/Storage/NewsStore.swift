import CSQLite
import Glibc
public import NewsCore
import Synchronization

/// The store: one SQLite file that holds subscriptions, items, their state and the full-text index.
///
/// Nothing is opened before it is needed. Reading uses connections of its own, which never wait for a writer (WAL);
/// all writing of this process goes through one connection, one transaction at a time, and waits for other processes.
public final class NewsStore: Sendable {
  /// What can be set about a store.
  public struct Options: Hashable, Sendable {
    /// How long a change waits for another process that writes, in milliseconds.
    public var patience: Int32
    /// Upper bound of the file in pages of 8 KiB; nil: the disk's.
    public var maximumPages: Int?

    public init(patience: Int32 = 20_000, maximumPages: Int? = nil) {
      self.patience = patience
      self.maximumPages = maximumPages
    }
  }

  public let path: String
  let options: Options
  private let writer: Writer
  private let idleReaders = Mutex<[Connection]>([])

  /// A store at `path`; file and directories are created when first used.
  ///
  /// - Parameters:
  ///   - path: of the SQLite file
  ///   - options: see `Options`
  /// - Throws: `unreadable` for an empty path; everything else shows at first use
  public init(path: String, options: Options = Options()) throws(StoreError) {
    guard !path.isEmpty else {
      throw StoreError(code: .unreadable, message: "the store has no path; name a file with --db")
    }
    self.path = path
    self.options = options
    writer = Writer(path: path, options: options)
  }

  /// Closes what is open; a later use opens it again.
  ///
  /// Readers first: the last connection of all writes the log back into the store, and one that only reads cannot. Who
  /// opens a store with a log that nobody holds has to read the whole log again.
  public func close() async {
    closeIdleReaders()
    await writer.close()
  }

  deinit { closeIdleReaders() }

  func closeIdleReaders() {
    idleReaders.withLock { $0.removeAll() }
  }

  // MARK: Access

  /// Runs `body` with a connection that only reads, and one view of the store.
  func read<Result: Sendable>(
    _ body: (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let connection = try await takeReader()
    let result: Result
    do {
      result = try connection.snapshot { () throws(StoreError) in try body(connection) }
    } catch {
      // A connection that failed is not used again.
      throw error
    }
    giveBack(connection)
    return result
  }

  /// Runs `body` in one write transaction.
  func write<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await writer.perform(body)
  }

  /// Runs `body` with the writing connection, outside of a transaction.
  func maintain<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await writer.maintain(body)
  }

  func takeReader() async throws(StoreError) -> Connection {
    if let idle = idleReaders.withLock({ $0.popLast() }) { return idle }
    if access(path, F_OK) != 0 { try await writer.prepare() }
    let connection = try Connection(path: path, access: .reading, patience: options.patience)
    if try Schema.state(of: connection) != .current { try await writer.prepare() }
    return connection
  }

  func giveBack(_ connection: Connection) {
    idleReaders.withLock { idle in
      if idle.count < 4 { idle.append(connection) }
    }
  }
}

/// Owns the one connection that writes.
private actor Writer {
  private let path: String
  private let options: NewsStore.Options
  private var opened: Connection?
  private let folding: LogFolding

  init(path: String, options: NewsStore.Options) {
    self.path = path
    self.options = options
    folding = LogFolding(path: path)
  }

  func close() async {
    await folding.close()
    opened = nil
  }

  /// Creates or migrates the store if that is needed.
  func prepare() throws(StoreError) {
    _ = try connection()
  }

  func perform<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let connection = try connection()
    let result = try connection.transaction { () throws(StoreError) in
      // Another process, of a later newsd, may have brought the store up to date while this one waited for it.
      _ = try Schema.state(of: connection)
      return try body(connection)
    }
    folding.committed(pages: connection.logPages, by: connection)
    return result
  }

  func maintain<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try body(try connection())
  }

  private func connection() throws(StoreError) -> Connection {
    if let opened { return opened }
    if access(path, F_OK) != 0 { try makeDirectory() }
    let connection = try Connection(path: path, access: .creating, patience: options.patience)
    switch try Schema.state(of: connection) {
    case .current:
      // A backup is one file without a log; put in the place of a store it is to let readers read while it is written.
      if try connection.text("PRAGMA journal_mode") != "wal" { try enterWAL(connection) }
    case .empty:
      // Both before anything else is written: the size of pages cannot change later.
      try connection.execute("PRAGMA page_size = 8192")
      try enterWAL(connection)
      try Schema.migrate(connection)
    case .older:
      try Schema.migrate(connection)
    }
    // In WAL mode a commit survives a crash of the process; after a loss of power the last ones may be gone, never half.
    try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864")
    // 16 MiB of pages: more is hardly faster, and the daemon would hold it for months. Readers keep SQLite's 2 MiB.
    try connection.execute("PRAGMA cache_size = -16384")
    connection.countLogPages()
    if let pages = options.maximumPages { try connection.execute("PRAGMA max_page_count = \(pages)") }
    opened = connection
    return connection
  }

  /// The change of mode does not call the busy handler, and another process may be doing the same.
  private func enterWAL(_ connection: Connection) throws(StoreError) {
    var attempts = options.patience / 10
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
      // Parents that exist may refuse: what counts is whether they are there.
      if stat(directory, &status) == 0 { continue }
      throw StoreError(
        code: .unreadable,
        message:
          "cannot create the directory \(directory) for the store: \(String(cString: strerror(reason))). "
          + "Name another file with --db"
      )
    }
  }
}
