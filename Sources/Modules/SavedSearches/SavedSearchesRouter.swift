public import NewsCore

/// Makes the routes from the list of saved searches to their matches.
public struct SavedSearchesRouter: Sendable {
  public init() {}

  /// The route that runs the search.
  public func search(_ saved: SavedSearch) -> Route { .search(SearchRoute(text: saved.query)) }
}
