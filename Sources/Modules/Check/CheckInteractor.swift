public import NewsCore

/// Checks the store, and repairs it if the route asks for it.
public struct CheckInteractor: Interactor {
  private let store: any StoreChecking
  private let presenter = CheckPresenter()

  public init(store: any StoreChecking) { self.store = store }

  public func respond(to route: CheckRoute, emit: @escaping Emit<CheckViewModel>) async throws {
    try emit(presenter.begin(route))
    let presenter = presenter
    let progress: StoreProgressHandler = { try? emit(presenter.checking($0, route)) }
    let note = route.isAfterRestore ? try await store.noteRestore() : nil
    var repair =
      route.repairs
      ? try await store.repair(progress: progress)
      : StoreRepair(remaining: try await store.check(progress: progress))
    if let note { repair.notes.insert(note, at: 0) }
    try emit(presenter.present(repair, route))
  }
}
