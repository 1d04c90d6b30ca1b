public import NewsCore

/// Where the list of feeds leads.
public struct SubscriptionsRouter: Sendable {
  public init() {}

  /// To a feed's items.
  public func list(of feed: Feed) -> Route {
    .list(ListRoute(filter: ItemFilter(feedID: feed.id)))
  }

  /// To a refresh of one feed.
  public func fetch(_ feed: Feed) -> Route {
    .fetch(FetchRoute(feeds: [String(feed.id.rawValue)]))
  }
}
