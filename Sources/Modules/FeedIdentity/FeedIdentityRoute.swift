/// How a feed's items are told apart: shown, or set.
public struct FeedIdentityRoute: Hashable, Sendable {
  /// As users name feeds.
  public var feed: String
  /// One of `FeedIdentity.policies`, or `auto` for the choice by the feed's own history; nil: nothing is changed.
  public var policy: String?

  public init(feed: String, policy: String? = nil) {
    self.feed = feed
    self.policy = policy
  }
}
