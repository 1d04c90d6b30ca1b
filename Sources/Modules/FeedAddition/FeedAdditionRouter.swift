import NewsCore

/// Makes the route from the feeds of a web page to the addition of the chosen feed.
public struct FeedAdditionRouter: Sendable {
  public init() {}

  /// The route that adds the `number`th choice, counted from 1.
  public func pick(_ number: Int, of route: FeedAdditionRoute) -> Route {
    var route = route
    route.options.pick = number
    return .addition(route)
  }
}
