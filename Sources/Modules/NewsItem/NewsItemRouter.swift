/// Makes the routes from an item to other screens.
public struct NewsItemRouter: Sendable {
  public init() {}

  /// The route to the list of the item's feed.
  public func list(of page: NewsItemPage) -> Route {
    .list(ListRoute(filter: ItemFilter(feedID: page.feedID)))
  }
}
