import NewsCore

/// Decides when the failures of a process's requests to the server are worth a report. A server that restarts within
/// `patience` is not.
struct LeaseHealth {
  /// The kinds of requests that a process sends on the connection for leases.
  enum Request { case heartbeat, claim, site }

  enum News {
    case failed(StoreError)
    case recovered
  }

  private static let patience = Duration.seconds(3)

  private var failing: [Request: (since: ContinuousClock.Instant, error: StoreError)] = [:]
  private var isReported = false

  func hasFailed(_ request: Request) -> Bool { failing[request] != nil }

  mutating func failed(_ request: Request, _ error: StoreError, at now: ContinuousClock.Instant) {
    failing[request] = (failing[request]?.since ?? now, error)
  }

  mutating func succeeded(_ request: Request) { failing[request] = nil }

  /// Returns the change to report; nil if nothing has changed.
  mutating func news(leaseEnds: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> News? {
    if isReported {
      guard failing.isEmpty, leaseEnds > now else { return nil }
      isReported = false
      return .recovered
    }
    guard let error = problem(leaseEnds: leaseEnds, at: now) else { return nil }
    isReported = true
    return .failed(error)
  }

  /// Returns the failure that is worth a report now; nil if there is none.
  func problem(leaseEnds: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> StoreError? {
    let lasting = failing.values.first { $0.since + Self.patience <= now }?.error
    return lasting ?? (leaseEnds <= now ? failing.values.first?.error ?? Self.lost : nil)
  }

  private static let lost = StoreError(
    code: .busy,
    message: "the lease on the feeds ended before the database had renewed it"
  )
}
