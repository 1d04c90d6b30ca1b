/// Why a feed was not asked.
public enum SkipReason: Hashable, Sendable {
  /// Another process has polled it meanwhile.
  case notDue(until: Timestamp)
  /// The host asked to be left alone (Retry-After).
  case held(host: String, until: Timestamp)
  /// Another process is asking for it right now.
  case busy
  /// 410 was answered before.
  case gone
  /// The run was stopped first.
  case cancelled
}

extension SkipReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notDue(let until): "not due before \(until.rfc3339)"
    case .held(let host, let until): "\(host) asked not to be polled before \(until.rfc3339) (Retry-After)"
    case .busy: "another newsd is asking for it"
    case .gone: "the feed is gone (410); name it to ask again"
    case .cancelled: "stopped first"
    }
  }
}
