/// The data that scheduling needs about a feed; small, because there may be 100,000.
public struct DueFeed: Hashable, Sendable {
  public var id: Feed.ID
  public var url: String
  public var nextDue: Timestamp?
  /// `FetchState.hold`: the feed's own record of a running Retry-After.
  public var hold: HostHold?
  /// What `nextDue` and `hold` follow from.
  public var lastFetched: Timestamp?
  /// The last poll succeeded. False also for a feed that was never polled.
  public var isProven: Bool
  public init(
    id: Feed.ID,
    url: String,
    nextDue: Timestamp?,
    hold: HostHold? = nil,
    lastFetched: Timestamp? = nil,
    isProven: Bool = false
  ) {
    self.id = id
    self.url = url
    self.nextDue = nextDue
    self.hold = hold
    self.lastFetched = lastFetched
    self.isProven = isProven
  }
}

/// The result of one refresh, to be stored in one piece.
public struct RefreshRecord: Sendable {
  public var feedID: Feed.ID
  /// The state after the exchange, with the next due time already decided.
  public var state: FetchState
  /// Nil: nothing was parsed (unchanged, or failed); items and feed data stay as they are.
  public var parsed: ParsedFeed?
  public var time: Timestamp
  /// The feed's settings when it was asked; where they have been changed since, the store has the state follow them. Nil:
  /// they do not matter.
  public var settings: FeedSettings?
  /// The general bounds of the poll interval then, in seconds.
  public var intervals = FeedSettings.intervals
  /// True: other processes should learn of this at once, as of a change to the list of feeds (`feedListVersion`).
  public var isForAll = false
  /// What the store has worked out beforehand (`RefreshStoring.prepared`).
  public var preparation: (any RecordPreparation)?

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

/// Work on a record that a store does before its transaction; each store has a type of its own for it.
public protocol RecordPreparation: Sendable {}

/// The result of storing one `RefreshRecord`.
public struct RefreshChange: Hashable, Sendable {
  public var feedID: Feed.ID
  /// New and changed items, in document order.
  public var inserted: [NewsItem.ID]
  public var updated: [NewsItem.ID]
  public init(feedID: Feed.ID, inserted: [NewsItem.ID] = [], updated: [NewsItem.ID] = []) {
    self.feedID = feedID
    self.inserted = inserted
    self.updated = updated
  }
}

/// The store as refreshing uses it.
public protocol RefreshStoring: Sendable {
  /// All feeds that are polled, for the scheduler's queue.
  func dueFeeds() async throws(StoreError) -> [DueFeed]
  /// One feed with settings and state, as it is now.
  func feed(_ id: Feed.ID) async throws(StoreError) -> Feed
  /// Stores all records in one transaction: a new item is inserted, one that changed is updated in place and keeps its
  /// id and state, one that is gone from the document stays, one with a tombstone does not come back.
  /// A record whose feed was removed meanwhile is passed over. Full-text index and change log are part of it.
  func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange]
  /// The record with what can be worked out before its turn comes, on the caller's thread: worth it where most items
  /// are new.
  func prepared(_ record: RefreshRecord) -> RefreshRecord
  /// Publication times of the feed's newest items, falling, at most `limit`: the rhythm that adaptive polling follows.
  func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp]
  /// A number that differs after any process has added or removed a feed or changed a URL; cheap enough to ask every
  /// few seconds. Nil: the store cannot tell.
  func feedListVersion() async throws(StoreError) -> Int64?
}

/// The plan as a whole.
public protocol PollPlanKeeping: Sendable {
  /// Holds what waits already to other bounds of the poll interval, in seconds; a feed's own bounds go first. Feeds that
  /// fail, or wait for another reason than their own rhythm and hints, stay where they are.
  func holdPlans(to bounds: ClosedRange<Int64>) async throws(StoreError)
}

extension RefreshStoring {
  public func prepared(_ record: RefreshRecord) -> RefreshRecord { record }
  public func feedListVersion() async throws(StoreError) -> Int64? { nil }
}
