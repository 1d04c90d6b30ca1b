import NewsCore

/// The routes that lead on from an addition.
public struct FeedAdditionRouter: Sendable {
  public init() {}

  /// The route that adds the `number`th choice, counted from 1.
  public func pick(_ number: Int, of route: FeedAdditionRoute) -> Route {
    var route = route
    route.options.pick = number
    return .addition(route)
  }
}
