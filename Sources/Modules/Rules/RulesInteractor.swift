public import NewsService

/// Lists, adds, removes and tries out rules.
public struct RulesInteractor: Sendable {
  private let rules: any RuleKeeping
  private let clock: any WallClock

  public init(rules: any RuleKeeping, clock: any WallClock) {
    self.rules = rules
    self.clock = clock
  }

  /// Emits all rules in their order.
  ///
  /// - Throws: What `emit` throws.
  public func list(emit: Emit<RulesViewModel>) async throws {
    try await run(emit) { () async throws(StoreError) in
      RulesViewModel(rules: try await rules.rules())
    }
  }

  /// Appends a rule; the query is read first, so that a wrong one is refused now and not when items arrive.
  ///
  /// - Throws: What `emit` throws.
  public func add(_ query: String, do actions: [RuleAction], emit: Emit<RulesViewModel>) async throws {
    do {
      _ = try QueryParser.parse(query, now: clock.now())
    } catch {
      return try emit(.failed(UserMessage(error)))
    }
    try await run(emit) { () async throws(StoreError) in
      let rule = try await rules.addRule(query, do: actions, at: clock.now())
      return RulesViewModel(
        notice: DisplayText(line: "Rule \(rule.number): \(rule.actionList) \(rule.query)")
      )
    }
  }

  /// Removes the rule of that number.
  ///
  /// - Throws: What `emit` throws.
  public func remove(_ number: Int, emit: Emit<RulesViewModel>) async throws {
    try await run(emit) { () async throws(StoreError) in
      guard try await rules.removeRule(number) else {
        throw StoreError(code: .noSuchItem, message: "there is no rule \(number); 'newsd rules' lists them")
      }
      return RulesViewModel(notice: DisplayText(line: "Removed rule \(number)."))
    }
  }

  private func run(
    _ emit: Emit<RulesViewModel>,
    _ body: () async throws(StoreError) -> RulesViewModel
  ) async throws {
    let content: RulesViewModel
    do {
      content = try await body()
    } catch {
      return try emit(.failed(UserMessage(error)))
    }
    try emit(.ready(content))
  }
}

/// Rules in their order, or what was done to them.
public struct RulesViewModel: ScreenContent {
  var lines: [RecordLine<Rule>]
  var notice: DisplayText?
  public var rowCount: Int { lines.count + (notice == nil ? 0 : 1) }

  init(rules: [Rule] = [], notice: DisplayText? = nil) {
    lines = rules.map {
      RecordLine(record: $0, text: DisplayText(line: "\($0.number)  \($0.actionList)  \($0.query)"))
    }
    self.notice = notice
  }
}
