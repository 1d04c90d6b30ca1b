public import NewsCore

/// What sync clients have newsd fetch.
public struct SyncNetwork: Sendable {
  /// Called when a client subscribes or searches a page for feeds.
  public var makeAdder: @Sendable () throws(StoreError) -> FeedAdder
  /// Refreshes one feed and returns afterwards.
  public var refresh: @Sendable (Feed.ID) async throws(StoreError) -> Void
  /// Starts to refresh these feeds, or all, unless such a refresh is running. Returns at once.
  public var startRefresh: @Sendable ([Feed.ID]?) async throws(StoreError) -> Void
  /// Fetches the page of an item; nil: newsd stops.
  public var article: @Sendable (ArticleJob) async -> ArticleRecord?

  public init(
    makeAdder: @escaping @Sendable () throws(StoreError) -> FeedAdder,
    refresh: @escaping @Sendable (Feed.ID) async throws(StoreError) -> Void,
    startRefresh: @escaping @Sendable ([Feed.ID]?) async throws(StoreError) -> Void,
    article: @escaping @Sendable (ArticleJob) async -> ArticleRecord?
  ) {
    self.makeAdder = makeAdder
    self.refresh = refresh
    self.startRefresh = startRefresh
    self.article = article
  }
}
