/// The part of a feed that the scheduler needs; small, because there may be 100,000.
public struct DueFeed: Hashable, Sendable {
  public var id: Feed.ID
  public var url: String
  public var nextDue: Timestamp?
  /// `FetchState.cooldown`: the feed's own record of a running Retry-After.
  public var cooldown: HostCooldown?
  /// The time of the fetch that `nextDue` and `cooldown` were computed from.
  public var lastFetched: Timestamp?
  /// True when the last poll succeeded. False also for a feed that was never polled.
  public var lastPollSucceeded: Bool
  public init(
    id: Feed.ID,
    url: String,
    nextDue: Timestamp?,
    cooldown: HostCooldown? = nil,
    lastFetched: Timestamp? = nil,
    lastPollSucceeded: Bool = false
  ) {
    self.id = id
    self.url = url
    self.nextDue = nextDue
    self.cooldown = cooldown
    self.lastFetched = lastFetched
    self.lastPollSucceeded = lastPollSucceeded
  }
}

/// Data that a store derived from a record before its transaction. Only the store that made it knows its type.
package protocol RefreshPreparation: Sendable {}

/// The result of one refresh, stored in one transaction.
public struct RefreshRecord: Sendable {
  public var feedID: Feed.ID
  /// The state after the exchange, with the next due time already decided.
  public var state: FetchState
  /// The parsed document. Nil: the feed is unchanged or failed, so its items and data do not change.
  public var parsed: ParsedFeed?
  public var time: Timestamp
  /// The feed's settings when it was fetched. If they changed during the fetch, the store recomputes the schedule from
  /// the new ones. Nil: the store does not compare settings.
  public var settings: FeedSettings?
  /// The general bounds of the poll interval when the feed was fetched, in seconds.
  public var intervals = FeedSettings.intervals
  /// True: other processes must notice this record at once, so it changes `feedListVersion`.
  public var notifiesOtherProcesses = false
  /// What `ArrivalStoring.prepared` computed in advance; nil: nothing.
  package var preparation: (any RefreshPreparation)?

  public init(
    feedID: Feed.ID,
    state: FetchState,
    parsed: ParsedFeed?,
    time: Timestamp,
    settings: FeedSettings? = nil
  ) {
    self.feedID = feedID
    self.state = state
    self.parsed = parsed
    self.time = time
    self.settings = settings
  }
}

/// The result of storing one `RefreshRecord`.
public struct RefreshChange: Hashable, Sendable {
  public var feedID: Feed.ID
  /// New items, in document order; `updated` lists the changed items.
  public var inserted: [NewsItem.ID]
  public var updated: [NewsItem.ID]
  public init(feedID: Feed.ID, inserted: [NewsItem.ID] = [], updated: [NewsItem.ID] = []) {
    self.feedID = feedID
    self.inserted = inserted
    self.updated = updated
  }
}

/// Stores what arrives: documents of feeds, items of programs and imports.
public protocol ArrivalStoring: Sendable {
  /// Returns all feeds that are polled, for the scheduler's queue.
  func dueFeeds() async throws(StoreError) -> [DueFeed]
  /// Returns one feed with its current settings and state.
  func feed(_ id: Feed.ID) async throws(StoreError) -> Feed
  /// Stores all records in one transaction, with full-text index and change log. New items are inserted; changed items
  /// are updated in place and keep id and state; items that left the document stay; items with a tombstone are not
  /// inserted again. Records of feeds that were removed meanwhile, or whose claim was lost, are ignored.
  func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange]
  /// Writes and commits a few bytes. Call it before sending requests: without a writable store, their results
  /// would be lost. Throws also if the disk is nearly full.
  func probeWriting() async throws(StoreError)
  /// Adds to the record the data that can be computed before the transaction, on the caller's thread. This
  /// pays off when most items are new.
  func prepared(_ record: RefreshRecord) -> RefreshRecord
  /// Returns the sort times of the feed's newest items in descending order, at most `limit`: for an item
  /// without a date, usually the time when it was stored. Adaptive polling derives its interval from them.
  func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp]
  /// Returns a number that changes when any process adds, removes or reschedules a feed or changes its URL;
  /// cheap enough for a call every few seconds. Nil: the store has no such number.
  func feedListVersion() async throws(StoreError) -> Int64?
  /// Reschedules waiting polls within new interval limits (seconds). Per-feed limits take precedence. Feeds
  /// that fail, or whose due time does not follow from their rhythm or their hints, are not rescheduled.
  func rescheduleAll(within bounds: ClosedRange<Int64>) async throws(StoreError)

  /// Adds feeds that the store lacks, and items that their feeds lack. Rules are not applied: the other program's user
  /// has chosen to keep these items.
  func importFeeds(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport
  /// Adds feeds and items in the same way, but as newly arriving items: rules apply to them, and the texts of stored
  /// items are updated.
  func ingest(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport
}
