public import NewsCore

/// Saved searches in the order they were first saved.
public struct SavedSearchesViewModel: RecordListContent {
  public typealias Record = SavedSearch

  public var lines: [RecordLine<SavedSearch>]
  public var rowCount: Int { lines.count }
}

/// Saved searches as lines.
public struct SavedSearchesPresenter: Sendable {
  public init() {}

  func list(_ searches: [SavedSearch]) -> SavedSearchesViewModel {
    SavedSearchesViewModel(
      lines: searches.map { RecordLine(record: $0, text: DisplayText(line: "\($0.name): \($0.query)")) }
    )
  }
}
