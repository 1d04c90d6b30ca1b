public import NewsCore

/// Returns unused space in the store to the file system.
public struct CompactInteractor: Interactor {
  private let store: any StoreCompacting
  private let presenter = CompactPresenter()

  public init(store: any StoreCompacting) {
    self.store = store
  }

  /// Compacts the store. The note on the result shows `path` as its name.
  public func respond(to path: String, emit: @escaping Emit<CompactViewModel>) async throws {
    let presenter = presenter
    try emit(presenter.begin())
    let sizes = try await store.compact { try? emit(presenter.compacting($0)) }
    try emit(presenter.present(path, before: sizes.before, after: sizes.after))
  }
}
