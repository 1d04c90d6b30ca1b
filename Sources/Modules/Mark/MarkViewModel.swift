public import NewsCore

/// What marking did, in a sentence.
public struct MarkViewModel: ScreenContent {
  /// Items that have the mark now.
  public var rowCount: Int
  public var notes: [DisplayText]
  /// The items that exist: of a selection, those whose state has changed.
  public var ids: [NewsItem.ID] = []
}
