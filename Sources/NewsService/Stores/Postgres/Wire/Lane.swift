import Glibc
import NewsCore
import NewsStoresShared
import NewsToolbox
import Synchronization

/// One connection with the thread on which its calls block. It serves all stores of a server, one at a time: calls name the
/// store.
actor Lane {
  /// How a lane uses its connection.
  enum Role {
    case reading, writing
    /// Reads little of each of several stores, or writes their claims: these must not wait long for the locks of one.
    case glancing, claiming

    var isQuick: Bool { self == .glancing || self == .claiming }
  }

  private let role: Role
  private let thread = ActorThread()
  private var connection: Connection?
  /// Of the connection that was opened last.
  private nonisolated let answers = Mutex(AnswerWait())
  /// The keys of the last transactions that this lane has committed, by the schemas of the stores.
  private var formerKeys: [String: CommitKey] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ role: Role) { self.role = role }

  func close() { connection = nil }

  /// Since when the connection waits for the server; nil: it does not.
  nonisolated var waitsSince: ContinuousClock.Instant? { answers.withLock { $0.since } }

  /// Closes the connection if it has waited for the server for so long; the next use opens another one. Returns when the wait
  /// began; nil: there is none of that length.
  nonisolated func cut(after limit: Duration) -> ContinuousClock.Instant? {
    answers.withLock { $0.cut(after: limit) }
  }

  /// Number of round trips of the connection; 0 without a connection.
  var roundTrips: Int { connection?.roundTrips ?? 0 }

  /// Maximum number of attempts of a transaction.
  fileprivate static let attempts = 4

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
    on uri: StoreURI,
    isRepeatable: Bool = true,
    locking: Locking = .first,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var course = Course<Result>(uri: uri, isRepeatable: isRepeatable, locking: locking)
    var pause: UInt32 = 20_000
    while true {
      if let result = try attemptTransaction(body, &course) { return result }
      usleep(pause)
      pause = min(pause * 3, 500_000)
    }
  }

  /// The attempts of one transaction.
  private struct Course<Result> {
    let uri: StoreURI
    let isRepeatable: Bool
    /// How the next attempt locks the store.
    var locking: Locking
    /// Every attempt of a writing transaction inserts this key.
    let key = CommitKey()
    /// Number of times that the body has run.
    var runs = 0
    /// The last attempt whose COMMIT got no answer: its result, and the error.
    var unanswered: (result: Result, error: StoreError)?
    /// Until when newsd asks whether that attempt was committed; nil once it is known.
    var deadline: ContinuousClock.Instant?

    var mayRepeat: Bool { isRepeatable && runs < Lane.attempts }

    mutating func noteNoAnswer(_ result: Result, _ error: StoreError) {
      unanswered = (result, error)
      if deadline == nil { deadline = .now + .seconds(10) }
    }
  }

  /// Returns nil if the transaction must be attempted again.
  private func attemptTransaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result,
    _ course: inout Course<Result>
  ) throws(StoreError) -> Result? {
    let isFresh = connection == nil
    let result: Result
    do throws(StoreError) {
      let connection = try open(course.uri)
      if let stored = try begin(&course, connection) {
        result = stored
      } else {
        course.runs += 1
        result = try body(connection)
      }
    } catch {
      let cause = connection?.lastError
      rollBack()
      course.locking = .first
      if let deadline = course.deadline {
        guard deadline < .now || cause?.isDisconnection == false else { return nil }
        throw unknown(error, course.uri)
      }
      guard course.mayRepeat, let cause, cause.isConflict || cause.isDisconnection && !isFresh else {
        throw error
      }
      return nil
    }
    return try commit(result, &course)
  }

  /// Begins a transaction. Returns the result of an earlier attempt if that one was committed.
  private func begin<Result>(
    _ course: inout Course<Result>,
    _ connection: Connection
  ) throws(StoreError) -> Result? {
    guard role == .writing else {
      try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      return nil
    }
    try connection.begin()
    if let unanswered = course.unanswered {
      guard try course.key.insertAgain(connection) else { return unanswered.result }
      course.deadline = nil
      guard course.mayRepeat else { throw unanswered.error }
    } else {
      try connection.post(course.key.insertion(replacing: formerKeys[course.uri.schema]))
    }
    let isFirst = !connection.knowsIncarnation
    if isFirst || course.locking == .first { try Layout.lock(connection) }
    if isFirst {
      try Incarnation.note(connection)
      try connection.post(CommitKey.cleaning)
    }
    return nil
  }

  private func rollBack() {
    guard let connection else { return }
    connection.reset()
    if connection.isAlive { try? connection.execute("ROLLBACK") } else { self.connection = nil }
  }

  /// Sends COMMIT together with the statements that were posted last. Returns nil if the transaction must be attempted
  /// again.
  private func commit<Result: Sendable>(
    _ result: Result,
    _ course: inout Course<Result>
  ) throws(StoreError) -> Result? {
    guard let connection else { return nil }
    guard role == .writing else {
      // The transaction changed nothing: its result counts even if the connection broke.
      do throws(StoreError) { try connection.commitReading() } catch { self.connection = nil }
      return result
    }
    do throws(StoreError) {
      var statements = [Statement(Announcement.announcing(connection, course.uri)), Statement("COMMIT")]
      if connection.announced.contains(.log) {
        let noting = Connection.changeTimeNoting(
          LaterTables.now,
          number: "(SELECT sequence FROM counters WHERE \(StoreCounters.isLast))"
        )
        statements.insert(Statement(noting), at: 0)
      }
      _ = try connection.run(statements)
      formerKeys[course.uri.schema] = course.key
      if course.deadline == nil { connection.knowsIncarnation = true }
      return result
    } catch {
      let cause = connection.lastError
      let isAlive = connection.isAlive
      rollBack()
      course.locking = .first
      guard !isAlive else {
        if cause?.isConflict == true, course.mayRepeat { return nil }
        throw error
      }
      // The COMMIT may have reached the server.
      course.noteNoAnswer(result, error)
      return nil
    }
  }

  private func unknown(_ error: StoreError, _ uri: StoreURI) -> StoreError {
    StoreError(
      code: .busy,
      message:
        "the answer of the server of the store \(uri.redacted) to a COMMIT was lost; the server may have stored the "
        + "change (\(error.message))"
    )
  }

  /// Runs `body` once: as one transaction if `isTransaction` is true, otherwise each statement as its own. Claims are repeated if
  /// the server has closed the connection, as when it restarts: they may run twice.
  func perform<Result: Sendable>(
    on uri: StoreURI,
    isTransaction: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let wasOpen = connection?.isAlive == true
    do throws(StoreError) {
      return try performOnce(on: uri, isTransaction: isTransaction, body)
    } catch {
      let wasLost = wasOpen && connection?.isAlive != true
      // A connection that this process has closed had no answer for long, and the next one may have none.
      guard role == .claiming, wasLost, answers.withLock({ $0.secondsWithoutAnswer == nil }) else {
        throw error
      }
      return try performOnce(on: uri, isTransaction: isTransaction, body)
    }
  }

  private func performOnce<Result: Sendable>(
    on uri: StoreURI,
    isTransaction: Bool,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let connection = try open(uri)
    do throws(StoreError) {
      if isTransaction { try connection.begin() }
      let result = try body(connection)
      if isTransaction { try connection.post("COMMIT") }
      try connection.sendPosted()
      return result
    } catch {
      if isTransaction {
        rollBack()
      } else {
        connection.reset()
        if !connection.isAlive { self.connection = nil }
      }
      throw error
    }
  }

  /// Begins a snapshot, in which `read` reads until the lane is closed.
  func beginSnapshot(of uri: StoreURI) throws(StoreError) {
    let connection = try open(uri)
    connection.reset()
    try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    // A limit of the role is for idle sessions; this one waits for what takes the rows.
    try connection.query("SET LOCAL idle_in_transaction_session_timeout = 0")
  }

  func read<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let connection, connection.isAlive else {
      throw StoreError(
        code: .busy,
        message: "the connection to the store was lost while it was read; begin again"
      )
    }
    connection.reset()
    return try body(connection)
  }

  /// Settings of writing connections, against defaults of the role or the database.
  private static let writing = [
    // A transaction that stores a large document may take longer than an administrator expects of a statement.
    "statement_timeout": "0", "default_transaction_read_only": "off",
  ]

  /// The connection, without remains of an earlier use.
  private func open(_ uri: StoreURI) throws(StoreError) -> Connection {
    if let connection, connection.isAlive {
      connection.reset()
      try connection.enter(uri)
      return connection
    }
    // The server keeps the plan of a statement. A plan made while a table was small would read all of its dead rows, as many as
    // an old transaction keeps.
    var settings = ["jit": "off", "lock_timeout": "20s", "enable_seqscan": "off"]
    switch role {
    case .writing, .claiming:
      settings.merge(Self.writing) { $1 }
    case .reading, .glancing:
      settings["plan_cache_mode"] = "force_custom_plan"
      settings["max_parallel_workers_per_gather"] = "0"
      settings["work_mem"] = "32MB"
    }
    if role.isQuick { settings["lock_timeout"] = "2s" }
    let new = AnswerWait()
    answers.withLock { $0 = new }
    let opened = try Connection(uri, settings: settings, answers: new)
    connection = opened
    return opened
  }
}
