import NewsSearch
import NewsCore

/// Formats the explanation: the parsed query, then the query plan.
struct SearchExplanationPresenter: Presenting {
  typealias ViewModel = SearchExplanationViewModel

  func present(_ query: Query, plan: [String]) -> Container<SearchExplanationViewModel> {
    let lines = QueryPrinter.explanation(query) + plan
    return .ready(SearchExplanationViewModel(lines: lines.map { DisplayText(line: $0) }))
  }
}
