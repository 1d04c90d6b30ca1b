public import NewsCore

/// Lists, adds, removes and tries out rules.
public struct RulesInteractor: Sendable {
  private let rules: any RuleKeeping
  private let clock: any WallClock
  private let presenter: RulesPresenter

  public init(rules: any RuleKeeping, clock: any WallClock, presenter: RulesPresenter = RulesPresenter()) {
    self.rules = rules
    self.clock = clock
    self.presenter = presenter
  }

  /// Emits all rules in their order.
  ///
  /// - Throws: What `emit` throws.
  public func list(emit: Emit<RulesViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in presenter.list(try await rules.rules()) }
    )
  }

  /// Appends a rule; a query that cannot be read is refused now, and not when items arrive.
  ///
  /// - Throws: What `emit` throws.
  public func add(_ query: String, do actions: [RuleAction], emit: Emit<RulesViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        presenter.added(try await rules.addRule(query, do: actions, at: clock.now()))
      }
    )
  }

  /// Removes the rule of that number.
  ///
  /// - Throws: What `emit` throws.
  public func remove(_ number: Int, emit: Emit<RulesViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        guard try await rules.removeRule(number) else {
          throw StoreError(code: .noSuchItem, message: "there is no rule \(number); 'newsd rules' lists them")
        }
        return presenter.removed(number)
      }
    )
  }
}
