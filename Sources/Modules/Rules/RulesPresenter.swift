public import NewsCore

/// Rules in their order, or what was done to them.
public struct RulesViewModel: RecordListContent {
  public typealias Record = Rule

  public var lines: [RecordLine<Rule>] = []
  public var notice: DisplayText?
  public var rowCount: Int { lines.count + (notice == nil ? 0 : 1) }
}

/// Rules as lines.
public struct RulesPresenter: Sendable {
  public init() {}

  func list(_ rules: [Rule]) -> RulesViewModel {
    RulesViewModel(
      lines: rules.map { rule in
        let text = "\(rule.number)  \(rule.actionList)  \(rule.query)"
        return RecordLine(record: rule, text: DisplayText(line: text))
      }
    )
  }

  func added(_ rule: Rule) -> RulesViewModel {
    RulesViewModel(notice: DisplayText(line: "Rule \(rule.number): \(rule.actionList) \(rule.query)"))
  }

  func removed(_ number: Int) -> RulesViewModel {
    RulesViewModel(notice: DisplayText(line: "Removed rule \(number)."))
  }
}
