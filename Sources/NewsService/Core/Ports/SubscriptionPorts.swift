/// Reads subscriptions.
public protocol FeedReading: Sendable {
  /// Returns all feeds, in the user's order.
  func feeds() async throws(StoreError) -> [Feed]
  /// Returns a part of the feeds without reading the others, and the totals of all.
  func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals)
  /// Returns the folders of the feeds, in no order, but not their parents.
  func folders() async throws(StoreError) -> [String]
  /// Finds a feed by id, exact URL, or title; titles match case-insensitively, and a unique part of a title suffices.
  /// Throws `noSuchFeed` with similar names, or `ambiguousFeed` with the matches.
  func feed(named name: String) async throws(StoreError) -> Feed
}

/// Changes subscriptions.
public protocol FeedEditing: Sendable {
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
  /// Moves the feed into a folder; nil: to the top level.
  func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError)
  /// Replaces the feed's own settings. If its interval bounds changed, its waiting poll is rescheduled within
  /// the new ones, or within `general` where the feed has no bound any more.
  func update(_ id: Feed.ID, settings: FeedSettings, general: ClosedRange<Int64>) async throws(StoreError)
  /// Changes the URL only. Throws `duplicateFeed` when another feed has it.
  func update(_ id: Feed.ID, url: String) async throws(StoreError)
}

extension FeedEditing {
  public func update(_ id: Feed.ID, settings: FeedSettings) async throws(StoreError) {
    try await update(id, settings: settings, general: FeedSettings.intervals)
  }
}

/// Keeps the folders' settings for articles. A feed that is added or moved to a folder or one of its
/// subfolders inherits the settings that it lacks.
public protocol FolderSettingsKeeping: Sendable {
  /// Returns the settings of a folder; empty if it has none.
  func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings
  /// Stores `article` and its selectors for a folder; other settings belong to single feeds.
  func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError)
}
