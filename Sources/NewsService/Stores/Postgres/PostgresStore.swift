package import NewsCore
import Synchronization

/// A store on PostgreSQL: subscriptions, items, state and search on a server that several machines can use.
/// It behaves like the SQLite store, but leaves repairing, restoring and compacting to the server's tools.
///
/// Connections are opened on first use. Reads run in snapshots on several connections. The transactions of
/// `write` use one connection of this process, one at a time, and wait for those of other processes. Leases
/// and slots of sites are written on a connection of their own. Several stores on a server can share the connections.
package final class PostgresStore: Sendable {
  let uri: StoreURI
  private let pool: ConnectionPool
  /// True: the pool is closed with the store.
  private let ownsPool: Bool
  private let mustExist: Bool
  /// The lease of this process, as a node of the store or of several stores.
  public let node: NodeLease
  /// What this process has claimed in the store.
  public let claims: NodeClaims
  /// The limits of sites, shared with the other processes.
  public let sites: SitePlaces
  let listener: ChangeListener
  /// Number of lines that an import commits at once.
  let linesPerCommit: Int
  let wakeTiming: WakeTiming
  let outboxFloors = OutboxFloors()
  /// Writes the content of a store to a new file.
  let writeBackup: @Sendable (any StoreExporting, String) async throws(StoreError) -> Void
  private let state = Mutex(State())

  private struct State {
    var isPrepared = false
    /// Why the store cannot be written.
    var refusal: StoreError?
    /// True if an import was interrupted: the store cannot be read either.
    var isUnfinished = false
  }

  /// - Parameters:
  ///   - uri: The address of the store.
  ///   - pool: The connections that stores on the server share; nil: the store has its own.
  ///   - lease: The lease that stores on the server share; nil: the store has its own.
  ///   - mustExist: True: a missing store is an error; false: its tables are created on first use.
  ///   - name: The name of this process in the list of nodes.
  ///   - version: The version of newsd, for the list of nodes.
  ///   - timing: The duration of leases and the time between heartbeats.
  ///   - waking: When waiting readers check the store.
  ///   - clock: The process's clock; it is compared with the server's when the process joins, and with each heartbeat.
  ///   - now: The clock that limits how long a permission to send a request may be used.
  ///   - linesPerCommit: Number of lines that an import commits at once.
  ///   - writeBackup: Writes the content of a store to a new file; see `backup`.
  public init(
    _ uri: StoreURI,
    pool: ConnectionPool? = nil,
    lease: NodeLease? = nil,
    mustExist: Bool = false,
    node name: String = "newsd",
    version: String = "",
    timing: NodeLease.Timing = NodeLease.Timing(),
    waking: WakeTiming = WakeTiming(),
    clock: NodeClock? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    linesPerCommit: Int = 20_000,
    writeBackup: @escaping @Sendable (any StoreExporting, String) async throws(StoreError) -> Void
  ) {
    self.uri = uri
    self.writeBackup = writeBackup
    self.mustExist = mustExist
    self.linesPerCommit = linesPerCommit
    ownsPool = pool == nil
    let pool = pool ?? ConnectionPool(uri, .single, waking: waking)
    self.pool = pool
    listener = ChangeListener(uri, pool.listening)
    wakeTiming = waking
    let lanes = pool.leases(of: uri)
    node =
      lease
      ?? NodeLease(
        uri,
        lanes,
        quick: pool.quick,
        name: name,
        version: version,
        timing: timing,
        clock: clock
      )
    claims = NodeClaims(node, uri, lanes) { pool.writeWaits(of: uri) }
    sites = SitePlaces(claims, now: now)
  }

  /// The address without passwords.
  public var name: String { uri.redacted }

  /// Closes all connections and releases the node's lease, unless stores share them. The next use opens the connections
  /// again, except the connection that listens for changes. The lease is not renewed, so no feed can be claimed any more.
  public func close() async {
    listener.stop()
    await claims.close()
    if !claims.isGuest { await node.close() }
    if ownsPool { await pool.close() }
  }

  /// Runs `body` in one snapshot.
  package func snapshot<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await snapshot(isShort: false, body)
  }

  package func shortSnapshot<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await snapshot(isShort: true, body)
  }

  private func snapshot<Result: Sendable>(
    isShort: Bool,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await prepare()
    if let refusal = state.withLock({ $0.isUnfinished ? $0.refusal : nil }) { throw refusal }
    return try await pool.read(uri, isShort: isShort) { (lane) async throws(StoreError) in
      try await lane.transaction(on: uri, body)
    }
  }

  /// Opens a connection of its own with a snapshot; see `Lane.beginSnapshot`.
  func openSnapshot() async throws(StoreError) -> Lane {
    // Examines the store.
    _ = try await snapshot { (_) throws(StoreError) in true }
    let lane = Lane(.reading)
    try await lane.beginSnapshot(of: uri)
    return lane
  }

  /// See `ItemIDs`.
  package func settledID() async throws(StoreError) -> Int64? {
    try await prepare()
    return try await pool.read(uri) { (lane) async throws(StoreError) in
      try await lane.perform(on: uri) { (connection) throws(StoreError) in
        try connection.run([ItemIDs.settled])[0].first?.int64(0) ?? 0
      }
    }
  }

  /// Runs `body` in one write transaction, during which no other process writes to the store. `body` may run
  /// again if the connection breaks.
  ///
  /// `isRepeatable` is false for a body that cannot run twice because it consumes its input. With `locking: .late`,
  /// other processes can write until `body` locks the store.
  func write<Result: Sendable>(
    isRepeatable: Bool = true,
    locking: Lane.Locking = .first,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await prepare()
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    return try await pool.write(uri) { (lane) async throws(StoreError) in
      try await lane.transaction(on: uri, isRepeatable: isRepeatable, locking: locking, body)
    }
  }

  /// Runs `body` on the writing connection without locking the store; see `Lane.perform`.
  func maintain<Result: Sendable>(
    isTransaction: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await prepare()
    return try await unprepared(isTransaction: isTransaction, body)
  }

  /// Runs `body` on the writing connection, without checking the store before.
  func unprepared<Result: Sendable>(
    isTransaction: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await pool.write(uri) { (lane) async throws(StoreError) in
      try await lane.perform(on: uri, isTransaction: isTransaction, body)
    }
  }

  /// Creates the missing tables, as the first use does.
  package func open() async throws(StoreError) { try await prepare() }

  /// Creates the missing tables on first use.
  private func prepare() async throws(StoreError) {
    guard !state.withLock({ $0.isPrepared }) else { return }
    let found = try await unprepared { [uri] (connection) throws(StoreError) in
      try Layout.isPresent(uri, connection) ? try LaterTables.state(connection) : nil
    }
    guard found != nil || !mustExist else {
      throw StoreError(
        code: .missing,
        message:
          "there is no newsd store in \(uri.redacted). Create one with 'newsd feeds add URL', "
          + "or name another with --db"
      )
    }
    if found == nil || found == .creatable {
      try await unprepared(isTransaction: true) { [uri] (connection) throws(StoreError) in
        try Layout.complete(uri, connection)
      }
    }
    let isUnfinished =
      found == .complete
      ? try await unprepared { (connection) throws(StoreError) in try StoreImport.isUnfinished(connection) }
      : false
    // A store that cannot be used is examined again with the next use.
    state.withLock {
      $0.isUnfinished = isUnfinished
      $0.refusal = isUnfinished ? unfinished : found == .missing ? LaterTables.refusal(uri) : nil
      $0.isPrepared = $0.refusal == nil
    }
  }

  /// Examines the store again with its next use.
  package func reexamine() { state.withLock { $0.isPrepared = false } }

  private var unfinished: StoreError {
    StoreError(
      code: .unreadable,
      message:
        "the store \(uri.redacted) is unfinished, because 'newsd copy' or 'newsd import' was interrupted. Run the same "
        + "command again, which continues, or remove the schema \(uri.schema)"
    )
  }

  /// A number that changes when a process announces a change of the store; nil: the server does not pass them on.
  package var announcements: Int? { listener.announcements }

  /// Number of round trips of the writing connection, for tests.
  package func roundTrips() async -> Int { await pool.roundTrips() }

  /// The first value of a statement's result, for tests.
  package func firstText(_ sql: String) async throws(StoreError) -> String? {
    try await maintain { (connection) throws(StoreError) in
      guard sql.hasPrefix("SELECT") else {
        try connection.execute(sql)
        return nil
      }
      return try connection.query("SELECT v::text FROM (\(sql)) AS q(v)").first?.optionalString(0)
    }
  }
}
