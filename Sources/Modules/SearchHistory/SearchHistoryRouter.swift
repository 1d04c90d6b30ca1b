/// Routes out of the list of recent searches.
public struct SearchHistoryRouter: Sendable {
  public init() {}

  /// The route that runs the search again.
  public func search(_ text: String) -> Route { .search(SearchRoute(text: text)) }
}
