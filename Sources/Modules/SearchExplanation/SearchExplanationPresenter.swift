import NewsCore

/// Explains a query: how it is read, then which index serves it.
struct SearchExplanationPresenter: Presenting {
  typealias ViewModel = SearchExplanationViewModel

  func present(_ query: Query, plan: [String]) -> Container<SearchExplanationViewModel> {
    let lines = QueryPrinter.explanation(query) + plan
    return .ready(SearchExplanationViewModel(lines: lines.map { DisplayText(line: $0) }))
  }
}
