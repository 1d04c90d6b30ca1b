/// Prevents two processes on one store from fetching the same feed at the same time.
public protocol FeedClaiming: Sendable {
  /// Locks the feed for this process until `release`, or until the process ends. False: another process holds the lock.
  func claim(_ id: Feed.ID) -> Bool
  func release(_ id: Feed.ID)
}
