/// A request to try a feed's settings for articles on its newest items.
public struct ArticlePreviewRoute: Hashable, Sendable {
  /// The feed's id, URL or title.
  public var feed: String
  /// Maximum number of items.
  public var limit: Int

  public init(feed: String, limit: Int) {
    self.feed = feed
    self.limit = limit
  }
}
