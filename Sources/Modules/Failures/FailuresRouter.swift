public import NewsCore

/// Where the list of failing feeds leads.
public struct FailuresRouter: Sendable {
  public init() {}

  /// To another try.
  public func fetch(_ feed: Feed) -> Route { .fetch(FetchRoute(feeds: [String(feed.id.rawValue)])) }
}
