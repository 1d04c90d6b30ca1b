public import NewsCore

/// Lists the deliveries that were given up.
public struct HookFailuresInteractor: Interactor {
  private let store: any HookKeeping
  private let presenter: HookFailuresPresenter

  public init(store: any HookKeeping, presenter: HookFailuresPresenter) {
    self.store = store
    self.presenter = presenter
  }

  public func respond(to request: Void, emit: @escaping Emit<HookFailuresViewModel>) async throws {
    try emit(presenter.list(try await store.failedEntries()))
  }
}
