/// A query with a name, accepted wherever a feed is.
public struct SavedSearch: Hashable, Sendable {
  public var name: String
  /// The query as typed. It is parsed at each use, so that `since:3d` is relative to the time of that use.
  public var query: String

  public init(name: String, query: String) {
    self.name = name
    self.query = query
  }
}

/// Stores searches under names.
public protocol SavedSearchKeeping: Sendable {
  /// Returns all saved searches, in the order in which they were first saved.
  func savedSearches() async throws(StoreError) -> [SavedSearch]
  /// Returns the search with this name, compared case-insensitively; nil if there is none.
  func savedSearch(named name: String) async throws(StoreError) -> SavedSearch?
  /// Saves or replaces a search. Throws `badQuery` when the query cannot be parsed, names an unknown saved
  /// search or itself, or when the name is empty or that of a feed.
  func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError)
  /// Removes a saved search. Returns false if there is no search with this name. Throws `badQuery` if a rule
  /// or another search names it.
  func removeSavedSearch(named name: String) async throws(StoreError) -> Bool
}
