import Synchronization

/// Hosts in a cooldown (Retry-After). Shared by all refreshes of a process and by the fetcher, which checks it right
/// before sending a request; rebuilt from the feeds' states at the next start.
public final class HostCooldowns: Sendable {
  private let ends = Mutex<[String: Timestamp]>([:])
  /// Limit on the length of a cooldown, whatever the host asks for.
  private let longest: Int64

  /// `longest` limits the length of a cooldown, in seconds.
  public init(longest: Int64 = 7 * 86_400) {
    self.longest = longest
  }

  /// Returns the end of the cooldown of `host`; nil: requests may be sent now.
  func end(for host: String, now: Timestamp) -> Timestamp? {
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
  }

  /// Shifts all ends after the clock was set, so that each cooldown keeps its remaining time.
  func shift(by seconds: Int64) {
    ends.withLock { $0 = $0.mapValues { $0 + seconds } }
  }

  func finish(_ host: String) {
    ends.withLock { $0[host] = nil }
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
