import Synchronization

/// Hosts that asked to be left alone for a while (Retry-After). Shared by all refreshes of a process and by the fetcher,
/// which looks right before it sends a request; rebuilt from the feeds' states at the next start.
public final class HostCooldowns: Sendable {
  private let ends = Mutex<[String: Timestamp]>([:])
  /// No host is left alone for longer, whatever it says.
  private let longest: Int64

  /// - Parameter longest: Seconds.
  public init(longest: Int64 = 7 * 86_400) {
    self.longest = longest
  }

  /// When requests to `host` may be sent again; nil: now.
  func end(for host: String, now: Timestamp) -> Timestamp? {
    ends.withLock { ends in
      guard let end = ends[host] else { return nil }
      // The clock may have been set back.
      guard end > now, end - now <= longest + 86_400 else {
        ends[host] = nil
        return nil
      }
      return end
    }
  }

  func begin(_ hold: HostHold) {
    ends.withLock { $0[hold.host] = max($0[hold.host] ?? hold.until, hold.until) }
  }

  /// Takes over what another one knows, as when the configuration is read again.
  func merge(_ others: HostCooldowns) {
    for (host, until) in others.ends.withLock({ $0 }) { begin(HostHold(host: host, until: until)) }
  }

  /// Keeps what is left of each cooldown after the clock was set.
  func shift(by seconds: Int64) {
    ends.withLock { $0 = $0.mapValues { $0 + seconds } }
  }

  func finish(_ host: String) {
    ends.withLock { $0[host] = nil }
  }

  /// Why a request must not be sent now; nil: it may.
  public func refusal(of url: String, now: Timestamp) -> FetchError? {
    guard !ends.withLock({ $0.isEmpty }) else { return nil }
    let host = WebAddress.hostKey(of: url)
    guard let until = end(for: host, now: now) else { return nil }
    let reason = SkipReason.held(host: host, until: until)
    return FetchError(code: .held(host: host, until: until), message: reason.description)
  }

  /// Begins a cooldown where the response is a 429 or 503 with Retry-After.
  public func record(_ response: FetchResponse) {
    guard response.status == 429 || response.status == 503, let until = response.retryAfter,
      until > response.received
    else { return }
    begin(
      HostHold(host: WebAddress.hostKey(of: response.url), until: min(until, response.received + longest))
    )
  }
}
