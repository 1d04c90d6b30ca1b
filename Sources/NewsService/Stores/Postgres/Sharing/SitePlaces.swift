import NewsStoresShared
public import NewsCore
import Synchronization

/// Applies the limits of sites across all machines that share a store: each request is registered at the server before
/// it is sent.
///
/// `acquire` runs on the network's thread and must not wait. It sends the query and returns the time at which the
/// caller must ask again for the result. For a feed, the query also checks that this process still holds the claim, and
/// records the time of the request.
public final class SitePlaces: SiteSharing, Sendable {
  private struct Key: Hashable {
    var site: String
    var feed: Feed.ID?
    var isSpaced: Bool
  }

  /// A slot of a site, as the server identifies it.
  private struct Handle: Hashable {
    var site: String
    var node: Int64?
    /// When the slot expires, in microseconds since 1970.
    var until: Int64
  }

  private enum Answer {
    case pending
    /// The server was asked at this time, by this machine's clock.
    case granted(slot: Int, asked: ContinuousClock.Instant)
    /// Ask again at this time, by the caller's clock.
    case later(Int64)
    case refused
  }

  private struct State {
    var answers: [Key: Answer] = [:]
    /// The slots that this process holds.
    var handles: [Int: Handle] = [:]
    /// Slots to release at the server.
    var released: [Handle] = []
    var isReleasing = false
    var lastSlot = 0
    /// The sites that are registered at the server.
    var known: Set<String> = []
  }

  private let claims: NodeClaims
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  private static let mostKnown = 10_000
  /// Milliseconds until the caller asks for the result.
  private static let look: Int64 = 3
  /// Milliseconds before the next attempt if the server could not be reached.
  private static let retry: Int64 = 1000
  /// Milliseconds before the next attempt if all slots are taken.
  private static let busy: Int64 = 50
  /// How long a granted slot may be used, counted from the question. A process that was stopped must not send the request
  /// later: its lease may have ended, and another process may have polled the feed. A lease lasts longer, even just
  /// before a heartbeat.
  private static let freshness = Duration.seconds(10)
  /// Seconds after which an unreleased slot of a node becomes free; longer than the largest timeout of a feed. A node's
  /// slots become free earlier if its lease ends.
  private static let longest: Int64 = 3700
  /// The same for a process without a node: longer than any fetch with the default timeout.
  private static let longestWithoutNode: Int64 = 150

  init(_ claims: NodeClaims, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.claims = claims
    self.now = now
  }

  public func acquire(_ site: String, besides held: [Int], _ request: SiteRequest) -> SiteEntry {
    let key = Key(site: site, feed: request.feed, isSpaced: request.isSpaced && request.spacing > 0)
    let present = now()
    var outdated: Int?
    let answer = state.withLock { state -> Answer? in
      switch state.answers[key] {
      case .pending: return .pending
      case .later(let time) where time > request.now: return .later(time)
      case .granted(let slot, let asked) where asked + Self.freshness < present:
        outdated = slot
        state.answers[key] = .pending
        return nil
      case .granted(let slot, let asked):
        state.answers[key] = nil
        return .granted(slot: slot, asked: asked)
      case .refused:
        state.answers[key] = nil
        return .refused
      case .later, nil:
        state.answers[key] = .pending
        return nil
      }
    }
    if let outdated { _ = release(site, slot: outdated) }
    switch answer {
    case .granted(let slot, _): return .acquired(slot: slot)
    case .refused: return .refused
    case .later(let time): return key.isSpaced ? .later(until: time) : .undecided(until: time)
    case .pending: return .undecided(until: request.now + Self.look)
    case nil:
      Task { await ask(key, request) }
      return .undecided(until: request.now + Self.look)
    }
  }

  public func release(_ site: String, slot: Int) -> Bool {
    let mustStart = state.withLock { state in
      guard let handle = state.handles.removeValue(forKey: slot) else { return false }
      state.released.append(handle)
      defer { state.isReleasing = true }
      return !state.isReleasing
    }
    if mustStart { Task { [weak self] in await self?.giveBack() } }
    return false
  }

  /// Releases slots at the server. If the server does not answer, tries again until the slots have expired.
  private func giveBack() async {
    var failures: Int64 = 0
    while true {
      let batch = state.withLock { state in
        defer { state.released = [] }
        if state.released.isEmpty { state.isReleasing = false }
        return state.released
      }
      guard !batch.isEmpty else { return }
      let answer = await claims.lease.ask(.site) { (connection) throws(StoreError) in
        for handle in batch {
          try connection.post(
            """
            UPDATE sites SET busy = ARRAY(
              SELECT b::slot FROM unnest(busy) AS b
              WHERE (b.node IS DISTINCT FROM $2::bigint OR \(Self.microseconds("b.until")) <> $3::bigint))
            WHERE site = $1
            """,
            handle.site,
            handle.node,
            handle.until
          )
        }
        try connection.sendPosted()
      }
      guard case .failure = answer else {
        failures = 0
        continue
      }
      failures += 1
      let hasExpired = failures * Self.retry > Self.longest * 1000
      if !hasExpired { state.withLock { $0.released.append(contentsOf: batch) } }
      try? await Task.sleep(for: .milliseconds(Self.retry))
    }
  }

  /// SQL for a time in microseconds since 1970; a text would depend on settings of the server.
  private static func microseconds(_ time: String) -> String {
    "(extract(epoch FROM \(time)) * 1000000)::bigint"
  }

  public func announceWaiting(for site: String) {}
  public func withdrawWaiting(for site: String) {}

  // MARK: - The server's answer

  private struct Entered {
    var isClaimed: Bool
    /// The number of the slot; nil if the request may not start.
    var slot: Int?
    /// True if the server knows the site.
    var isKnown: Bool
    /// Milliseconds until the site's next request may start.
    var wait: Int64
  }

  private func ask(_ key: Key, _ request: SiteRequest) async {
    let asked = now()
    let claim = key.feed.flatMap { claims.claim(of: $0) }
    if claim == nil, let feed = key.feed, feed.rawValue >= NodeLease.leastRequest {
      // It was given up while the request waited.
      state.withLock { $0.answers[key] = .refused }
      return
    }
    let node = claim?.node ?? claims.lease.number
    let isNew = state.withLock { state in
      // A site that is forgotten is only registered once more.
      if state.known.count >= Self.mostKnown { state.known = [] }
      return state.known.insert(key.site).inserted
    }
    let answer = await claims.lease.ask(.site) { (connection) throws(StoreError) in
      if isNew {
        try connection.query("INSERT INTO sites (site) VALUES ($1) ON CONFLICT DO NOTHING", key.site)
      }
      return try enter(key, claim, node, request, connection)
    }
    let entered = try? answer.get()
    state.withLock { state in
      if entered?.isKnown != true { state.known.remove(key.site) }
      if let slot = entered?.slot {
        state.answers[key] = .granted(slot: slot, asked: asked)
      } else if let entered, claim != nil, !entered.isClaimed {
        state.answers[key] = .refused
      } else {
        let wait = entered.map { max($0.wait, $0.wait == 0 ? Self.busy : 1) } ?? Self.retry
        state.answers[key] = .later(request.now + wait)
      }
    }
  }

  /// In one statement, takes a slot, and records the start of the site's request and the request to the feed.
  ///
  /// Slots of nodes whose lease has ended are free. So are slots of this node that it does not hold: the answer of the
  /// server that granted them was lost.
  private func enter(
    _ key: Key,
    _ claim: NodeClaims.Claim?,
    _ node: Int64?,
    _ request: SiteRequest,
    _ connection: Connection
  ) throws(StoreError) -> Entered {
    let held = state.withLock {
      $0.handles.values.filter { $0.site == key.site && $0.node == node }.map(\.until)
    }
    // A time that no statement can have stored by the present clock is from a clock that was ahead; it counts for nothing.
    let isWrong = "s.last_start > t.now + \(NodeLease.clockTolerance) * interval '1 second'"
    // Entries of processes without a node cannot be told apart.
    let longest = Self.longestWithoutNode + NodeLease.clockTolerance
    let isTaken = """
      b.until > t.now AND (b.node IS NULL AND b.until <= t.now + \(longest) * interval '1 second'
        OR EXISTS (SELECT 1 FROM nodes AS n WHERE n.id = b.node AND n.until > t.now))
      AND ($9::bigint IS NULL OR b.node IS DISTINCT FROM $9::bigint
        OR \(Self.microseconds("b.until")) = ANY($10::bigint[]))
      """
    let rows = try connection.query(
      """
      WITH t AS MATERIALIZED (SELECT clock_timestamp() AS now),
      mine AS MATERIALIZED (
        SELECT p.feed FROM polls AS p JOIN nodes AS n ON n.id = p.owner CROSS JOIN t
        WHERE p.feed = $1::bigint AND p.owner = $2::bigint AND p.token = $3::bigint AND n.until > t.now
        FOR NO KEY UPDATE OF p),
      place AS (
        UPDATE sites AS s SET last_start = t.now,
          busy = array_append(
            ARRAY(SELECT ROW(b.node, b.until)::slot FROM unnest(s.busy) AS b WHERE \(isTaken)),
            ROW($9::bigint, t.now + $8::bigint * interval '1 second')::slot)
        FROM t
        WHERE s.site = $4 AND ($3::bigint IS NULL OR EXISTS (SELECT 1 FROM mine))
          AND ($5::bigint = 0 OR s.last_start <= t.now - $6::bigint * interval '1 millisecond' OR \(isWrong))
          AND (SELECT count(*) FROM unnest(s.busy) AS b WHERE \(isTaken)) < $7::bigint
        RETURNING \(Self.microseconds("t.now + $8::bigint * interval '1 second'")) AS until),
      noted AS (UPDATE polls SET asked = t.now FROM t, place WHERE feed = $1::bigint RETURNING 1)
      SELECT (SELECT count(*) FROM mine), (SELECT until FROM place), (SELECT count(*) FROM noted),
        (SELECT CASE WHEN \(isWrong) THEN 0
            ELSE greatest(0, $6::bigint - extract(epoch FROM t.now - s.last_start) * 1000)::bigint END
          FROM sites AS s, t WHERE s.site = $4), EXISTS (SELECT 1 FROM sites WHERE site = $4)
      """,
      claim == nil ? nil as Int64? : key.feed?.rawValue,
      claim?.node,
      claim?.token,
      key.site,
      key.isSpaced,
      request.spacing,
      request.limit,
      node == nil ? Self.longestWithoutNode : Self.longest,
      node,
      StoreValue.array(held)
    )
    guard let row = rows.first else {
      return Entered(isClaimed: true, slot: nil, isKnown: false, wait: Self.retry)
    }
    if let feed = key.feed, row.int64(2) > 0 {
      claims.noteRequest(for: feed, at: row.int64(1) - Self.longest * 1_000_000)
    }
    // Record the slot here, on the connection's thread: the next question must count it.
    let slot =
      row.isNull(1)
      ? nil
      : state.withLock { state in
        state.lastSlot += 1
        state.handles[state.lastSlot] = Handle(site: key.site, node: node, until: row.int64(1))
        return state.lastSlot
      }
    return Entered(
      isClaimed: row.int64(0) > 0,
      slot: slot,
      isKnown: row.bool(4),
      wait: key.isSpaced && !row.isNull(3) ? row.int64(3) : 0
    )
  }
}
