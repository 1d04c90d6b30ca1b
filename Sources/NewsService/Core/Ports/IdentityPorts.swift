/// How the items of one feed are told apart.
public struct FeedIdentity: Hashable, Sendable {
  /// `guid`: the guid, else the link, else the content. `link`: the link before the guid. `content`: title and text.
  public var policy: String
  /// False: chosen from the feed's own history.
  public var isChosenByUser: Bool

  public init(policy: String, isChosenByUser: Bool) {
    self.policy = policy
    self.isChosenByUser = isChosenByUser
  }

  public static let policies = ["guid", "link", "content"]
}

/// Showing and overriding how items are told apart.
public protocol FeedIdentityKeeping: Sendable {
  func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity
  /// Nil: chosen from the feed's history again. Takes effect at the next refresh, for the items stored so far too.
  /// Throws `badQuery` for a policy that does not exist.
  func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError)
}
