/// Makes the routes from a search to its matches.
public struct NewsSearchRouter: Sendable {
  public init() {}

  /// The route to the item that the list of matches shows as number `ordinal`.
  public func open(_ ordinal: Int, in found: NewsListViewModel) throws(UserMessage) -> Route {
    try HeadlineSelection.route(to: ordinal, on: found.page, in: found.items)
  }
}
