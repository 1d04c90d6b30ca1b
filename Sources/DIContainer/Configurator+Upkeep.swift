public import NewsCore
import Modules
import NewsFormats
import NewsText

extension Configurator {
  /// Lists feeds that have moved.
  ///
  /// - Returns: The exit status.
  /// - Throws: As `run`.
  public func runMoves() async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.moves())
    try await MovesInteractor(editor: try services.makeMoveEditor()).list(emit: screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  /// Removes what is kept no longer.
  ///
  /// - Parameters:
  ///   - rules: What goes.
  ///   - dryRun: True: nothing is changed.
  /// - Returns: How many items went, or would; nil when it failed, with the exit status.
  /// - Throws: As `run`.
  public func runPrune(_ rules: RetentionRules, dryRun: Bool) async throws -> (total: Int?, status: Int32) {
    let screen = presentation.screen(try presentation.recordShape.prune())
    let interactor = PruneInteractor(pruning: try services.store(), clock: services.clock)
    let total = try await interactor.run(rules, dryRun: dryRun, emit: screen.emit)
    return (total, screen.failure?.code.rawValue ?? 0)
  }

  /// Verifies the store.
  ///
  /// - Parameter repairs: True: what can be rebuilt is rebuilt.
  /// - Returns: What was found and what is left; nil when it failed, with the exit status.
  /// - Throws: As `run`.
  public func runCheck(repairs: Bool) async throws -> (repair: StoreRepair?, status: Int32) {
    let screen = presentation.screen(try presentation.recordShape.check())
    let repair = try await CheckInteractor(store: try services.store()).run(
      repairs: repairs,
      emit: screen.emit
    )
    return (repair, screen.failure?.code.rawValue ?? 0)
  }
}
