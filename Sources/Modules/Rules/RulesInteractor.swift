public import NewsCore

/// Lists, adds and removes rules.
public struct RulesInteractor: Interactor {
  private let rules: any DefinitionKeeping
  private let clock: any WallClock
  private let presenter = RulesPresenter()

  public init(rules: any DefinitionKeeping, clock: any WallClock) {
    self.rules = rules
    self.clock = clock
  }

  public func respond(to request: RulesRequest, emit: @escaping Emit<RecordList<Rule>>) async throws {
    switch request {
    case .list:
      try emit(presenter.list(try await rules.rules()))
    case .add(let query, let actions):
      // `addRule` rejects a query with a syntax error now, rather than when items arrive.
      try emit(presenter.added(try await rules.addRule(query, do: actions, at: clock.now())))
    case .remove(let number):
      guard try await rules.removeRule(number) else { throw presenter.missing(number) }
      try emit(presenter.removed(number))
    }
  }
}

/// An operation on the rules.
public enum RulesRequest: Hashable, Sendable {
  case list
  /// Appends a rule.
  case add(query: String, [RuleAction])
  /// Removes the rule with this number. Later rules move up by one.
  case remove(Int)
}

/// Formats rules as lines and changes as sentences.
struct RulesPresenter {
  func list(_ rules: [Rule]) -> Container<RecordList<Rule>> {
    .list(
      rules.map { RecordLine($0, "\($0.number)  \($0.actionList)  \($0.query)") },
      nothing: "no rules yet: 'newsd rules add QUERY --do ACTION' adds one"
    )
  }

  func added(_ rule: Rule) -> Container<RecordList<Rule>> {
    .note("rule \(rule.number): \(rule.actionList) \(rule.query)")
  }

  func removed(_ number: Int) -> Container<RecordList<Rule>> { .note("removed rule \(number)") }

  func missing(_ number: Int) -> UserMessage {
    UserMessage(code: .notFound, text: "there is no rule \(number); 'newsd rules' lists them")
  }
}
