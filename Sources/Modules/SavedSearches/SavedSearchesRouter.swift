public import NewsCore

/// Where the list of saved searches leads.
public struct SavedSearchesRouter: Sendable {
  public init() {}

  /// To what the search finds now.
  public func search(_ saved: SavedSearch) -> Route { .search(SearchRoute(text: saved.query)) }
}
