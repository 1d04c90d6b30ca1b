public import NewsCore

/// The result of marking, as a note.
public struct MarkViewModel: ScreenContent {
  /// Number of marked items.
  public var rowCount: Int
  public var notes: [DisplayText]
  /// The marked items that exist. If a filter selected them, only items whose state has changed.
  public var ids: [NewsItem.ID] = []
}
