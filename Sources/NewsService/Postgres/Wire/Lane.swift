import Glibc
import NewsCore
import NewsToolbox

/// One connection with the thread on which its calls block.
actor Lane {
  /// How a lane uses its connection.
  enum Role { case reading, writing }

  private let uri: StoreURI
  private let role: Role
  private let thread = ActorThread()
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ uri: StoreURI, _ role: Role) {
    self.uri = uri
    self.role = role
  }

  func close() { connection = nil }

  /// Number of round trips of the connection; 0 without a connection.
  var roundTrips: Int { connection?.roundTrips ?? 0 }

  /// Maximum number of attempts of a transaction.
  private static let attempts = 4

  /// When a writing transaction locks the store.
  enum Locking {
    /// Before everything else.
    case first
    /// In the body. A repeated transaction, and the first one of a connection, lock it before everything
    /// else.
    case late
  }

  /// Runs `body` in one transaction. Repeats the transaction after a conflict with another one, or if the connection
  /// broke. `body` may therefore run several times, and must change nothing but the store.
  func transaction<Result: Sendable>(
    isRepeatable: Bool = true,
    locking: Locking = .first,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var pause: UInt32 = 20_000
    for attempt in 1... {
      let outcome = try attemptTransaction(
        body,
        locking: attempt == 1 ? locking : .first,
        isLast: !isRepeatable || attempt >= Self.attempts
      )
      if let outcome { return outcome }
      usleep(pause)
      pause *= 3
    }
    throw StoreError(code: .busy, message: "the store \(uri.redacted) does not answer")
  }

  /// Returns nil if the transaction must be repeated.
  private func attemptTransaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result,
    locking: Locking,
    isLast: Bool
  ) throws(StoreError) -> Result? {
    let isFresh = connection == nil
    let connection = try open()
    connection.reset()
    let result: Result
    do throws(StoreError) {
      let mustCompare = !connection.knowsIncarnation
      switch (role, mustCompare ? .first : locking) {
      case (.reading, _): try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      case (.writing, .first):
        try connection.begin()
        try Layout.lock(connection)
        if mustCompare { try Layout.noteIncarnation(connection) }
      case (.writing, .late): try connection.begin()
      }
      result = try body(connection)
    } catch {
      let cause = connection.lastError
      rollBack(connection)
      guard !isLast, let cause, cause.isConflict || cause.isDisconnection && !isFresh else { throw error }
      return nil
    }
    return try commit(result, connection, isLast: isLast)
  }

  private func rollBack(_ connection: Connection) {
    connection.reset()
    if connection.isAlive { try? connection.execute("ROLLBACK") } else { self.connection = nil }
  }

  /// Sends COMMIT together with the statements that were posted last.
  private func commit<Result: Sendable>(
    _ result: Result,
    _ connection: Connection,
    isLast: Bool
  ) throws(StoreError) -> Result? {
    do throws(StoreError) {
      var statements = [Statement("COMMIT")]
      if role == .writing { statements.insert(Statement(Announcement.announcing(connection, uri)), at: 0) }
      _ = try connection.run(statements)
      if role == .writing { connection.knowsIncarnation = true }
      return result
    } catch {
      let (cause, transaction) = (connection.lastError, connection.transaction)
      let isAlive = connection.isAlive
      rollBack(connection)
      guard !isAlive else {
        if cause?.isConflict == true, !isLast { return nil }
        throw error
      }
      // A reading transaction changed nothing. The COMMIT of a writing one may have reached the server, so ask.
      guard let transaction else { return result }
      if try wasCommitted(transaction) { return result }
      if isLast { throw error }
      return nil
    }
  }

  /// After a COMMIT without an answer, asks on a new connection whether the transaction was committed.
  private func wasCommitted(_ transaction: Int64) throws(StoreError) -> Bool {
    for _ in 0..<200 {
      let status = try open().query("SELECT pg_xact_status($1::text::xid8)", String(transaction)).first?
        .string(0)
      if status != "in progress" { return status == "committed" }
      usleep(50_000)
    }
    throw StoreError(
      code: .busy,
      message:
        "the server of the store \(uri.redacted) has not finished a transaction; it may still store the change"
    )
  }

  /// Runs `body` once: as one transaction if `isTransaction` is true, otherwise each statement as its own.
  func perform<Result: Sendable>(
    isTransaction: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let connection = try open()
    connection.reset()
    do throws(StoreError) {
      if isTransaction { try connection.begin() }
      let result = try body(connection)
      if isTransaction { try connection.post("COMMIT") }
      try connection.sendPosted()
      return result
    } catch {
      if isTransaction {
        rollBack(connection)
      } else {
        connection.reset()
        if !connection.isAlive { self.connection = nil }
      }
      throw error
    }
  }

  /// Settings of writing connections, against defaults of the role or the database.
  ///
  /// A process that is stopped within a transaction, or whose machine is unreachable, keeps its locks until the server
  /// ends its session. The server does so after 30 seconds; by its own defaults, it would wait for hours.
  private static let writing = [
    "idle_in_transaction_session_timeout": "30s", "tcp_user_timeout": "30s", "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
    // A transaction that stores a large document may take longer than an administrator expects of a statement.
    "statement_timeout": "0", "default_transaction_read_only": "off",
  ]

  private func open() throws(StoreError) -> Connection {
    if let connection, connection.isAlive { return connection }
    var settings = ["jit": "off", "lock_timeout": "20s"]
    switch role {
    case .writing:
      settings.merge(Self.writing) { $1 }
    case .reading:
      settings["enable_seqscan"] = "off"
      settings["plan_cache_mode"] = "force_custom_plan"
      settings["max_parallel_workers_per_gather"] = "0"
      settings["work_mem"] = "32MB"
    }
    let opened = try Connection(uri, settings: settings)
    connection = opened
    return opened
  }
}
