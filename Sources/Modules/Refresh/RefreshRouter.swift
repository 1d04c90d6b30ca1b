/// Where a refresh leads.
public struct RefreshRouter: Sendable {
  public init() {}

  /// From failed feeds to why they fail.
  public var failures: Route { .failures }
}
