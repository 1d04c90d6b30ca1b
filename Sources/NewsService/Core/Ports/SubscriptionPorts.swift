/// Keeps subscriptions, their folders and their settings.
public protocol FeedKeeping: Sendable {
  /// Returns all feeds, in the user's order.
  func feeds() async throws(StoreError) -> [Feed]
  /// Returns a part of the feeds without reading the others, and the totals of all.
  func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals)
  /// Returns the folders of the feeds, in no order, but not their parents.
  func folders() async throws(StoreError) -> [String]
  /// The feeds whose items the lists of all items leave out.
  func hiddenFeeds() async throws(StoreError) -> [Feed.ID]
  /// Finds a feed by id, exact URL, or title; titles match case-insensitively, and a unique part of a title suffices.
  /// Throws `noSuchFeed` with similar names, or `ambiguousFeed` with the matches.
  func feed(named name: String) async throws(StoreError) -> Feed

  /// Appends the feed to the user's order. Throws `duplicateFeed`, naming the existing feed, if the URL is
  /// already subscribed to, and `badQuery` if a saved search has the title.
  func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed
  /// Adds the new feeds in one transaction; feeds whose URL exists are returned as duplicates.
  func add(_ feeds: [NewFeed], at time: Timestamp) async throws(StoreError) -> (
    added: [Feed], duplicates: [NewFeed]
  )
  /// Removes the feed and its items; the items get tombstones in the change log.
  func remove(_ id: Feed.ID) async throws(StoreError)
  func rename(_ id: Feed.ID, to title: String) async throws(StoreError)
  /// Moves the feed to the 1-based `position` and renumbers the others. A position beyond the end means the end.
  func move(_ id: Feed.ID, to position: Int) async throws(StoreError)
  /// Puts different feeds in this order, on the positions that they have now. Ids without a feed are ignored.
  func arrange(_ ids: [Feed.ID]) async throws(StoreError)
  /// Moves the feed into a folder; nil: to the top level.
  func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError)
  /// Replaces the feed's own settings. If its interval bounds changed, its waiting poll is rescheduled within
  /// the new ones, or within `general` where the feed has no bound any more.
  func update(_ id: Feed.ID, settings: FeedSettings, general: ClosedRange<Int64>) async throws(StoreError)
  /// Changes the URL only. Throws `duplicateFeed` when another feed has it.
  func update(_ id: Feed.ID, url: String) async throws(StoreError)

  // MARK: Folders

  /// Moves the feeds of a folder to another folder; nil: to none. With a new name, subfolders are renamed
  /// too. A folder that was made without a feed is moved or removed.
  func moveFolder(_ folder: String, to name: String?) async throws(StoreError)
  /// Returns the settings of a folder for articles; empty if it has none. A feed that is added or moved to a folder or
  /// one of its subfolders inherits the settings that it lacks.
  func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings
  /// Returns the folders that sync clients made or renamed, by name. They exist without feeds until they are removed.
  func madeFolders() async throws(StoreError) -> [MadeFolder]
  /// Makes a folder that exists without a feed.
  func makeFolder(_ folder: MadeFolder) async throws(StoreError)
  /// Stores `article` and its selectors for a folder; other settings belong to single feeds.
  func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError)

  // MARK: Identity policies

  func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity
  /// Sets the policy; nil: newsd chooses it from the feed's history again. Takes effect at the next refresh, also for
  /// the items stored so far. Throws `badQuery` for an unknown policy.
  func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError)
}

extension FeedKeeping {
  public func update(_ id: Feed.ID, settings: FeedSettings) async throws(StoreError) {
    try await update(id, settings: settings, general: FeedSettings.intervals)
  }
}

/// The identity policy of one feed.
public struct FeedIdentity: Hashable, Sendable {
  /// `guid`: the guid, else the link, else the content. `link`: the link, else the guid, else the content.
  /// `content`: title and text.
  public var policy: String
  /// True if the user chose the policy; false if newsd chose it from the feed's history.
  public var isChosenByUser: Bool

  public init(policy: String, isChosenByUser: Bool) {
    self.policy = policy
    self.isChosenByUser = isChosenByUser
  }

  public static let policies = ["guid", "link", "content"]
}

/// A request for a part of the list of feeds. With 100,000 feeds, a page must not read them all.
public struct FeedWindow: Hashable, Sendable {
  public enum Subset: Hashable, Sendable {
    /// All feeds, in the user's order.
    case all
    /// Feeds with unread items, and feeds of `FailureReport`, in the user's order.
    case unreadOrFailing
    /// Feeds of `FailureReport`, most failures in a row first.
    case failing
    case feed(Feed.ID)
  }

  public var subset: Subset
  /// The places in the subset, from 0.
  public var places: Range<Int>

  public init(_ subset: Subset, _ places: Range<Int> = 0..<1) {
    self.subset = subset
    self.places = places
  }

  /// The whole list, in numbers.
  public struct Totals: Hashable, Sendable {
    /// The feeds of the subset; for `unreadOrFailing`, those of the window, because counting them takes longer.
    public var matching: Int
    public var feeds: Int
    /// The unread items, without those of hidden feeds.
    public var unread: Int

    public init(matching: Int, feeds: Int, unread: Int) {
      self.matching = matching
      self.feeds = feeds
      self.unread = unread
    }
  }
}

/// A folder that exists without feeds.
public struct MadeFolder: Hashable, Sendable {
  public var name: String
  /// The number by which clients have known the folder under an earlier name; nil: the number follows from its name.
  public var number: Int64?

  public init(name: String, number: Int64? = nil) {
    self.name = name
    self.number = number
  }
}

/// Counts what feeds have published.
public protocol FeedCounting: Sendable {
  /// Counts the items of each feed since a time, and how many of these items are read. Omits feeds without items.
  func itemCounts(since time: Timestamp) async throws(StoreError) -> [Feed.ID: (items: Int, read: Int)]
  /// Returns the time of each feed's newest item: when it was published, at the latest when it was stored. Omits feeds
  /// without items.
  func newestTimes() async throws(StoreError) -> [Feed.ID: Timestamp]
}
