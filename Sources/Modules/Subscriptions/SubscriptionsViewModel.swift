public import NewsCore

/// Feeds: records for programs, or lines for people; after a change, the changed feeds as records, and a note.
public struct SubscriptionsViewModel: RecordContent {
  /// The records; empty if the view shows lines, except after a change.
  public var feeds: [Feed]
  /// The feeds as lines; empty if the view shows records, and after a change.
  public var lines: [SubscriptionLine] = []
  /// Saved searches below the feeds; empty if the view shows records, in a filtered list and after a change.
  public var saved: [SavedSearch] = []
  /// The folders of the feeds with their sums, by name; empty if the view shows records, and after a change.
  public var folders: [FolderSummary] = []
  /// The numbers of the whole list, if the feeds are a part of it.
  public var totals: FeedWindow.Totals?
  /// The names of all folders and their parents, if a part of the list was asked for with them.
  public var folderNames: [String] = []
  public var notes: [DisplayText] = []
  public var failsIfEmpty = false

  public init(feeds: [Feed] = []) {
    self.feeds = feeds
  }

  public var records: [Feed] { feeds }
  public var nothing: DisplayText? {
    failsIfEmpty ? DisplayText("no feed matches") : DisplayText(HeadlinePresenter.noFeeds)
  }
  public var rowCount: Int { feeds.count + lines.count + saved.count }
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
    /// The user has paused the feed.
    case paused
  }

  /// When the feed is polled next.
  public enum NextPoll: Hashable, Sendable {
    case now
    case at(Timestamp, DueReason?)
    /// Never, because the feed is gone or paused.
    case never
    /// Never, because programs write its items.
    case ingested
  }

  public var position: Int
  public var id: Feed.ID
  public var unread: Int
  public var items: Int
  public var health: Health
  /// When it was last fetched.
  public var fetched: DisplayText
  public var lastFetched: Timestamp?
  public var title: DisplayText
  public var folder: DisplayText?
  /// The folder's path, by which routes name it.
  public var folderPath: String?
  /// The feed's own URL; it may contain a password.
  public var feedURL: String
  public var homePage: String?
  /// The URL to open: the home page, or else the feed.
  public var url: String { homePage ?? feedURL }
  public var nextPoll: NextPoll
  /// Description of the problem.
  public var problem: DisplayText?
  /// For a part of the list: what to do about the problem.
  public var advice: DisplayText?
  /// The error of the last poll, and when the failures began; nil: it worked.
  public var error: DisplayText?
  public var failingSince: Timestamp?
  /// True: its items are left out of Unread and All.
  public var isHidden = false
}
