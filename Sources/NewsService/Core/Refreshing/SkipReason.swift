/// Why a feed was not fetched.
public enum SkipReason: Hashable, Sendable {
  /// Another process has polled the feed meanwhile.
  case notDue(until: Timestamp)
  /// The host is in a cooldown (Retry-After).
  case inCooldown(host: String, until: Timestamp)
  /// Another process is fetching the feed.
  case busy
  /// Another process has claimed or removed the feed after it was fetched, so the result was not stored.
  case takenOver
  /// An earlier response was 410.
  case gone
  /// The user has paused the feed.
  case paused
  /// The run was cancelled before the feed was fetched.
  case cancelled
}

extension SkipReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notDue(let until): "not due before \(until.rfc3339)"
    case .inCooldown(let host, let until):
      "\(host) asked not to be polled before \(until.rfc3339) (Retry-After)"
    case .busy: "another newsd process is fetching it"
    case .takenOver: "another newsd process has taken it over or removed it"
    case .gone: "the feed is gone (410); 'newsd fetch FEED' requests it again"
    case .paused: "the feed is paused; 'newsd feeds set FEED paused=' resumes it"
    case .cancelled: "stopped before its turn"
    }
  }
}
