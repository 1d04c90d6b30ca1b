public import NewsCore

/// Lists recent searches.
public struct SearchHistoryInteractor: Sendable {
  private let history: any SearchHistoryKeeping
  private let presenter: SearchHistoryPresenter

  public init(history: any SearchHistoryKeeping, presenter: SearchHistoryPresenter = SearchHistoryPresenter())
  {
    self.history = history
    self.presenter = presenter
  }

  /// Emits the newest `limit` of them.
  ///
  /// - Throws: What `emit` throws.
  public func run(limit: Int, emit: Emit<SearchHistoryViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        presenter.list(try await history.recentSearches(limit: limit))
      }
    )
  }
}
