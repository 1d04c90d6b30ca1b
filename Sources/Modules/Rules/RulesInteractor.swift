public import NewsCore

/// Lists, adds and removes rules.
public struct RulesInteractor: Interactor {
  private let rules: any RuleKeeping
  private let clock: any WallClock
  private let presenter = RulesPresenter()

  public init(rules: any RuleKeeping, clock: any WallClock) {
    self.rules = rules
    self.clock = clock
  }

  public func respond(to route: RulesRoute, emit: @escaping Emit<RulesViewModel>) async throws {
    switch route {
    case .list:
      try emit(presenter.list(try await rules.rules()))
    case .add(let query, let actions):
      // `addRule` rejects a query with a syntax error now, rather than when items arrive.
      try emit(presenter.added(try await rules.addRule(query, do: actions, at: clock.now())))
    case .remove(let number):
      guard try await rules.removeRule(number) else { return try emit(presenter.missing(number)) }
      try emit(presenter.removed(number))
    }
  }
}
