public import NewsCore

/// Lists, saves and removes searches under names.
public struct SavedSearchesInteractor: Sendable {
  private let searches: any SavedSearchKeeping
  private let clock: any WallClock
  private let presenter: SavedSearchesPresenter

  public init(
    searches: any SavedSearchKeeping,
    clock: any WallClock,
    presenter: SavedSearchesPresenter = SavedSearchesPresenter()
  ) {
    self.searches = searches
    self.clock = clock
    self.presenter = presenter
  }

  /// Emits all saved searches.
  ///
  /// - Throws: What `emit` throws.
  public func list(emit: Emit<SavedSearchesViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in presenter.list(try await searches.savedSearches()) }
    )
  }

  /// Saves `query` under `name`, which then can stand wherever a feed can.
  ///
  /// - Throws: What `emit` throws.
  public func save(_ query: String, as name: String, emit: Emit<SavedSearchesViewModel>) async throws {
    let search = SavedSearch(name: name, query: query)
    try emit(
      await .loaded { () async throws(StoreError) in
        try await searches.save(search, at: clock.now())
        return presenter.list([search])
      }
    )
  }

  /// Removes the search of that name.
  ///
  /// - Throws: What `emit` throws.
  public func remove(_ name: String, emit: Emit<SavedSearchesViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        guard try await searches.removeSavedSearch(named: name) else {
          throw StoreError(code: .noSuchFeed, message: "no search is saved as '\(name)'")
        }
        return presenter.list([])
      }
    )
  }
}
