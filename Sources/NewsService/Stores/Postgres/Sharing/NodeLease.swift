import NewsStoresShared
public import NewsCore
import Synchronization

/// The lease of one of the processes that share a store, or several stores on a server.
///
/// A claim of a feed is valid as long as its owner's lease, so one heartbeat renews all claims of a process; see `NodeClaims`.
/// All times in the store are those of the server's clock.
public final class NodeLease: Sendable {
  /// How long a lease lasts, and how often it is renewed.
  public struct Timing: Sendable {
    /// Seconds that a lease lasts after a heartbeat.
    public var lease: Int64 = 20
    /// Time between two heartbeats.
    public var heartbeat: Duration = .seconds(5)
    /// Time between two attempts to take over a duty of another process.
    public var dutyCheck: Duration = .seconds(5)
    /// How long the server may take to answer a request for leases. It ends the wait for a lock earlier (`lock_timeout`).
    public var answer: Duration = .seconds(25)
    /// How long other connections may take to go on when the server answers again.
    public var recovery: Duration = .seconds(5)
    /// How long an account's store is not asked for claims after a failure.
    public var claimPause: Duration = .seconds(10)
    /// How long after that pause an account counts as failing if no feed of it is asked for any more.
    public var failureMemory: Duration = .seconds(120)
    /// How long a transaction may wait for an answer until the process claims no more feeds of its store, and until others may claim
    /// the feeds of the process. The transaction itself is not cut.
    public var writing: Duration = .seconds(60)
    public var handOver: Duration = .seconds(300)

    public init() {}
  }

  private struct State {
    /// The node's number; nil: not registered, or the lease was lost.
    var node: Int64?
    /// When the process first joined, by the server's clock.
    var since: String?
    /// When it was first asked to join.
    var firstAttempt: ContinuousClock.Instant?
    /// The lease is valid at least until this time, by this machine's clock.
    var validUntil = ContinuousClock.now
    /// True if another process had a lease at the last heartbeat.
    var hasOthers = false
    /// The registration in progress, for which all callers of `join` wait.
    var joining: Task<Result<Void, StoreError>, Never>?
    var heartbeat: Task<Void, Never>?
    var check: Task<Void, Never>?
    var isClosed = false
    /// Set by a heartbeat that found a layout that this newsd does not know.
    var layoutError: StoreError?
    var beats = 0
    var health = LeaseHealth()
    /// The functions that receive failures, by the claims that have the lease.
    var reports: [ObjectIdentifier: @Sendable (StoreError?) -> Void] = [:]
    /// What looks at the stores of these claims each second.
    var checks: [ObjectIdentifier: @Sendable () -> Void] = [:]
    /// The number that the next outage of the database has on all nodes; see `outage`.
    var outage: Int64?
    /// Makes the tables of the schema; nil: the store does so with its own use.
    var remake: (@Sendable () async throws(StoreError) -> Void)?
    /// Until then, missing tables are not made again.
    var remadeUntil = ContinuousClock.now
    /// True if tables were still missing after that.
    var isIncomplete = false
    /// When the server got the first request that it did not answer; nil: it answers.
    var silentSince: ContinuousClock.Instant?
    /// When it answered again.
    var answersSince: ContinuousClock.Instant?
  }

  /// The least number of a request for accounts in the table of claims; those of feeds are smaller.
  static let leastRequest: Int64 = 1 << 61

  private let uri: StoreURI
  /// One connection, unless stores in other schemas than that of the pool have leases of their own.
  private let lanes: LaneQueue
  /// The other connections whose statements are short: those for the claims of stores that have the lease, and for short reads.
  private let quick: [LaneQueue]
  private let name: String
  private let version: String
  let timing: Timing
  private let clock: NodeClock?
  private let state = Mutex(State())

  init(
    _ uri: StoreURI,
    _ lanes: LaneQueue,
    quick: [LaneQueue],
    name: String,
    version: String,
    timing: Timing,
    clock: NodeClock?
  ) {
    self.uri = uri
    self.lanes = lanes
    self.quick = quick
    self.name = name
    self.version = version
    self.timing = timing
    self.clock = clock
  }

  /// This process's number in the list of nodes; nil if it has not joined or has lost its lease.
  var number: Int64? { state.withLock { $0.node } }

  /// True while others count on this process.
  var isValid: Bool { state.withLock { $0.node != nil && $0.validUntil > .now } }

  /// True if there was another process to take over feeds at the last heartbeat.
  var hasOthers: Bool { state.withLock { $0.hasOthers } }

  /// The schema with the list of nodes.
  var schema: String { uri.schema }

  /// The list of nodes as SQL, from any schema of the server.
  var table: String { "\"\(uri.schema)\".nodes" }

  /// The error of a heartbeat that found a layout that this newsd does not know.
  var layoutError: StoreError? { state.withLock { $0.layoutError } }

  // MARK: - The lease

  /// Registers this process and begins to send heartbeats.
  public func join() async throws(StoreError) {
    let joining = state.withLock { state -> Task<Result<Void, StoreError>, Never>? in
      guard state.node == nil, !state.isClosed else { return nil }
      if let joining = state.joining { return joining }
      state.firstAttempt = state.firstAttempt ?? ContinuousClock.now
      // Requests may wait long for the server's answer, the first one too; the end of the lease is noticed nevertheless.
      if state.check == nil {
        state.check = Task { [weak self] in
          while self != nil, (try? await Task.sleep(for: .seconds(1))) != nil {
            self?.endSilence()
            self?.judge()
            self?.checkStores()
          }
        }
      }
      let joining = Task { await register() }
      state.joining = joining
      return joining
    }
    try await joining?.value.get()
  }

  private func register() async -> Result<Void, StoreError> {
    let since = state.withLock { $0.since }
    let start = ContinuousClock.now
    let result = await ask(.heartbeat) { [name, version, timing, clock] (connection) throws(StoreError) in
      try Self.compare(clock, connection)
      try connection.query(Self.clamping)
      return try Self.insertNode(name, version, timing, since: since, connection)
    }
    state.withLock { state in
      state.joining = nil
      guard case .success(let node) = result else { return }
      state.node = node?.0
      state.since = node?.1
      state.validUntil = start + .seconds(timing.lease)
      guard state.heartbeat == nil, !state.isClosed else { return }
      state.heartbeat = Task { [weak self] in
        while let pause = self?.pause, (try? await Task.sleep(for: pause)) != nil { await self?.beat() }
      }
    }
    judge()
    return result.map { _ in }
  }

  /// The time until the next heartbeat. A failed one is soon repeated.
  private var pause: Duration {
    state.withLock { $0.health.hasFailed(.heartbeat) } ? min(timing.heartbeat, .seconds(1)) : timing.heartbeat
  }

  /// Adds this process to the list of nodes. Returns its number, and the time at which it first joined.
  private static func insertNode(
    _ name: String,
    _ version: String,
    _ timing: Timing,
    since: String?,
    _ connection: Connection
  ) throws(StoreError) -> (Int64, String)? {
    let node = try connection.query(
      """
      INSERT INTO nodes (name, version, since, beat, until)
      SELECT $1, $2, coalesce($4::timestamptz, now), now, now + $3::bigint * interval '1 second'
      FROM clock_timestamp() AS now RETURNING id, since::text
      """,
      name,
      version,
      timing.lease,
      since
    ).first.map { ($0.int64(0), $0.string(1)) }
    if let node { try ServerUpgrade.note(node.0, connection) }
    return node
  }

  /// Number of heartbeats between two removals of sites that are no longer asked, and between two sums for earlier versions.
  private static let (cleaningInterval, summingInterval) = (720, 12)
  /// Removes sites that were last asked a day ago, and requests of accounts that were last made a month ago, including the
  /// claims of killed nodes. Feeds may link to ever new hosts, and feeds of accounts come and go.
  private static let cleaning = """
    WITH former AS (DELETE FROM polls AS p WHERE p.feed >= \(leastRequest)
      AND NOT EXISTS (SELECT 1 FROM nodes AS n WHERE n.id = p.owner)
      AND (p.asked IS NULL OR p.asked < clock_timestamp() - interval '30 days'))
    DELETE FROM sites WHERE last_start < clock_timestamp() - interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM unnest(busy) AS b WHERE b.until > clock_timestamp())
    """

  /// Seconds by which the server's clock may be behind a stored time before that time counts as wrong. A statement may wait
  /// for a lock, so its own time may be earlier than what it reads.
  static let clockTolerance: Int64 = 30

  /// Shortens leases that were renewed while the server's clock was ahead: they begin now. The clock was set back since, or a
  /// standby with another clock has taken over. Otherwise a node that has ended would hold its feeds until the former time.
  private static let clamping = """
    UPDATE nodes SET beat = present.time, until = present.time + (until - beat) FROM clock_timestamp() AS present (time)
    WHERE beat > present.time + \(clockTolerance) * interval '1 second'
    """

  /// Renews the lease, and removes nodes whose lease has ended.
  private func beat() async {
    let (held, since) = state.withLock { ($0.node, $0.since) }
    guard let node = held else {
      try? await join()
      return
    }
    let start = ContinuousClock.now
    let number = state.withLock { state in
      defer { state.beats += 1 }
      return state.beats
    }
    let answer = await ask(.heartbeat) {
      [timing, clock] (connection) throws(StoreError) -> (outage: Int64, hasOthers: Bool)? in
      try checkLayout(connection)
      try connection.query(Self.clamping)
      // Another node may have the number in tables that were made again.
      let held = try connection.query(
        """
        UPDATE nodes SET beat = clock_timestamp(), until = clock_timestamp() + $2::bigint * interval '1 second'
        WHERE id = $1 AND since = $3::timestamptz AND until > clock_timestamp()
        RETURNING (SELECT last_value FROM nodes_id_seq),
          EXISTS (SELECT 1 FROM nodes AS o WHERE o.id <> $1 AND o.until > clock_timestamp())
        """,
        node,
        timing.lease,
        since
      )
      try connection.query("DELETE FROM nodes WHERE until < clock_timestamp()")
      if number % Self.cleaningInterval == 0 { try connection.query(Self.cleaning) }
      if number % Self.summingInterval == 0 { try connection.query(StoreCounters.summing) }
      try? Self.compare(clock, connection)
      return held.first.map { (outage: $0.int64(0), hasOthers: $0.bool(1)) }
    }
    guard case .success(let present) = answer else { return }
    guard let present else {
      state.withLock { state in
        state.node = nil
        state.validUntil = min(state.validUntil, start)
      }
      judge()
      try? await join()
      return
    }
    state.withLock { state in
      state.validUntil = start + .seconds(timing.lease)
      state.outage = present.outage
      state.hasOthers = present.hasOthers
    }
    judge()
  }

  /// Notes the error of a layout that this newsd does not know. An idle process would not notice it otherwise.
  private func checkLayout(_ connection: Connection) throws(StoreError) {
    do throws(StoreError) {
      try Layout.check(connection)
    } catch {
      if error.requiresOtherVersion { state.withLock { $0.layoutError = error } }
      throw error
    }
  }

  /// Compares the process's clock with the server's.
  private static func compare(_ clock: NodeClock?, _ connection: Connection) throws(StoreError) {
    guard let clock else { return }
    let before = clock.machineTime
    let server = try connection.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    if let server { clock.compare(server: server, before: before, after: clock.machineTime) }
  }

  // MARK: - Failures

  /// Sets the function that receives the error when the server cannot be asked or the lease is lost, and nil when the
  /// lease holds again and requests succeed. `reporter` has one function; nil removes it.
  func reportFailures(of reporter: ObjectIdentifier, to report: (@Sendable (StoreError?) -> Void)?) {
    state.withLock { $0.reports[reporter] = report }
  }

  /// Sets the function that is called each second while the process has joined; nil removes it.
  func check(_ claims: ObjectIdentifier, with check: (@Sendable () -> Void)?) {
    state.withLock { $0.checks[claims] = check }
  }

  private func checkStores() {
    for check in state.withLock({ Array($0.checks.values) }) { check() }
  }

  /// Sets the function that makes the tables of the schema if they are missing when the server is asked.
  package func makeMissingTables(with remake: @escaping @Sendable () async throws(StoreError) -> Void) {
    state.withLock { $0.remake = remake }
  }

  /// Seconds between two attempts to make missing tables.
  private static let remakePause = Duration.seconds(3)

  /// The function that makes missing tables, unless it was just called.
  private func mayRemake() -> (@Sendable () async throws(StoreError) -> Void)? {
    state.withLock { state in
      guard let remake = state.remake, !state.isClosed, state.remadeUntil <= .now else { return nil }
      state.remadeUntil = .now + Self.remakePause
      return remake
    }
  }

  /// Asks the server on the connection for leases, and notes whether it answered.
  func ask<Answer: Sendable>(
    _ kind: LeaseHealth.Request,
    _ body: @Sendable (Connection) throws(StoreError) -> Answer
  ) async -> Result<Answer, StoreError> {
    let result: Result<Answer, StoreError>
    do throws(StoreError) {
      result = .success(try await performWithTables(body))
    } catch {
      result = .failure(error)
    }
    state.withLock { state in
      if case .failure(let error) = result {
        state.health.failed(kind, error, at: .now)
      } else {
        state.health.succeeded(kind)
        if state.silentSince != nil, state.answersSince == nil { state.answersSince = .now }
      }
    }
    judge()
    return result
  }

  /// Closes the connection if the server does not answer on it, and others whose statements are short. If the server then
  /// answers requests for leases, also closes the other connections of this process that have not been answered meanwhile: their
  /// sessions hang, too. Otherwise, they may wait for long statements.
  private func endSilence() {
    let began = lanes.cut(after: timing.answer)
    // If only such a session hangs, the server may well answer long statements on others.
    for queue in quick { _ = queue.cut(after: timing.answer) }
    if let began {
      state.withLock { state in
        state.silentSince = state.silentSince ?? began
        state.answersSince = nil
      }
      return
    }
    let silentSince = state.withLock { state -> ContinuousClock.Instant? in
      guard let answers = state.answersSince, answers + timing.recovery <= .now else { return nil }
      defer { (state.silentSince, state.answersSince) = (nil, nil) }
      return state.silentSince
    }
    if let silentSince { AnswerWait.cut(uri.connection, unansweredSince: silentSince) }
  }

  /// Runs `body`; again if its tables were missing and could be made.
  private func performWithTables<Answer: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    do throws(StoreError) {
      return try await lanes.perform(on: uri, body)
    } catch {
      guard error.code == .missing else { throw error }
      if let remake = mayRemake() {
        state.withLock { $0.isIncomplete = false }
        try await remake()
        do throws(StoreError) {
          return try await lanes.perform(on: uri, body)
        } catch {
          guard error.code == .missing else { throw error }
          state.withLock { $0.isIncomplete = true }
        }
      }
      guard state.withLock({ $0.isIncomplete }) else { throw error }
    }
    // Only a schema without tables is made again.
    throw StoreError(
      code: .missing,
      message:
        "the schema \(uri.schema) in \(uri.redacted) lacks a table; drop the schema, which has no news, and "
        + "newsd makes it again"
    )
  }

  /// Reports a failure or its end.
  private func judge() {
    let waits = lanes.waitsSince
    let (reports, news) = state.withLock { state in
      let isWatched = !state.isClosed && state.since != nil && !state.reports.isEmpty
      return (
        state.reports.values,
        isWatched ? state.health.news(leaseEnds: state.validUntil, waits: waits, at: .now) : nil
      )
    }
    guard let news else { return }
    let error: StoreError? = if case .failed(let error) = news { error } else { nil }
    for report in reports { report(error) }
  }

  /// Throws the failure while requests to the server fail, the lease has ended, or the process tries in vain to join.
  public func check() throws(StoreError) {
    let waits = lanes.waitsSince
    let problem = state.withLock { state -> StoreError? in
      let deadline = state.firstAttempt.map { $0 + LeaseHealth.patience }
      guard !state.isClosed, let end = state.since == nil ? deadline : state.validUntil else { return nil }
      return state.health.problem(leaseEnds: end, waits: waits, at: .now)
    }
    if let problem { throw problem }
  }

  /// The number of the next outage: the same on all nodes, and larger after each outage. Nodes that notice an outage
  /// cannot ask the database who tells of it, but they can give their messages the same key. Nil before the first
  /// heartbeat.
  public var outage: Int64? { state.withLock { $0.outage } }

  /// Ends an outage: the next one has another number. The first node to call this counts.
  public func endOutage(_ number: Int64) async {
    _ = await ask(.heartbeat) { (connection) throws(StoreError) in
      try connection.query("SELECT nextval('nodes_id_seq') FROM nodes_id_seq WHERE last_value = $1", number)
        .affected
    }
    state.withLock { if $0.outage == number { $0.outage = nil } }
  }

  /// Releases the lease and all claims.
  func close() async {
    _ = await state.withLock { $0.joining }?.value
    let (node, tasks) = state.withLock { state in
      defer {
        state.node = nil
        state.isClosed = true
      }
      return (state.node, [state.heartbeat, state.check])
    }
    for task in tasks { task?.cancel() }
    guard let node else { return }
    // Deleting the node suffices: claims of a missing node are free.
    _ = try? await lanes.perform(on: uri) { (connection) throws(StoreError) in
      try connection.query("DELETE FROM nodes WHERE id = $1", node).affected
    }
  }
}
