public import NewsCore

/// Copies the store to a new file.
public struct BackupInteractor: Interactor {
  private let store: any StoreBackingUp
  private let presenter = BackupPresenter()

  public init(store: any StoreBackingUp) {
    self.store = store
  }

  /// Copies the store to `path`, where no file may exist yet.
  public func respond(to path: String, emit: @escaping Emit<BackupViewModel>) async throws {
    try emit(presenter.begin())
    let presenter = presenter
    try await store.backup(to: path) { try? emit(presenter.copying($0)) }
    try emit(presenter.copied(to: path))
  }
}
