public import NewsCore

/// Lists, saves and removes searches under names.
public struct SavedSearchesInteractor: Interactor {
  private let searches: any SavedSearchKeeping
  private let clock: any WallClock
  private let presenter = SavedSearchesPresenter()

  public init(searches: any SavedSearchKeeping, clock: any WallClock) {
    self.searches = searches
    self.clock = clock
  }

  public func respond(to route: SavedSearchesRoute, emit: @escaping Emit<SavedSearchesViewModel>) async throws
  {
    switch route {
    case .list:
      try emit(presenter.list(try await searches.savedSearches()))
    case .save(let query, let name):
      let search = SavedSearch(name: name, query: query)
      try await searches.save(search, at: clock.now())
      try emit(presenter.list([search]))
    case .remove(let name):
      guard try await searches.removeSavedSearch(named: name) else {
        return try emit(presenter.missing(name))
      }
      try emit(presenter.list([]))
    }
  }
}
