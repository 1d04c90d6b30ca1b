/// Where the list of recent searches leads.
public struct SearchHistoryRouter: Sendable {
  public init() {}

  /// To the same search again.
  public func search(_ text: String) -> Route { .search(SearchRoute(text: text)) }
}
