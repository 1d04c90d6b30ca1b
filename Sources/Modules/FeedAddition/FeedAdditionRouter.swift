import NewsCore

/// Routes out of an addition.
public struct FeedAdditionRouter: Sendable {
  public init() {}

  /// The route to the new feed's items; nil if no feed was added.
  public func list(_ addition: FeedAdditionViewModel) -> Route? {
    addition.feed.map { Route.list(ListRoute(filter: ItemFilter(feedID: $0.id))) }
  }

  /// The route that adds the `number`th choice, counted from 1.
  public func pick(_ number: Int, of route: FeedAdditionRoute) -> Route {
    var route = route
    route.options.pick = number
    return .addition(route)
  }
}
