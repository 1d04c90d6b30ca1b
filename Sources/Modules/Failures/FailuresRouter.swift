public import NewsCore

/// Makes the routes from the list of failing feeds to other screens.
public struct FailuresRouter: Sendable {
  public init() {}

  /// The route to a refresh of the feed.
  public func fetch(_ feed: Feed) -> Route { .fetch(FetchRoute(feeds: [String(feed.id.rawValue)])) }
}
