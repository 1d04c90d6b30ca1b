import Synchronization

/// Hosts in a cooldown (Retry-After). Shared by all refreshes of a process and by the fetcher, which checks it right
/// before sending a request; rebuilt from the feeds' states at the next start.
///
/// An account has an instance beside that of all accounts. The shared instance has what hosts answered to this
/// process; the account's has what its store says, which may be wrong or made up.
public final class HostCooldowns: Sendable {
  private let ends = Mutex<[String: Timestamp]>([:])
  /// When the last shift was found to be necessary.
  private let lastShift = Mutex<ContinuousClock.Instant?>(nil)
  /// Limit on the length of a cooldown, whatever the host asks for.
  private let longest: Int64
  /// Cooldowns of all accounts, which also hold here. Cooldowns that begin here are not added to them.
  private let shared: HostCooldowns?

  /// `longest` limits the length of a cooldown, in seconds. `shared` are the cooldowns of all accounts, for one account.
  public init(longest: Int64 = 7 * 86_400, beside shared: HostCooldowns? = nil) {
    self.longest = longest
    self.shared = shared
  }

  /// Returns the end of the cooldown of `host`; nil: requests may be sent now.
  func end(for host: String, now: Timestamp) -> Timestamp? {
    [ownEnd(for: host, now: now), shared?.end(for: host, now: now)].compactMap(\.self).max()
  }

  private func ownEnd(for host: String, now: Timestamp) -> Timestamp? {
    ends.withLock { ends in
      guard let end = ends[host] else { return nil }
      // An end further ahead than any cooldown means that the clock was set back.
      guard end > now, end - now <= longest + 86_400 else {
        ends[host] = nil
        return nil
      }
      return end
    }
  }

  func begin(_ cooldown: HostCooldown) {
    ends.withLock { $0[cooldown.host] = max($0[cooldown.host] ?? cooldown.until, cooldown.until) }
  }

  /// Adds the cooldowns of another instance, when the configuration is reloaded.
  func merge(_ others: HostCooldowns) {
    for (host, until) in others.ends.withLock({ $0 }) { begin(HostCooldown(host: host, until: until)) }
    if let shared, let former = others.shared { shared.merge(former) }
  }

  /// Shifts all ends after the clock was set between two looks at it, so that each cooldown keeps its remaining time. Each
  /// account looks at the clock, and finds the same jump: the first shift counts.
  func shift(by seconds: Int64, between first: ContinuousClock.Instant, and second: ContinuousClock.Instant) {
    let isNew = lastShift.withLock { last in
      if let last, last > first { return false }
      last = second
      return true
    }
    if isNew { ends.withLock { $0 = $0.mapValues { $0 + seconds } } }
    shared?.shift(by: seconds, between: first, and: second)
  }

  /// Ends a cooldown of the account. Ends that of all accounts only if it is the same one: a store may name any host and time.
  func finish(_ cooldown: HostCooldown) {
    ends.withLock { $0[cooldown.host] = nil }
    guard let shared else { return }
    shared.ends.withLock { ends in
      if ends[cooldown.host] == cooldown.until { ends[cooldown.host] = nil }
    }
  }

  /// Returns the error if a request must not be sent now; nil: it may be sent.
  public func refusal(of url: String, now: Timestamp) -> FetchError? {
    guard !ends.withLock({ $0.isEmpty }) else { return nil }
    let host = WebAddress.hostKey(of: url)
    guard let until = end(for: host, now: now) else { return nil }
    let reason = SkipReason.inCooldown(host: host, until: until)
    return FetchError(code: .inCooldown(host: host, until: until), message: reason.description)
  }

  /// Starts a cooldown if the response is a 429 or 503 with Retry-After.
  public func record(_ response: FetchResponse) {
    guard response.status == 429 || response.status == 503, let until = response.retryAfter,
      until > response.received
    else { return }
    begin(
      HostCooldown(host: WebAddress.hostKey(of: response.url), until: min(until, response.received + longest))
    )
  }
}
