/// Keeps two processes on one store from asking for one feed at the same time.
public protocol FeedClaiming: Sendable {
  /// Takes the feed for this process until `release`, or until the process ends. False: another process has it.
  func claim(_ id: Feed.ID) -> Bool
  func release(_ id: Feed.ID)
}
