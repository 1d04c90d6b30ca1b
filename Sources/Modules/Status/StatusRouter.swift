/// Routes out of the figures.
public struct StatusRouter: Sendable {
  public init() {}

  /// The route to the failing feeds.
  public var failures: Route { .failures }

  /// The route to the polls of the next `horizon` seconds.
  public func plan(horizon: Int64) -> Route { .plan(horizon: horizon) }
}
