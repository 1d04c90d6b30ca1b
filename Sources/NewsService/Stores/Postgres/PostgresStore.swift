package import NewsCore
import Synchronization

/// A store on PostgreSQL: subscriptions, items, state and search on a server that several machines can use.
/// It behaves like the SQLite store, but leaves repairing, restoring and compacting to the server's tools.
///
/// Connections are opened on first use. Reads run in snapshots on several connections. The transactions of
/// `write` use one connection of this process, one at a time, and wait for those of other processes. Leases
/// and slots of sites are written on a connection of their own.
package final class PostgresStore: Sendable {
  let uri: StoreURI
  private let writer: Lane
  private let readers: [Lane]
  private let mustExist: Bool
  private let leases: Lane
  /// This process as a node of the store.
  public let node: NodeLease
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
    /// Number of reads in progress for each reader.
    var load: [Int]
    init() { load = Array(repeating: 0, count: PostgresStore.readerCount) }
  }

  private static let readerCount = 3

  /// - Parameters:
  ///   - uri: The address of the store.
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
    listener = ChangeListener(uri, waking)
    wakeTiming = waking
    writer = Lane(uri, .writing)
    leases = Lane(uri, .writing)
    node = NodeLease(leases, name: name, version: version, timing: timing, clock: clock)
    sites = SitePlaces(node, now: now)
    readers = (0..<Self.readerCount).map { _ in Lane(uri, .reading) }
  }

  /// The address without passwords.
  public var name: String { uri.redacted }

  /// Closes all connections and releases the node's lease. The next use opens the connections again, except
  /// the connection that listens for changes. The lease is not renewed, so no feed can be claimed any more.
  public func close() async {
    listener.stop()
    for reader in readers { await reader.close() }
    await node.close()
    await leases.close()
    await writer.close()
  }

  /// Runs `body` in one snapshot.
  package func snapshot<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await prepare()
    if let refusal = state.withLock({ $0.isUnfinished ? $0.refusal : nil }) { throw refusal }
    let place = state.withLock { state in
      let place = state.load.indices.min { state.load[$0] < state.load[$1] } ?? 0
      state.load[place] += 1
      return place
    }
    defer { state.withLock { $0.load[place] -= 1 } }
    return try await readers[place].transaction(body)
  }

  /// See `ItemIDs`.
  package func settledID() async throws(StoreError) -> Int64? {
    try await prepare()
    return try await readers[0].perform { (connection) throws(StoreError) in
      try connection.run([ItemIDs.settled])[0].first?.int64(0) ?? 0
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
    return try await writer.transaction(isRepeatable: isRepeatable, locking: locking, body)
  }

  /// Runs `body` on the writing connection without locking the store; see `Lane.perform`.
  func maintain<Result: Sendable>(
    isTransaction: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await prepare()
    return try await writer.perform(isTransaction: isTransaction, body)
  }

  /// Runs `body` on the writing connection, without checking the store before.
  func unprepared<Result: Sendable>(
    isTransaction: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await writer.perform(isTransaction: isTransaction, body)
  }

  /// Creates the missing tables on first use.
  private func prepare() async throws(StoreError) {
    guard !state.withLock({ $0.isPrepared }) else { return }
    let found = try await writer.perform { [uri] (connection) throws(StoreError) in
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
      try await writer.perform(isTransaction: true) { [uri] (connection) throws(StoreError) in
        try Layout.complete(uri, connection)
      }
    }
    let isUnfinished =
      found == .complete
      ? try await writer.perform { (connection) throws(StoreError) in try StoreImport.isUnfinished(connection)
      }
      : false
    // A store that cannot be used is examined again with the next use.
    state.withLock {
      $0.isUnfinished = isUnfinished
      $0.refusal = isUnfinished ? unfinished : found == .missing ? LaterTables.refusal(uri) : nil
      $0.isPrepared = $0.refusal == nil
    }
  }

  /// Examines the store again with its next use.
  func reexamine() { state.withLock { $0.isPrepared = false } }

  private var unfinished: StoreError {
    StoreError(
      code: .unreadable,
      message:
        "the store \(uri.redacted) is unfinished, because 'newsd copy' or 'newsd import' was interrupted. Run the same "
        + "command again, which continues, or remove the schema \(uri.schema)"
    )
  }

  /// Number of round trips of the writing connection, for tests.
  package func roundTrips() async -> Int { await writer.roundTrips }

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
