public import NewsCore
import NewsToolbox

/// Lists, adds, changes and removes rules.
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
    case .add(let query, let actions, let until):
      // `addRule` rejects a query with a syntax error now, rather than when items arrive.
      let time = clock.now()
      try emit(presenter.added(try await rules.addRule(query, do: actions, until: until, at: time)))
    case .change(let number, let change):
      guard let rule = try await rules.changeRule(number, change, at: clock.now()) else {
        throw presenter.missing(number)
      }
      try emit(presenter.added(rule))
    case .remove(let number):
      guard try await rules.removeRule(number) else { throw presenter.missing(number) }
      try emit(presenter.removed(number))
    }
  }
}

/// An operation on the rules.
public enum RulesRequest: Hashable, Sendable {
  case list
  /// Appends a rule, which applies until a time; nil: always.
  case add(query: String, [RuleAction], until: Timestamp? = nil)
  /// Changes the rule with this number, or its place.
  case change(Int, RuleChange)
  /// Removes the rule with this number. Later rules move up by one.
  case remove(Int)
}

/// Formats rules as lines and changes as sentences.
struct RulesPresenter {
  func list(_ rules: [Rule]) -> Container<RecordList<Rule>> {
    .list(
      rules.map { RecordLine($0, line($0)) },
      nothing: "no rules yet: 'newsd rules add QUERY --do ACTION' adds one"
    )
  }

  private func line(_ rule: Rule) -> String {
    var facts: [String] = []
    if let until = rule.until { facts.append("until \(until.rfc3339)") }
    if rule.hits > 0 { facts.append(Plural.of(rule.hits, "hit")) }
    let line = "\(rule.number)  \(rule.actionList)  \(rule.query)"
    return facts.isEmpty ? line : line + "  (\(facts.joined(separator: ", ")))"
  }

  func added(_ rule: Rule) -> Container<RecordList<Rule>> {
    let until = rule.until.map { ", until \($0.rfc3339)" } ?? ""
    return .note("rule \(rule.number): \(rule.actionList) \(rule.query)\(until)")
  }

  func removed(_ number: Int) -> Container<RecordList<Rule>> { .note("removed rule \(number)") }

  func missing(_ number: Int) -> UserMessage {
    UserMessage(code: .notFound, text: "there is no rule \(number); 'newsd rules' lists them")
  }
}
