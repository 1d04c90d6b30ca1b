/// A query under a name; usable wherever a feed is.
public struct SavedSearch: Hashable, Sendable {
  public var name: String
  /// As typed; read anew at each use, so that `since:3d` counts from then.
  public var query: String

  public init(name: String, query: String) {
    self.name = name
    self.query = query
  }
}

/// Keeping searches under names.
public protocol SavedSearchKeeping: Sendable {
  /// In the order they were first saved.
  func savedSearches() async throws(StoreError) -> [SavedSearch]
  /// The search saved under this name, without regard to case; nil: none is.
  func savedSearch(named name: String) async throws(StoreError) -> SavedSearch?
  /// Saves or replaces. Throws `badQuery` when the query cannot be read or the name is empty.
  func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError)
  /// False when none has that name.
  func removeSavedSearch(named name: String) async throws(StoreError) -> Bool
}
