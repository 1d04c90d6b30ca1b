/// A request to try a feed's settings for articles on its newest items.
public struct ArticlePreviewRoute: Hashable, Sendable {
  /// As users name feeds.
  public var feed: String
  /// How many items.
  public var limit: Int

  public init(feed: String, limit: Int) {
    self.feed = feed
    self.limit = limit
  }
}
