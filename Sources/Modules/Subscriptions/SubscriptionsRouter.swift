public import NewsCore

/// Routes out of the list of feeds.
public struct SubscriptionsRouter: Sendable {
  public init() {}

  /// The route to a feed's items.
  public func list(of feed: Feed) -> Route {
    .list(ListRoute(filter: ItemFilter(feedID: feed.id)))
  }

  /// The route to a refresh of the feed.
  public func fetch(_ feed: Feed) -> Route {
    .fetch(FetchRoute(feeds: [String(feed.id.rawValue)]))
  }
}
