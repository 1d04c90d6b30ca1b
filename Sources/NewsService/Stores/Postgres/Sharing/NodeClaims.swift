import NewsStoresShared
public import NewsCore
import Synchronization

/// The feeds of a store that this process has claimed, and the duties that it has.
///
/// When the owner of a claim has stopped sending heartbeats, others may claim the feed; results that it commits after that
/// are discarded because of their tokens.
public final class NodeClaims: FeedClaiming, Sendable {
  /// A claimed feed; each later claim has a larger token.
  struct Claim: Hashable {
    var node: Int64
    var token: Int64
  }

  private struct State {
    var claims: [Feed.ID: Claim] = [:]
    /// Claims to release.
    var released: [(feed: Feed.ID, claim: Claim)] = []
    var isReleasing = false
    /// When this process may try to take over duties of other processes again.
    var nextAttempts: [NodeDuty: ContinuousClock.Instant] = [:]
    var isClosed = false
    /// When accounts' requests were last sent; see `RequestTimes`.
    var requested = RequestTimes()
    /// The requests of a guest, those of the lease have its own, and the transactions of the store.
    var health = LeaseHealth()
    /// True if others may claim the feeds of this process, because the store cannot be written.
    var hasGivenUp = false
    /// Called then.
    var givenUp: (@Sendable () -> Void)?
    var report: (@Sendable (StoreError?) -> Void)?
    /// The last failures of a guest's requests, and of reads of feeds: its store is not asked for claims until then. How many
    /// claims failed since the last request of the kind that succeeded.
    var refusals: [LeaseHealth.Request: (error: StoreError, end: ContinuousClock.Instant, claims: Int)] = [:]
  }

  let lease: NodeLease
  private let uri: StoreURI
  private let lanes: LaneQueue
  private let writeWaits: @Sendable () -> ContinuousClock.Instant?
  private let state = Mutex(State())

  /// `lanes` are the connections for claims of the store at `uri`. The lease may be one for several stores. `writeWaits` tells
  /// since when the server does not answer a transaction of the store.
  init(
    _ lease: NodeLease,
    _ uri: StoreURI,
    _ lanes: LaneQueue,
    writeWaits: @escaping @Sendable () -> ContinuousClock.Instant?
  ) {
    self.lease = lease
    self.uri = uri
    self.lanes = lanes
    self.writeWaits = writeWaits
    lease.check(ObjectIdentifier(self)) { [weak self] in self?.checkWrites() }
  }

  /// True if the lease is that of several stores.
  var isGuest: Bool { lease.schema != uri.schema }

  public func claim(_ id: Feed.ID) async -> FeedClaim {
    try? await lease.join()
    guard let node = lease.number, !state.withLock({ $0.isClosed || $0.health.hasFailed(.write) })
    else { return .busy }
    let answer = await ask(isClaim: true) {
      [table = lease.table] (connection) throws(StoreError) -> (Int64, (Int64, Int64)?)? in
      try connection.query(
        """
        INSERT INTO polls AS p (feed, owner, token)
        SELECT $1::bigint, id, 1 FROM \(table) WHERE id = $2::bigint AND until > clock_timestamp()
        ON CONFLICT (feed) DO UPDATE SET owner = excluded.owner, token = p.token + 1
        WHERE p.owner IS NULL OR p.owner = excluded.owner
          OR NOT EXISTS (SELECT 1 FROM \(table) AS o WHERE o.id = p.owner AND o.until > clock_timestamp())
        RETURNING p.token, floor(extract(epoch FROM clock_timestamp() - p.asked))::bigint,
          (extract(epoch FROM p.asked) * 1000000)::bigint
        """,
        id.rawValue,
        node
      ).first.map { ($0.int64(0), $0.isNull(1) ? nil : ($0.int64(1), $0.int64(2))) }
    }
    guard case .success((let token, let last)?) = answer else { return .busy }
    state.withLock { state in
      state.claims[id] = Claim(node: node, token: token)
      guard id.rawValue >= NodeLease.leastRequest, let (seconds, time) = last else { return }
      state.requested.found(id, time, seconds: seconds)
    }
    return .claimed(secondsSinceRequest: last?.0)
  }

  public func release(_ id: Feed.ID) {
    let mustStart = state.withLock { state in
      guard let claim = state.claims.removeValue(forKey: id) else { return false }
      state.released.append((id, claim))
      defer { state.isReleasing = true }
      return !state.isReleasing
    }
    if mustStart { Task { await giveBack() } }
  }

  private func giveBack() async {
    while true {
      let batch = state.withLock { state in
        defer { state.released = [] }
        if state.released.isEmpty { state.isReleasing = false }
        return state.released
      }
      guard !batch.isEmpty else { return }
      // An error is reported, not repeated: this process can lock these feeds again, and others can when its lease ends.
      _ = await ask { (connection) throws(StoreError) in
        try connection.query(
          """
          UPDATE polls AS p SET owner = NULL
          FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u (feed, owner, token)
          WHERE p.feed = u.feed AND p.owner = u.owner AND p.token = u.token
          """,
          StoreValue.array(batch.map(\.feed.rawValue)),
          StoreValue.array(batch.map(\.claim.node)),
          StoreValue.array(batch.map(\.claim.token))
        ).affected
      }
    }
  }

  /// Claims a duty if it is free. Returns true while this process holds the claim.
  public func holds(_ duty: NodeDuty) async -> Bool {
    let id = Feed.ID(rawValue: duty.rawValue)
    if let claim = claim(of: id), claim.node == lease.number, lease.isValid { return true }
    // Limit the attempts: callers ask every second, and even a failed claim writes to the database.
    let mayTry = state.withLock { state in
      guard state.nextAttempts[duty].map({ $0 <= .now }) ?? true else { return false }
      state.nextAttempts[duty] = .now + lease.timing.dutyCheck
      return true
    }
    guard mayTry, case .claimed = await claim(id) else { return false }
    return true
  }

  /// The claim under which this process fetches the feed; nil if there is none. After the loss of the lease, results are
  /// still committed with it, so that the server can refuse them.
  func claim(of feed: Feed.ID) -> Claim? { state.withLock { $0.claims[feed] } }

  /// Notes that this process sends a request for a feed; the time is in microseconds since 1970 by the server's clock.
  func noteRequest(for feed: Feed.ID, at time: Int64) {
    guard feed.rawValue >= NodeLease.leastRequest else { return }
    state.withLock { $0.requested.sent(feed, at: time) }
  }

  /// Seconds since the last request for an account if another process sent it, or this one before it was started anew.
  func secondsSinceForeignRequest(for feed: Feed.ID) -> Int64? {
    state.withLock { $0.requested.secondsSinceForeign(feed) }
  }

  /// Sets the functions that receive failures. `report` gets the error when the server cannot be asked or the lease is lost, and
  /// nil when the lease holds again and requests succeed. `reportStore` gets what concerns the store only, while the lease may
  /// hold: that its claims fail or its transactions get no answer, and nil when that is over.
  public func reportFailures(
    to report: @escaping @Sendable (StoreError?) -> Void,
    ofStore reportStore: @escaping @Sendable (StoreError?) -> Void
  ) {
    state.withLock { $0.report = reportStore }
    lease.reportFailures(of: ObjectIdentifier(self), to: report)
  }

  // MARK: - A store that cannot be written

  /// Sets the function that is called when others may claim the feeds of this process.
  func whenGivenUp(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.givenUp = call } }

  /// Throws if the server does not answer a transaction of the store: no feed is claimed then.
  public func check() throws(StoreError) {
    if let error = state.withLock({ $0.health.failure(of: .write) }) { throw error }
  }

  /// Notes whether the server answers the transactions of the store, and forgets failures that nothing repeats. A session may hang
  /// while others go on, or a statement may take long: nothing ends it, but other processes shall poll the feeds.
  private func checkWrites() {
    let now = ContinuousClock.now
    let waited = writeWaits().map { now - $0 } ?? .zero
    let hasOthers = lease.hasOthers
    let (report, news, givenUp) = state.withLock { state in
      if waited >= lease.timing.writing {
        let error = StoreError(
          code: .busy,
          message: "PostgreSQL has not answered a transaction of the store \(uri.redacted) for "
            + "\(waited.components.seconds) s; "
            + (hasOthers ? "other processes may poll its feeds" : "no other process can poll its feeds")
        )
        state.health.failed(.write, error, at: now)
      } else {
        state.health.succeeded(.write)
      }
      // A feed that cannot be claimed is tried again within seconds, unless it was the last one and is removed.
      for (kind, last) in state.refusals where last.end + lease.timing.failureMemory <= now {
        state.health.succeeded(kind)
        state.refusals[kind] = nil
      }
      // Without others, what was fetched would be dropped for nothing.
      let givesUp = waited >= lease.timing.handOver && hasOthers
      defer { state.hasGivenUp = givesUp }
      let begins = givesUp && !state.hasGivenUp
      return (
        state.report, state.health.news(leaseEnds: now + .seconds(1), waits: nil, at: now), begins
      )
    }
    tell(news, report)
    if givenUp { Task { await giveUp() } }
  }

  /// Lets other processes claim the feeds and duties of this one. Its claims are not valid any more, so the store refuses the
  /// documents that this process has fetched.
  private func giveUp() async {
    guard let node = lease.number else { return }
    let givenUp = state.withLock { state in
      state.claims = state.claims.filter { $0.key.rawValue >= 0 }
      return state.givenUp
    }
    givenUp?()
    let answer = await ask { (connection) throws(StoreError) in
      // The transaction may have locked some.
      try connection.query(
        """
        UPDATE polls SET owner = NULL
        WHERE feed IN (SELECT feed FROM polls WHERE owner = $1 FOR UPDATE SKIP LOCKED)
        """,
        node
      ).affected
    }
    // The next look at the transaction begins anew.
    if case .failure = answer { state.withLock { $0.hasGivenUp = false } }
  }

  /// Reports the change of a failure.
  private func tell(_ news: LeaseHealth.News?, _ report: (@Sendable (StoreError?) -> Void)?) {
    switch news {
    case .failed(let error): report?(error)
    case .recovered: report?(nil)
    case nil: break
    }
  }

  /// Releases all claims in this store, unless the end of the lease does.
  func close() async {
    lease.check(ObjectIdentifier(self), with: nil)
    guard isGuest else { return }
    lease.reportFailures(of: ObjectIdentifier(self), to: nil)
    let hasClaims = state.withLock { state in
      state.isClosed = true
      return !state.claims.isEmpty || state.isReleasing
    }
    guard hasClaims, let node = lease.number else { return }
    _ = await ask { (connection) throws(StoreError) in
      try connection.query("UPDATE polls SET owner = NULL WHERE owner = $1", node).affected
    }
  }

  /// Why the store is not asked for claims now; nil: it is.
  private var refusal: StoreError? {
    state.withLock { state in state.refusals.values.first { $0.end > .now }?.error }
  }

  /// Reads a feed before it is claimed. A failed read counts as a failed claim. During the pause after a failure, that is the answer.
  func read(_ read: () async throws(StoreError) -> Feed) async -> Result<Feed, StoreError> {
    if let refusal { return .failure(refusal) }
    do throws(StoreError) {
      let feed = try await read()
      note(nil, of: .feed)
      return .success(feed)
    } catch {
      note(error.code == .noSuchFeed ? nil : error, of: .feed)
      return .failure(error)
    }
  }

  /// A failure of a guest, such as a locked table or a missing schema, is one of its store, not of the lease.
  private func ask<Answer: Sendable>(
    isClaim: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Answer
  ) async -> Result<Answer, StoreError> {
    guard isGuest else { return await lease.ask(.claim, body) }
    let result: Result<Answer, StoreError>
    do throws(StoreError) {
      let answer = try await lanes.perform(on: uri) {
        (connection) throws(StoreError) -> Result<Answer, StoreError> in
        // Others wait for the connection, which each claim would keep until the limit on waits for locks.
        if isClaim, let error = refusal { return .failure(error) }
        return .success(try body(connection))
      }
      guard case .success = answer else { return answer }
      result = answer
    } catch {
      result = .failure(error)
    }
    let error: StoreError? = if case .failure(let error) = result { error } else { nil }
    note(error, of: .claim, isClaim: isClaim)
    return result
  }

  /// Notes whether a request of the kind failed. A failure counts when a claim fails twice: what else fails is not repeated, and may
  /// not be asked again for long.
  private func note(_ error: StoreError?, of kind: LeaseHealth.Request, isClaim: Bool = true) {
    let now = ContinuousClock.now
    let (report, news) = state.withLock { state in
      if let error {
        let former = state.refusals[kind]
        let claims = (former?.claims ?? 0) + (isClaim ? 1 : 0)
        if isClaim, claims > 1 { state.health.failed(kind, error, at: now) }
        let end = former.flatMap { $0.end > now ? $0.end : nil } ?? now + lease.timing.claimPause
        state.refusals[kind] = (error, end, claims)
      } else {
        state.health.succeeded(kind)
        state.refusals[kind] = nil
      }
      return (state.report, state.health.news(leaseEnds: now + .seconds(1), waits: nil, at: now))
    }
    tell(news, report)
  }
}
