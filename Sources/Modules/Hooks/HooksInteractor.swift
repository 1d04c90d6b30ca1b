import NewsSearch
public import NewsCore

/// Lists hooks, sends samples, and retries or drops deliveries.
public struct HooksInteractor: Interactor {
  private let configured: [Hook]
  private let store: any HookKeeping
  private let runner: HookRunner
  private let filters: FilterResolver
  private let clock: any WallClock
  private let presenter: HooksPresenter

  public init(
    configured: [Hook],
    store: any HookKeeping,
    runner: HookRunner,
    filters: FilterResolver,
    clock: any WallClock,
    presenter: HooksPresenter
  ) {
    self.configured = configured
    self.store = store
    self.runner = runner
    self.filters = filters
    self.clock = clock
    self.presenter = presenter
  }

  public func respond(to route: HooksRoute, emit: @escaping Emit<HooksViewModel>) async throws {
    switch route {
    case .list:
      try emit(presenter.list(configured, try await store.hookStates()))
    case .test(let name):
      guard let hook = configured.first(where: { $0.name == name }) else {
        return try emit(presenter.missing(name))
      }
      let query = try await query(of: hook)
      try emit(presenter.tested(hook, try await runner.test(hook, query: query)))
    case .retry(let name):
      if let name, try await !isKnown(name) { return try emit(presenter.missing(name)) }
      try emit(presenter.retried(try await store.retryHook(name, at: clock.now())))
    case .drop(let name, let onlyFailed):
      guard try await isKnown(name) else { return try emit(presenter.missing(name)) }
      try emit(presenter.dropped(name, try await store.dropHook(name, onlyFailed: onlyFailed)))
    }
  }

  private func query(of hook: Hook) async throws -> Query? {
    guard let text = hook.query else { return nil }
    var filter = ItemFilter()
    filter.query = try QueryParser.parse(text, now: clock.now()).query
    return try await filters.query(filter)
  }

  private func isKnown(_ name: String) async throws(StoreError) -> Bool {
    if configured.contains(where: { $0.name == name }) { return true }
    return try await store.hookStates().contains { $0.name == name }
  }
}
