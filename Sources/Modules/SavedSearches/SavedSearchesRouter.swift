public import NewsCore

/// The routes that lead on from the list of saved searches.
public struct SavedSearchesRouter: Sendable {
  public init() {}

  /// The route that runs the search.
  public func search(_ saved: SavedSearch) -> Route { .search(SearchRoute(text: saved.query)) }
}
