import Synchronization

/// Hosts that asked to be left alone (Retry-After). Shared by all refreshes of a process; rebuilt from the feeds'
/// states at the next start.
final class HostHolds: Sendable {
  private let ends = Mutex<[String: Timestamp]>([:])

  /// When requests to `host` may be sent again; nil: now.
  func end(for host: String, now: Timestamp) -> Timestamp? {
    ends.withLock { ends in
      guard let end = ends[host] else { return nil }
      guard end > now else {
        ends[host] = nil
        return nil
      }
      return end
    }
  }

  func hold(_ hold: HostHold) {
    ends.withLock { $0[hold.host] = max($0[hold.host] ?? hold.until, hold.until) }
  }

  func release(_ host: String) {
    ends.withLock { $0[host] = nil }
  }
}
