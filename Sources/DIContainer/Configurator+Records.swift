public import Modules
import NewsCore
import NewsText
import NewsFormats

extension Configurator {
  /// Follows the store until the task is cancelled.
  ///
  /// - Parameters:
  ///   - route: What is shown, and from where on.
  ///   - cursor: Remembers how far the output has come; nil: nobody does.
  /// - Returns: The exit status.
  /// - Throws: As `run`.
  public func runFollow(_ route: FollowRoute, cursor: (any CursorKeeping)?) async throws -> Int32 {
    let store = try services.store()
    let output = try presentation.itemOutput(services)
    let screen = presentation.screen(
      output.view(text: FollowView(terminal: output.terminal, width: presentation.currentWidth)),
      flushesAlways: true
    )
    let interactor = FollowInteractor(
      changes: store,
      news: store,
      feeds: store,
      cursor: cursor,
      presenter: FollowPresenter(output.interest, times: output.terminal.times)
    )
    var route = route
    route.filter = try await resolved(route.filter)
    try await interactor.run(route, emit: screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  /// Runs a program for each item that is stored until the task is cancelled.
  ///
  /// - Parameters:
  ///   - program: Which, and how.
  ///   - route: For which items, and from where on.
  ///   - cursor: Remembers which items have been dealt with; nil: nobody does.
  /// - Returns: The exit status.
  /// - Throws: As `run`.
  public func runFollow(
    running program: ItemProgram,
    _ route: FollowRoute,
    cursor: (any CursorKeeping)?
  ) async throws -> Int32 {
    let store = try services.store()
    let output = try presentation.itemOutput(services)
    let screen = Screen(
      view: ProgramReportView(),
      output: presentation.messages,
      messages: presentation.messages,
      flushesAlways: true
    )
    let interactor = FollowProgramInteractor(
      changes: store,
      news: store,
      feeds: store,
      cursor: cursor,
      programs: services.programs,
      program: program,
      input: ProgramInput(parts: output.parts) { try output.line(of: $0) }
    )
    var route = route
    route.filter = try await resolved(route.filter)
    try await interactor.run(route, emit: screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  func runChanges(after sequence: Int64, limit: Int?) async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.changes())
    try await ChangesInteractor(changes: try services.store())
      .run(after: sequence, limit: limit, emit: screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  func runStatus() async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.status())
    try await makeStatus().summary(store: services.settings.store, emit: screen.emit)
    return screen.exitStatus
  }

  func runPlan(horizon: Int64) async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.plan())
    try await makeStatus().plan(horizon: horizon, emit: screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  func runFailures() async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.failures())
    try await makeStatus().failures(emit: screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  private func makeStatus() throws(StoreError) -> StatusInteractor {
    let store = try services.store()
    return StatusInteractor(
      feeds: store,
      changes: store,
      clock: services.clock,
      presenter: StatusPresenter(times: presentation.terminal.times)
    )
  }

  /// Runs something on the rules.
  ///
  /// - Parameter change: What to do with the module's interactor.
  /// - Returns: The exit status.
  /// - Throws: As `run`.
  public func runRules(
    _ change: (RulesInteractor, @escaping Emit<RulesViewModel>) async throws -> Void
  ) async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.rules())
    try await change(RulesInteractor(rules: try services.store(), clock: services.clock), screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  /// Runs something on the saved searches.
  ///
  /// - Parameter change: What to do with the module's interactor.
  /// - Returns: The exit status.
  /// - Throws: As `run`.
  public func runSavedSearches(
    _ change: (SavedSearchesInteractor, @escaping Emit<SavedSearchesViewModel>) async throws -> Void
  ) async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.savedSearches())
    let interactor = SavedSearchesInteractor(searches: try services.store(), clock: services.clock)
    try await change(interactor, screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  func runVersions(_ id: NewsItem.ID) async throws -> Int32 {
    let screen = presentation.screen(try presentation.recordShape.versions())
    try await makeVersions().list(id, emit: screen.emit)
    return screen.exitStatus
  }

  func runDifference(_ id: NewsItem.ID) async throws -> Int32 {
    let screen = presentation.screen(ItemDifferenceView(terminal: presentation.terminal))
    try await makeVersions().difference(id, emit: screen.emit)
    return screen.exitStatus
  }

  private func makeVersions() throws(StoreError) -> ItemVersionsInteractor {
    let store = try services.store()
    return ItemVersionsInteractor(news: store, versions: store)
  }
}
