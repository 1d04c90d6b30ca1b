public import NewsCore

/// The routes that lead on from the list of failing feeds.
public struct FailuresRouter: Sendable {
  public init() {}

  /// The route to a refresh of the feed.
  public func fetch(_ feed: Feed) -> Route { .fetch(FetchRoute(feeds: [String(feed.id.rawValue)])) }
}
