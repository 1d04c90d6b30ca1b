public import NewsCore

/// Feeds: records for programs, lines for people; after a change, a note.
public struct SubscriptionsViewModel: RecordContent {
  public var feeds: [Feed]
  /// The feeds as lines; empty if the view shows records only, and after a change.
  public var lines: [SubscriptionLine] = []
  /// Saved searches below the feeds; empty if the view shows records only, in a filtered list and after a
  /// change.
  public var saved: [SavedSearch] = []
  /// The folders of the feeds with their sums, by name; empty if the view shows records only, and after a
  /// change.
  public var folders: [FolderSummary] = []
  /// The numbers of the whole list, if the feeds are a part of it.
  public var totals: FeedWindow.Totals?
  /// The names of all folders and their parents, if a part of the list was asked for with them.
  public var folderNames: [String] = []
  /// For a part of the list: what to do about each failing feed.
  public var advice: [Feed.ID: DisplayText] = [:]
  public var notes: [DisplayText] = []
  public var failsIfEmpty = false

  public init(feeds: [Feed]) {
    self.feeds = feeds
  }

  public var records: [Feed] { feeds }
  public var nothing: DisplayText? {
    failsIfEmpty ? DisplayText("no feed matches") : DisplayText(HeadlinePresenter.noFeeds)
  }
  public var rowCount: Int { feeds.count + saved.count }
}

/// A feed as a line of the list.
public struct SubscriptionLine: Hashable, Sendable {
  public enum Health: Hashable, Sendable {
    case good
    /// The feed has never been fetched.
    case new
    case failing
    /// The server answered 410: the feed is no longer polled.
    case gone
  }

  public var position: Int
  public var id: Feed.ID
  public var unread: Int
  public var items: Int
  public var health: Health
  /// When it was last fetched.
  public var fetched: DisplayText
  public var title: DisplayText
  public var folder: DisplayText?
  public var url: String
  /// Description of the problem.
  public var problem: DisplayText?
}
