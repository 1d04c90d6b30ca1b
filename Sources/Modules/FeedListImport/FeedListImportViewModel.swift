public import NewsCore

/// The feeds that a list added.
public struct FeedListImportViewModel: ScreenContent {
  public var feeds: [Feed]
  public var notes: [DisplayText]
  public var warnings: [DisplayText]
  public var rowCount: Int { feeds.count }
}
