/// Where a list leads.
public struct NewsListRouter: Sendable {
  public init() {}

  /// To the item that the list shows as number `ordinal`.
  ///
  /// - Throws: A usage error when the list has no such number.
  public func open(_ ordinal: Int, in list: NewsListViewModel) throws(UserMessage) -> Route {
    try HeadlineSelection.open(ordinal, on: list.page, in: list.items)
  }

  /// To another page of the same list.
  public func page(_ number: Int, of route: ListRoute) -> Route {
    var next = route
    next.extent = route.extent.page(number)
    return .list(next)
  }
}
