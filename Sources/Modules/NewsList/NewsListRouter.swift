/// Routes out of a list.
public struct NewsListRouter: Sendable {
  public init() {}

  /// The route to the item that the list shows as number `ordinal`.
  ///
  /// - Throws: A usage error if the list has no such number.
  public func open(_ ordinal: Int, in list: NewsListViewModel) throws(UserMessage) -> Route {
    try HeadlineSelection.route(to: ordinal, on: list.page, in: list.items)
  }

  /// The route to another page of the same list.
  public func page(_ number: Int, of route: ListRoute) -> Route {
    var next = route
    next.extent = route.extent.page(number)
    return .list(next)
  }
}
