import NewsStoresShared
import CPQ
import Glibc
import NewsCore
import NewsToolbox
import Synchronization

/// One connection to a server. It is used by one thread.
package final class Connection {
  /// The name of the store in messages.
  package private(set) var name: String
  /// The schema of the store, in which tables without a schema are found.
  private var schema: String
  private let library: LibPQ
  private let raw: OpaquePointer
  private let answers: AnswerWait
  private let prepares: Bool
  /// True if a pooler may run each transaction in another session, so that every transaction needs its own settings.
  let isPooled: Bool
  private var settings: [(name: String, value: String)]
  /// Names of prepared statements by their text.
  private var prepared: [String: String] = [:]
  private var preparedCount = 0
  private static let maximumPrepared = 200
  /// Posted statements, which are sent with the next one.
  private var posted: [Statement] = []
  private var postedBytes = 0
  private static let maximumPostedBytes = 8 << 20
  /// The statements whose results were not read yet; see `commitReading`.
  private var unread: (expected: [Expected], statements: [Statement])?
  /// Number of round trips, except those for opening the connection and of `execute`.
  private(set) var roundTrips = 0
  /// What this connection knows of the stores that it has worked on, by their schemas.
  private var knowledge: [String: Knowledge] = [:]

  private struct Knowledge {
    var knowsIncarnation = false
    var storeTable: Int64?
    var laterParts: Set<String> = []
  }

  /// The last measures of stores by their addresses, with what the process has sent since. All connections have them together:
  /// the transactions of a store use now this connection, now that one.
  private static let measures = Mutex<[String: (bytes: Int64, time: ContinuousClock.Instant)]>([:])
  /// How many times as large as what is sent the rows and entries of indexes may be. Too large a measure only causes a new one.
  private static let growth: Int64 = 4
  /// True if the current transaction has locked the store.
  var isStoreLocked = false
  /// The error of the last failed statement.
  private(set) var lastError: PostgresError?
  /// What the transaction in progress changes; announced to waiting readers with its COMMIT.
  var announced: StoreChangeKinds = []

  /// Throws `unreadable` if the server cannot be reached, `busy` if it has too many connections. `answers` are the waits for the
  /// server.
  init(
    _ uri: StoreURI,
    settings: [String: String],
    answers: AnswerWait = AnswerWait()
  ) throws(StoreError) {
    guard let library = LibPQ.shared else {
      throw StoreError(
        code: .unreadable,
        message:
          "cannot use the store \(uri.redacted): libpq.so.5 of PostgreSQL 14 or later is not installed "
          + "(Debian package libpq5)"
      )
    }
    self.library = library
    self.answers = answers
    name = uri.redacted
    schema = uri.schema
    prepares = uri.preparesStatements
    isPooled = uri.isPooled
    var settings = settings.merging(Self.timeouts) { own, _ in own }
    settings[Self.searchPath] = "\"\(uri.schema)\""
    // Without these, defaults of the role or the database, or the address, could change the form of values.
    settings.merge(["client_encoding": "UTF8", "datestyle": "ISO", "timezone": "UTC"]) { $1 }
    self.settings = settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    raw = try Self.open(ConnectionOptions(uri, library).list, library, uri)
    answers.attach(library.call.PQsocket(raw), to: uri.connection)
    let found = Int(library.call.PQserverVersion(raw))
    guard found >= 140_000 else {
      throw StoreError(
        code: .unreadable,
        message: "the server of the store \(name) is PostgreSQL \(found / 10_000); newsd needs 14 or later"
      )
    }
    // Settings of a pooler's session would apply to other clients.
    guard !isPooled else { return }
    // If this throws, deinit closes the connection.
    try execute(applyingSettings(toTransaction: false))
  }

  private static let searchPath = "search_path"

  /// Continues with the store of another schema on the same server.
  func enter(_ uri: StoreURI) throws(StoreError) {
    guard uri.schema != schema else { return }
    let path = "\"\(uri.schema)\""
    if !isPooled {
      // The server would parse and plan each prepared statement again for the other schema, and keep those of all schemas.
      try execute("DEALLOCATE ALL; SET \(Self.searchPath) = \(path)")
    }
    prepared = [:]
    settings = settings.map { $0.name == Self.searchPath ? ($0.name, path) : $0 }
    schema = uri.schema
    name = uri.redacted
  }

  /// Settings of every connection, against defaults of the role or the database.
  ///
  /// A process that is stopped within a transaction keeps its locks, or a snapshot that holds back vacuum, until the
  /// server ends its session; the sessions of an unreachable machine count for `max_connections` as long. The server
  /// ends them after 30 seconds; by its own defaults, it would wait for hours. A session that is idle outside a
  /// transaction holds neither, and newsd keeps a few for later, so it may be idle for any time.
  private static let timeouts = [
    "idle_in_transaction_session_timeout": "30s", "idle_session_timeout": "0", "tcp_user_timeout": "30s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
  ]

  /// True if the next statement would be the first one of a pooled transaction. Statements that are sent together
  /// outside a transaction are a transaction too.
  private var needsSettings: Bool {
    isPooled && library.call.PQtransactionStatus(raw) == newsd_pq_transaction_idle
  }

  /// SQL that applies the settings to the session or only to the current transaction.
  private func applyingSettings(toTransaction isLocal: Bool) -> String {
    let calls = settings.map { "set_config('\($0.name)', '\($0.value)', \(isLocal))" }
    return "SELECT " + calls.joined(separator: ", ")
  }

  deinit {
    answers.detach()
    library.call.PQfinish(raw)
  }

  /// True once a transaction of this connection on this store has called `Incarnation.note`.
  var knowsIncarnation: Bool {
    get { knowledge[schema]?.knowsIncarnation ?? false }
    set { knowledge[schema, default: Knowledge()].knowsIncarnation = newValue }
  }

  /// The identifier of the table `store` in this connection's last transaction on this store.
  var storeTable: Int64? {
    get { knowledge[schema]?.storeTable }
    set { knowledge[schema, default: Knowledge()].storeTable = newValue }
  }

  /// The last measure of the store, and what may have been stored since.
  var measure: (bytes: Int64, time: ContinuousClock.Instant)? {
    get { Self.measures.withLock { [name] in $0[name] } }
    set { Self.measures.withLock { [name] in $0[name] = newValue } }
  }

  private func noteSent(_ statements: [Statement]) {
    let bytes = Int64(statements.reduce(0) { $0 + $1.byteCount }) * Self.growth
    Self.measures.withLock { [name] in $0[name]?.bytes += bytes }
  }

  /// Tables of later versions that the store has; see `LaterTables`.
  var laterParts: Set<String> {
    get { knowledge[schema]?.laterParts ?? [] }
    set { knowledge[schema, default: Knowledge()].laterParts = newValue }
  }

  /// Connects with the verbose form of errors, because libpq gives no SQLSTATE for a failed connection otherwise.
  private static func open(
    _ options: [(name: String, value: String)],
    _ library: LibPQ,
    _ uri: StoreURI
  ) throws(StoreError) -> OpaquePointer {
    let started = ConnectionOptions.withPointers(options) { library.call.PQconnectStartParams($0, $1, 1) }
    guard let started else {
      throw StoreError(code: .other, message: "no memory for a connection to \(uri.redacted)")
    }
    _ = library.call.PQsetErrorVerbosity(started, newsd_pq_errors_verbose)
    // By default, libpq writes the server's notices to standard error unescaped, where they could control a terminal.
    _ = library.call.PQsetNoticeProcessor(started, { _, _ in }, nil)
    var state = newsd_pq_polling_writing
    while state == newsd_pq_polling_reading || state == newsd_pq_polling_writing,
      library.call.PQstatus(started) != 1
    {
      var descriptor = pollfd()
      descriptor.fd = library.call.PQsocket(started)
      descriptor.events = Int16(state == newsd_pq_polling_reading ? POLLIN : POLLOUT)
      // libpq does not apply connect_timeout here.
      let ready = poll(&descriptor, 1, 10_000)
      guard ready != 0 else { break }
      state = library.call.PQconnectPoll(started)
    }
    guard library.call.PQstatus(started) == newsd_pq_connection_ok else {
      let message = library.call.PQerrorMessage(started).map { String(cString: $0) } ?? ""
      library.call.PQfinish(started)
      guard !uri.isRevealed(by: message) else {
        throw StoreError(
          code: .unreadable,
          message:
            "cannot reach the store \(uri.redacted); the reason is not shown, because it may contain the password. "
            + "Check the address; in a password, write / ? @ : % as %2F %3F %40 %3A %25"
        )
      }
      throw connectionError(message).storeError(uri.redacted)
    }
    _ = library.call.PQsetErrorVerbosity(started, 1)
    return started
  }

  /// `…FATAL: 53300: too many clients` contains the SQLSTATE of a refused connection.
  private static func connectionError(_ message: String) -> PostgresError {
    guard !message.isEmpty else { return PostgresError(state: nil, message: "the server does not answer") }
    guard let mark = message.utf8Index(after: "FATAL:  ") else {
      return PostgresError(state: nil, message: message)
    }
    let rest = message[mark...]
    let code = rest.prefix(5)
    let isCode =
      code.utf8.count == 5 && code.utf8.allSatisfy { ASCII.isDigit($0) || ASCII.isUppercase($0) }
    let reason = String(rest.dropFirst(isCode ? 7 : 0))
    return PostgresError(state: isCode ? String(code) : nil, message: reason)
  }

  /// True if the connection can still be used.
  var isAlive: Bool {
    !isBroken && answers.secondsWithoutAnswer == nil && library.call.PQstatus(raw) == newsd_pq_connection_ok
  }

  /// True if results of an earlier pipeline could not be read to their end.
  private var isBroken = false

  var socket: Int32 { library.call.PQsocket(raw) }

  /// Returns the notifications that have arrived; nil: the connection is broken.
  func takeNotifications() -> [(channel: String, payload: String)]? {
    guard library.call.PQconsumeInput(raw) == 1 else { return nil }
    var found: [(channel: String, payload: String)] = []
    while let notification = library.call.PQnotifies(raw) {
      found.append((Self.text(notification.pointee.channel), Self.text(notification.pointee.payload)))
      library.call.PQfreemem(notification)
    }
    return found
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  // MARK: Statements

  /// Executes statements without parameters; several are separated by semicolons.
  func execute(_ sql: String) throws(StoreError) {
    try receiveUnread()
    try sendPosted()
    let settings = needsSettings ? applyingSettings(toTransaction: true) + "; " : ""
    let result = try check(answers.during { library.call.PQexec(raw, settings + sql) })
    library.call.PQclear(result)
  }

  /// Runs a statement and returns all its rows.
  @discardableResult
  func query(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) -> Rows {
    try query(sql, parameters: values.map(\.storeValue))
  }

  @discardableResult
  func query(_ sql: String, parameters: [StoreValue]) throws(StoreError) -> Rows {
    try receiveUnread()
    let statement = Statement(sql, parameters: parameters)
    if let name = prepared[sql], posted.isEmpty, !needsSettings {
      roundTrips += 1
      noteSent([statement])
      let result = statement.withPointers { count, values, lengths, formats in
        answers.during { library.call.PQexecPrepared(raw, name, count, values, lengths, formats, 1) }
      }
      return Rows(try check(result, of: statement), library)
    }
    guard let rows = try run([statement]).last else {
      throw StoreError(code: .other, message: "the store \(name) gave no answer")
    }
    return rows
  }

  /// Queues a statement, which is sent with the next one. Its result is discarded; its error is thrown by the next one.
  func post(_ sql: String, _ values: any StoreValueConvertible...) throws(StoreError) {
    try post(Statement(sql, parameters: values.map(\.storeValue)))
  }

  func post(_ statement: Statement) throws(StoreError) {
    posted.append(statement)
    postedBytes += statement.byteCount
    if postedBytes > Self.maximumPostedBytes { try sendPosted() }
  }

  /// Sends the posted statements and waits for them.
  func sendPosted() throws(StoreError) {
    if !posted.isEmpty { _ = try run([]) }
  }

  /// Returns an error that makes the caller repeat the transaction.
  func conflict(_ reason: String) -> StoreError {
    let error = PostgresError(state: "40001", message: reason)
    lastError = error
    return error.storeError(name)
  }

  /// Begins a transaction together with the next statement.
  func begin(_ sql: String = "BEGIN") throws(StoreError) {
    try post(sql)
    if isPooled { try post(applyingSettings(toTransaction: true)) }
  }

  /// Discards posted statements, the last error and the state of the transaction.
  func reset() {
    posted = []
    postedBytes = 0
    lastError = nil
    isStoreLocked = false
    announced = []
  }

  /// Sends the posted statements and `statements` in one round trip. Returns the rows of each of `statements`. If a
  /// statement fails, the server skips those after it.
  func run(_ statements: [Statement]) throws(StoreError) -> [Rows] {
    let first = posted.count
    var all = posted + statements
    posted = []
    postedBytes = 0
    guard let start = all.first else { return [] }
    try receiveUnread()
    // `begin` has posted the settings after BEGIN, because settings before it would prevent BEGIN from
    // choosing the isolation level.
    let isOwnTransaction = needsSettings && !start.beginsTransaction
    if isOwnTransaction { all.insert(Statement(applyingSettings(toTransaction: true)), at: 0) }
    roundTrips += 1
    noteSent(all)
    let results = try exchange(all)
    return results.dropFirst(isOwnTransaction ? first + 1 : first).map { $0 }
  }

  /// Ends a transaction that only read: sends COMMIT, and does not wait for the answer, which is read before the next
  /// statement. The server ends the transaction at once.
  func commitReading() throws(StoreError) {
    let statements = posted + [Statement("COMMIT")]
    posted = []
    postedBytes = 0
    unread = (try sendAll(statements), statements)
  }

  /// Reads the answer that `commitReading` has left.
  private func receiveUnread() throws(StoreError) {
    guard let (expected, statements) = unread else { return }
    unread = nil
    _ = try receiveAll(expected, statements)
  }

  /// Sends statements in pipeline mode, and reads all their results.
  private func exchange(_ statements: [Statement]) throws(StoreError) -> [Rows] {
    try receiveAll(try sendAll(statements), statements)
  }

  private func sendAll(_ statements: [Statement]) throws(StoreError) -> [Expected] {
    guard library.call.PQenterPipelineMode(raw) == 1 else { _ = try check(nil); return [] }
    // In blocking mode, client and server could wait for each other to read.
    _ = library.call.PQsetnonblocking(raw, 1)
    return answers.during { send(statements) }
  }

  private func receiveAll(_ expected: [Expected], _ statements: [Statement]) throws(StoreError) -> [Rows] {
    let (rows, failure) = answers.during { receive(expected, statements) }
    if library.call.PQexitPipelineMode(raw) != 1 { isBroken = true }
    _ = library.call.PQsetnonblocking(raw, 0)
    if let failure {
      lastError = failure
      throw failure.storeError(name)
    }
    guard rows.count == statements.count else { _ = try check(nil); return [] }
    return rows
  }

  /// The statement to which a result of the server belongs.
  private enum Expected {
    case preparation(String)
    case rows
  }

  private func send(_ statements: [Statement]) -> [Expected] {
    var expected: [Expected] = []
    for statement in statements {
      var name = prepared[statement.sql]
      // Limit the number: statements with literals vary, and the server keeps each one until the connection
      // ends.
      if name == nil, prepares, statement.isReusable, prepared.count < Self.maximumPrepared {
        let new = "s\(preparedCount)"
        preparedCount += 1
        guard library.call.PQsendPrepare(raw, new, statement.sql, 0, nil) == 1 else { break }
        expected.append(.preparation(statement.sql))
        prepared[statement.sql] = new
        name = new
      }
      let isSent = statement.withPointers { count, values, lengths, formats in
        if let name {
          return library.call.PQsendQueryPrepared(raw, name, count, values, lengths, formats, 1)
        }
        return library.call.PQsendQueryParams(raw, statement.sql, count, nil, values, lengths, formats, 1)
      }
      guard isSent == 1 else { break }
      expected.append(.rows)
      guard flush() else { break }
    }
    if library.call.PQpipelineSync(raw) == 1 { _ = flush() }
    return expected
  }

  /// Writes libpq's output buffer to the socket. Also reads input, because the server may stop reading until its
  /// results are read. Returns false on failure.
  private func flush() -> Bool {
    while true {
      switch library.call.PQflush(raw) {
      case 0: return true
      case 1: break
      default: return false
      }
      var descriptor = pollfd()
      descriptor.fd = library.call.PQsocket(raw)
      descriptor.events = Int16(POLLIN | POLLOUT)
      guard poll(&descriptor, 1, -1) >= 0 || errno == EINTR else { return false }
      if descriptor.revents & Int16(POLLIN) != 0, library.call.PQconsumeInput(raw) != 1 { return false }
    }
  }

  /// Reads the results up to the end of the pipeline. Returns the first error; the server skips the statements after
  /// it.
  private func receive(_ expected: [Expected], _ statements: [Statement]) -> ([Rows], PostgresError?) {
    var rows: [Rows] = []
    var failure: PostgresError?
    for expectation in expected {
      var isComplete = false
      while let result = library.call.PQgetResult(raw) {
        let status = library.call.PQresultStatus(result)
        if status == newsd_pq_command_ok || status == newsd_pq_tuples_ok {
          isComplete = true
          if case .rows = expectation {
            rows.append(Rows(result, library))
          } else {
            library.call.PQclear(result)
          }
          continue
        }
        if failure == nil, status != newsd_pq_pipeline_aborted {
          failure = postgresError(result, of: statements[rows.count])
        }
        library.call.PQclear(result)
      }
      if !isComplete, case .preparation(let sql) = expectation { prepared[sql] = nil }
    }
    while isAlive, let result = library.call.PQgetResult(raw) {
      let isEnd = library.call.PQresultStatus(result) == newsd_pq_pipeline_sync
      library.call.PQclear(result)
      if isEnd { break }
    }
    return (rows, failure)
  }

  private func check(
    _ result: OpaquePointer?,
    of statement: Statement? = nil
  ) throws(StoreError) -> OpaquePointer {
    guard let result else {
      let message = library.call.PQerrorMessage(raw).map { String(cString: $0) } ?? ""
      let error = PostgresError(state: nil, message: silence ?? message)
      lastError = error
      throw error.storeError(name)
    }
    let status = library.call.PQresultStatus(result)
    if status == newsd_pq_command_ok || status == newsd_pq_tuples_ok { return result }
    let error = postgresError(result, of: statement)
    library.call.PQclear(result)
    lastError = error
    throw error.storeError(name)
  }

  /// Says why the connection was closed by this process; nil: it was not.
  private var silence: String? {
    answers.secondsWithoutAnswer.map { "PostgreSQL has not answered for \($0) s" }
  }

  private func postgresError(_ result: OpaquePointer, of statement: Statement?) -> PostgresError {
    let state = library.call.PQresultErrorField(result, newsd_pq_sqlstate).map { String(cString: $0) }
    let message =
      library.call.PQresultErrorField(result, newsd_pq_primary_message).map { String(cString: $0) }
      ?? library.call.PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
    return PostgresError(
      state: isAlive ? state : nil,
      message: silence ?? message,
      hadParameters: statement?.parameters.isEmpty == false
    )
  }

  /// The first column of the first row as an integer; nil for NULL and without rows.
}

extension String {
  fileprivate func utf8Index(after mark: String) -> String.Index? {
    let bytes = Array(utf8)
    let wanted = Array(mark.utf8)
    guard bytes.count >= wanted.count else { return nil }
    for start in 0...(bytes.count - wanted.count)
    where bytes[start..<(start + wanted.count)].elementsEqual(wanted) {
      return utf8.index(startIndex, offsetBy: start + wanted.count)
    }
    return nil
  }
}
