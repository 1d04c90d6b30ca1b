public import NewsCore

/// The feeds added from a list.
public struct FeedListImportViewModel: ScreenContent {
  public var feeds: [Feed]
  public var notes: [DisplayText]
  public var warnings: [DisplayText]
  public var rowCount: Int { feeds.count }
}
