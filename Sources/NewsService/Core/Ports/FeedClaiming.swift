/// Prevents two processes on one store from fetching the same feed at the same time.
public protocol FeedClaiming: Sendable {
  /// Claims the feed for this process until `release`, or until the process ends or loses its lease.
  func claim(_ id: Feed.ID) async -> FeedClaim
  func release(_ id: Feed.ID)
}

/// The result of `FeedClaiming.claim`.
public enum FeedClaim: Hashable, Sendable {
  /// This process may fetch the feed. `secondsSinceRequest`: seconds since any process last sent a request
  /// for the feed; nil: unknown. It is the only trace of a process that ended before it stored its result.
  case claimed(secondsSinceRequest: Int64?)
  /// Another process fetches the feed.
  case busy
  /// The store cannot be asked for the feed now.
  case unreadable
}
