import Glibc
import NewsCore

/// One connection with the thread on which its calls block.
actor Lane {
  /// How a lane uses its connection.
  enum Role { case reading, writing }

  private let uri: StoreURI
  private let role: Role
  private let thread = ConnectionThread()
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ uri: StoreURI, _ role: Role) {
    self.uri = uri
    self.role = role
  }

  func close() { connection = nil }

  /// Maximum number of attempts of a transaction.
  private static let attempts = 4

  /// Runs `body` in one transaction. Repeats it if it lost against another transaction or the connection
  /// broke: `body` must change nothing but the store.
  func transaction<Result: Sendable>(
    isRepeatable: Bool = true,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var pause: UInt32 = 20_000
    for attempt in 1... {
      let outcome = try attemptTransaction(body, isLast: !isRepeatable || attempt >= Self.attempts)
      if let outcome { return outcome }
      usleep(pause)
      pause *= 3
    }
    throw StoreError(code: .busy, message: "the store \(uri.redacted) does not answer")
  }

  /// Returns nil if the transaction must be repeated.
  private func attemptTransaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result,
    isLast: Bool
  ) throws(StoreError) -> Result? {
    let isFresh = connection == nil
    let connection = try open()
    connection.forgetError()
    let result: Result
    var transaction: Int64?
    do throws(StoreError) {
      switch role {
      case .reading: try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      case .writing:
        try connection.execute("BEGIN")
        transaction = try Layout.lock(connection)
      }
      result = try body(connection)
    } catch {
      let cause = connection.lastError
      if connection.isAlive { try? connection.execute("ROLLBACK") } else { self.connection = nil }
      guard !isLast, let cause, cause.isConflict || cause.isDisconnection && !isFresh else { throw error }
      return nil
    }
    return try commit(result, transaction, connection, isLast: isLast)
  }

  private func commit<Result: Sendable>(
    _ result: Result,
    _ transaction: Int64?,
    _ connection: Connection,
    isLast: Bool
  ) throws(StoreError) -> Result? {
    do throws(StoreError) {
      try connection.execute("COMMIT")
      return result
    } catch {
      guard !connection.isAlive else {
        if connection.lastError?.isConflict == true, !isLast { return nil }
        throw error
      }
      self.connection = nil
      // A reader changed nothing. A writer's COMMIT may have reached the server: ask.
      guard let transaction else { return result }
      return try wasCommitted(transaction) ? result : nil
    }
  }

  /// Asks on a new connection whether a transaction was committed whose COMMIT got no answer.
  private func wasCommitted(_ transaction: Int64) throws(StoreError) -> Bool {
    for _ in 0..<200 {
      let status = try open().query("SELECT pg_xact_status($1::text::xid8)", String(transaction)).first?
        .string(0)
      if status != "in progress" { return status == "committed" }
      usleep(50_000)
    }
    throw StoreError(
      code: .busy,
      message: "the store \(uri.redacted) does not say whether a change was stored"
    )
  }

  /// Runs `body` outside a transaction.
  func perform<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let connection = try open()
    do {
      return try body(connection)
    } catch {
      if !connection.isAlive { self.connection = nil }
      throw error
    }
  }

  private func open() throws(StoreError) -> Connection {
    if let connection, connection.isAlive { return connection }
    var settings = ["jit": "off", "lock_timeout": "'20s'"]
    if role == .reading {
      settings["enable_seqscan"] = "off"
      settings["plan_cache_mode"] = "force_custom_plan"
      settings["max_parallel_workers_per_gather"] = "0"
      settings["work_mem"] = "'32MB'"
    }
    let opened = try Connection(uri, settings: settings)
    connection = opened
    return opened
  }
}
