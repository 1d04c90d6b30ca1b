public import NewsCore

/// The result of marking, as a note.
public struct MarkViewModel: ScreenContent {
  /// Number of marked items.
  public var rowCount: Int
  public var notes: [DisplayText]
  /// The items that exist: of a selection, those whose state has changed.
  public var ids: [NewsItem.ID] = []
}
