public import NewsCore

/// Where an item leads.
public struct NewsItemRouter: Sendable {
  public init() {}

  /// Back to the list of the item's feed.
  public func list(of item: NewsItem) -> Route {
    .list(ListRoute(filter: ItemFilter(feedID: item.feedID)))
  }
}
