public import NewsCore

/// The feed that was added, or the feeds of a page to choose from.
public struct FeedAdditionViewModel: ScreenContent {
  public var feed: Feed?
  /// In the order of their numbers, counted from 1.
  public var choices: [DiscoveredFeed] = []
  public var notes: [DisplayText] = []
  public var warnings: [DisplayText] = []
  public var rowCount: Int { feed == nil ? choices.count : 1 }
}
