public import NewsCore

/// The added feed, or the feeds of a web page to choose from.
public struct FeedAdditionViewModel: ScreenContent {
  public var feed: Feed?
  /// The choices; their numbers count from 1.
  public var choices: [DiscoveredFeed] = []
  public var notes: [DisplayText] = []
  public var warnings: [DisplayText] = []
  public var rowCount: Int { feed == nil ? choices.count : 1 }
}
