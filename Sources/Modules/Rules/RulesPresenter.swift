import NewsCore

/// Formats rules as lines and changes as sentences.
struct RulesPresenter: Presenting {
  typealias ViewModel = RulesViewModel

  func list(_ rules: [Rule]) -> Container<RulesViewModel> {
    .ready(
      RulesViewModel(
        lines: rules.map { rule in
          let text = "\(rule.number)  \(rule.actionList)  \(rule.query)"
          return RecordLine(record: rule, text: DisplayText(line: text))
        }
      )
    )
  }

  func added(_ rule: Rule) -> Container<RulesViewModel> {
    .ready(
      RulesViewModel(notes: [DisplayText(line: "Rule \(rule.number): \(rule.actionList) \(rule.query)")])
    )
  }

  func removed(_ number: Int) -> Container<RulesViewModel> {
    .ready(RulesViewModel(notes: [DisplayText(line: "Removed rule \(number).")]))
  }

  func missing(_ number: Int) -> Container<RulesViewModel> {
    present(UserMessage(code: .notFound, text: "there is no rule \(number); 'newsd rules' lists them"))
  }
}
