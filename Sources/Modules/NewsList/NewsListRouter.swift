/// Makes the routes from a list to its items.
public struct NewsListRouter: Sendable {
  public init() {}

  /// The route to the item that the list shows as number `ordinal`.
  public func open(_ ordinal: Int, in list: NewsListViewModel) throws(UserMessage) -> Route {
    try HeadlineSelection.route(to: ordinal, on: list.page, in: list.items)
  }
}
