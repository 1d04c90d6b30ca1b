public import NewsCore

/// Removes the items that the retention rules no longer keep.
public struct PruneInteractor: Interactor {
  private let pruning: any ItemPruning
  private let clock: any WallClock
  private let presenter = PrunePresenter()

  public init(pruning: any ItemPruning, clock: any WallClock) {
    self.pruning = pruning
    self.clock = clock
  }

  public func respond(to route: PruneRoute, emit: @escaping Emit<PruneViewModel>) async throws {
    try emit(presenter.begin())
    let presenter = presenter
    let report = try await pruning.prune(route.rules, at: clock.now(), dryRun: route.isDryRun) {
      try? emit(presenter.pruning($0))
    }
    try emit(presenter.present(report, isDryRun: route.isDryRun))
  }
}
