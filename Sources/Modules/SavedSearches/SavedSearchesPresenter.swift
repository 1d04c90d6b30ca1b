import NewsCore

/// Formats saved searches as lines.
struct SavedSearchesPresenter: Presenting {
  typealias ViewModel = SavedSearchesViewModel

  func list(_ searches: [SavedSearch]) -> Container<SavedSearchesViewModel> {
    .ready(
      SavedSearchesViewModel(
        lines: searches.map { RecordLine(record: $0, text: DisplayText(line: "\($0.name): \($0.query)")) }
      )
    )
  }

  func missing(_ name: String) -> Container<SavedSearchesViewModel> {
    present(UserMessage(code: .notFound, text: "no search is saved as '\(name)'"))
  }
}
