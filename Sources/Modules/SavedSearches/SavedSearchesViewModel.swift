public import NewsCore

/// Saved searches, in the order in which they were first saved.
public struct SavedSearchesViewModel: RecordListContent {
  public typealias Record = SavedSearch

  public var lines: [RecordLine<SavedSearch>]
  public var rowCount: Int { lines.count }
}
