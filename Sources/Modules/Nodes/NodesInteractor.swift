public import NewsCore

/// Lists the processes that poll the feeds of a store together.
public struct NodesInteractor: Interactor {
  private let store: (any NodeListing)?
  private let presenter: NodesPresenter

  /// `store` is nil if only one process can poll it.
  public init(store: (any NodeListing)?, presenter: NodesPresenter) {
    self.store = store
    self.presenter = presenter
  }

  public func respond(to request: Void, emit: @escaping Emit<NodesViewModel>) async throws {
    guard let store else { return try emit(presenter.singleProcess()) }
    try emit(presenter.list(try await store.nodes()))
  }
}
