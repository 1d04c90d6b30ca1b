/// Formats recent searches as lines.
struct SearchHistoryPresenter: Presenting {
  typealias ViewModel = SearchHistoryViewModel

  func list(_ searches: [String]) -> Container<SearchHistoryViewModel> {
    .ready(
      SearchHistoryViewModel(lines: searches.map { RecordLine(record: $0, text: DisplayText(line: $0)) })
    )
  }
}
