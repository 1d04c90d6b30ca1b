/// The identity policy of one feed.
public struct FeedIdentity: Hashable, Sendable {
  /// `guid`: the guid, else the link, else the content. `link`: the link, else the guid, else the content.
  /// `content`: title and text.
  public var policy: String
  /// True if the user chose the policy; false if newsd chose it from the feed's history.
  public var isChosenByUser: Bool

  public init(policy: String, isChosenByUser: Bool) {
    self.policy = policy
    self.isChosenByUser = isChosenByUser
  }

  public static let policies = ["guid", "link", "content"]
}

/// Shows and overrides the identity policies of feeds.
public protocol FeedIdentityKeeping: Sendable {
  func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity
  /// Sets the policy; nil: newsd chooses it from the feed's history again. Takes effect at the next refresh, also for
  /// the items stored so far. Throws `badQuery` for an unknown policy.
  func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError)
}
