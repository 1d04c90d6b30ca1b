public import NewsCore

/// Lists recent searches.
public struct SearchHistoryInteractor: Interactor {
  private let history: any SearchHistoryKeeping
  private let presenter = SearchHistoryPresenter()

  public init(history: any SearchHistoryKeeping) {
    self.history = history
  }

  /// Emits the newest `limit` searches.
  public func respond(to limit: Int, emit: @escaping Emit<SearchHistoryViewModel>) async throws {
    try emit(presenter.list(try await history.recentSearches(limit: limit)))
  }
}
