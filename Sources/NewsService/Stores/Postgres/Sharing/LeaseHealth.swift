import NewsCore

/// Decides when the failures of a process's requests to the server are worth a report. A server that restarts within
/// `patience` is not.
struct LeaseHealth {
  /// The kinds of requests that a process sends on the connection for leases, the reads of feeds before their claims, and the
  /// transactions of a store.
  enum Request { case heartbeat, claim, site, feed, write }

  enum News {
    case failed(StoreError)
    case recovered
  }

  static let patience = Duration.seconds(3)

  private var failing: [Request: (since: ContinuousClock.Instant, error: StoreError)] = [:]
  private var isReported = false

  func hasFailed(_ request: Request) -> Bool { failing[request] != nil }

  func failure(of request: Request) -> StoreError? { failing[request]?.error }

  mutating func failed(_ request: Request, _ error: StoreError, at now: ContinuousClock.Instant) {
    failing[request] = (failing[request]?.since ?? now, error)
  }

  mutating func succeeded(_ request: Request) { failing[request] = nil }

  /// Returns the change to report; nil if nothing has changed. `waits` is the time since when a request waits for its answer.
  mutating func news(
    leaseEnds: ContinuousClock.Instant,
    waits: ContinuousClock.Instant?,
    at now: ContinuousClock.Instant
  ) -> News? {
    if isReported {
      guard failing.isEmpty, leaseEnds > now else { return nil }
      isReported = false
      return .recovered
    }
    guard let error = problem(leaseEnds: leaseEnds, waits: waits, at: now) else { return nil }
    isReported = true
    return .failed(error)
  }

  /// Returns the failure that is worth a report now; nil if there is none.
  func problem(
    leaseEnds: ContinuousClock.Instant,
    waits: ContinuousClock.Instant?,
    at now: ContinuousClock.Instant
  ) -> StoreError? {
    let lasting = failing.values.first { $0.since + Self.patience <= now }?.error
    guard lasting == nil, leaseEnds <= now else { return lasting }
    if let waits, waits + Self.patience <= now {
      return StoreError(
        code: .busy,
        message: "PostgreSQL has not answered for \((now - waits).components.seconds) s"
      )
    }
    return failing.values.first?.error ?? Self.lost
  }

  private static let lost = StoreError(
    code: .busy,
    message: "the database has not given this process a lease on the feeds, or has not renewed it in time"
  )
}
