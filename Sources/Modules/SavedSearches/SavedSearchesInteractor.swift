public import NewsCore

/// Lists, saves and removes searches under names.
public struct SavedSearchesInteractor: Interactor {
  private let searches: any DefinitionKeeping
  private let clock: any WallClock
  private let presenter = SavedSearchesPresenter()

  public init(searches: any DefinitionKeeping, clock: any WallClock) {
    self.searches = searches
    self.clock = clock
  }

  public func respond(
    to request: SavedSearchesRequest,
    emit: @escaping Emit<RecordList<SavedSearch>>
  ) async throws {
    switch request {
    case .list:
      try emit(presenter.list(try await searches.savedSearches()))
    case .save(let query, let name):
      let search = SavedSearch(name: name, query: query)
      try await searches.save(search, at: clock.now())
      try emit(presenter.list([search]))
    case .remove(let name):
      guard try await searches.removeSavedSearch(named: name) else {
        throw presenter.missing(name)
      }
      try emit(presenter.list([]))
    }
  }
}

/// An operation on the saved searches.
public enum SavedSearchesRequest: Hashable, Sendable {
  case list
  /// Saves the query under a name, which is then accepted wherever a feed's name is.
  case save(query: String, name: String)
  case remove(name: String)
}

/// Formats saved searches as lines, in the order in which they were first saved.
struct SavedSearchesPresenter {
  func list(_ searches: [SavedSearch]) -> Container<RecordList<SavedSearch>> {
    .list(
      searches.map { RecordLine($0, "\($0.name): \($0.query)") },
      nothing: "no search is saved: 'newsd search QUERY --save NAME' saves one"
    )
  }

  func missing(_ name: String) -> UserMessage {
    UserMessage(code: .notFound, text: "no search is saved as '\(name)'")
  }
}
