/// Reading subscriptions.
public protocol FeedReading: Sendable {
  /// In the user's order.
  func feeds() async throws(StoreError) -> [Feed]
  /// The feed that `name` means: an id, an exact URL, else a title (without regard to case; a unique part of one
  /// will do). Throws `noSuchFeed` (naming near ones) or `ambiguousFeed` (listing them).
  func feed(named name: String) async throws(StoreError) -> Feed
}

/// Changing subscriptions.
public protocol FeedEditing: Sendable {
  /// Appends the feed to the user's order. Throws `duplicateFeed`, naming the existing one, if the URL is there already.
  func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed
  /// Adds the new feeds in one transaction; feeds that exist are returned as duplicates.
  func add(_ feeds: [NewFeed], at time: Timestamp) async throws(StoreError) -> (
    added: [Feed], duplicates: [NewFeed]
  )
  /// Removes the feed and its items; the items get tombstones in the change log.
  func remove(_ id: Feed.ID) async throws(StoreError)
  func rename(_ id: Feed.ID, to title: String) async throws(StoreError)
  /// To the 1-based `position`; the others close up. Beyond the end: to the end.
  func move(_ id: Feed.ID, to position: Int) async throws(StoreError)
  /// Nil: to the top level.
  func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError)
  /// Changes what holds for the feed alone. Where that is its bounds, what waits already is held to the new ones, and to
  /// the `general` bounds where it has none any more.
  func update(_ id: Feed.ID, settings: FeedSettings, general: ClosedRange<Int64>) async throws(StoreError)
  /// Changes the URL, keeps everything else; throws `duplicateFeed` when another feed has it.
  func update(_ id: Feed.ID, url: String) async throws(StoreError)
}

extension FeedEditing {
  public func update(_ id: Feed.ID, settings: FeedSettings) async throws(StoreError) {
    try await update(id, settings: settings, general: FeedSettings.intervals)
  }
}
