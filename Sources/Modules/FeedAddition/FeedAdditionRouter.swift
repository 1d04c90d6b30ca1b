import NewsCore

/// Where an addition leads.
public struct FeedAdditionRouter: Sendable {
  public init() {}

  /// To the new feed's items; nil when none was added.
  public func list(_ addition: FeedAdditionViewModel) -> Route? {
    addition.feed.map { Route.list(ListRoute(filter: ItemFilter(feedID: $0.id))) }
  }

  /// To the addition of the `number`th choice, counted from 1.
  public func pick(_ number: Int, of route: FeedAdditionRoute) -> Route {
    var route = route
    route.options.pick = number
    return .addition(route)
  }
}
