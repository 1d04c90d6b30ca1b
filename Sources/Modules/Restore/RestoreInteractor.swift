public import NewsCore

/// Replaces the store with a backup.
public struct RestoreInteractor: Interactor {
  private let store: any StoreRestoring
  private let presenter = RestorePresenter()

  public init(store: any StoreRestoring) {
    self.store = store
  }

  public func respond(to route: RestoreRoute, emit: @escaping Emit<RestoreViewModel>) async throws {
    let presenter = presenter
    try emit(presenter.begin())
    let restored = try await store.restore(from: route.backup) { try? emit(presenter.restoring($0)) }
    try emit(presenter.present(restored, route))
  }
}
