/// A request to show or set a feed's identity policy.
public struct FeedIdentityRoute: Hashable, Sendable {
  /// Id, URL or title of the feed.
  public var feed: String
  /// One of `FeedIdentity.policies`, or `auto` to choose by the feed's history; nil: the policy does not change.
  public var policy: String?

  public init(feed: String, policy: String? = nil) {
    self.feed = feed
    self.policy = policy
  }
}
