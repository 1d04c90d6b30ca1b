/// Routes out of a refresh.
public struct RefreshRouter: Sendable {
  public init() {}

  /// The route to the failing feeds and the causes.
  public var failures: Route { .failures }
}
