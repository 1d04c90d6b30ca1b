import NewsCore

/// Formats problems in the form that editors read: `file:line:column: message`.
struct PublisherCheckPresenter: Presenting {
  typealias ViewModel = PublisherCheckViewModel

  func present(_ problems: [SyntaxProblem], name: String) -> Container<PublisherCheckViewModel> {
    .ready(
      PublisherCheckViewModel(
        lines: problems.map { problem in
          let place = problem.line > 0 ? "\(problem.line):\(problem.column): " : ""
          return RecordLine(record: problem, text: DisplayText(line: "\(name):\(place)\(problem.message)"))
        }
      )
    )
  }
}
