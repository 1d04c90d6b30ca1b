public import NewsCore

/// Saved searches, in the order in which they were first saved.
public struct SavedSearchesViewModel: RecordListContent {
  public typealias Record = SavedSearch

  public var lines: [RecordLine<SavedSearch>]
  public var nothing: DisplayText? {
    DisplayText("no search is saved: 'newsd search QUERY --save NAME' saves one")
  }
  public var rowCount: Int { lines.count }
}
