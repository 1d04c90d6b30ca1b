/// Where the figures lead.
public struct StatusRouter: Sendable {
  public init() {}

  /// To the feeds that fail.
  public var failures: Route { .failures }

  /// To the polls of the next `horizon` seconds.
  public func plan(horizon: Int64) -> Route { .plan(horizon: horizon) }
}
