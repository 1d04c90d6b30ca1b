/// An entry of the change log.
public struct Change: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable { case inserted, updated, state, deleted }
  public var sequence: Int64
  public var kind: Kind
  public var itemID: NewsItem.ID
  public var feedID: Feed.ID
  /// The item; nil for a deletion.
  public var item: NewsItem?
  /// The guid of a deleted item.
  public var guid: String?
  /// The number of the item's insertion; nil for a deletion. If a reader asks for changes after a lower number, the
  /// item is new to that reader, even if it has changed since.
  public var firstSequence: Int64?

  public init(
    sequence: Int64,
    kind: Kind,
    itemID: NewsItem.ID,
    feedID: Feed.ID,
    item: NewsItem?,
    guid: String? = nil,
    firstSequence: Int64? = nil
  ) {
    self.sequence = sequence
    self.kind = kind
    self.itemID = itemID
    self.feedID = feedID
    self.item = item
    self.guid = guid
    self.firstSequence = firstSequence
  }
}

/// A part of the change log: changes of items, without those of subscriptions.
public struct ChangePortion: Hashable, Sendable {
  /// How many bytes of text end a portion for most readers: items may have megabytes.
  public static let bytes = 1 << 18

  public var changes: [Change]
  /// True if the log has no further change that the query selects. A portion with fewer changes than asked for is not the
  /// last one because of that.
  public var isLast: Bool

  public init(changes: [Change], isLast: Bool) {
    self.changes = changes
    self.isLast = isLast
  }
}

/// A subscription in the change log: its current state, or its removal. Logged when a feed is added or
/// removed, and when its title, folder, URL or site changes; not when it is fetched.
public struct FeedChange: Hashable, Sendable {
  public var sequence: Int64
  public var feedID: Feed.ID
  public var url: String
  /// The current state; nil: the feed was removed.
  public var feed: Feed?

  public init(sequence: Int64, feedID: Feed.ID, url: String, feed: Feed?) {
    self.sequence = sequence
    self.feedID = feedID
    self.url = url
    self.feed = feed
  }
}

/// One entry of the change log.
public enum LogEntry: Hashable, Sendable {
  case item(Change)
  case feed(FeedChange)

  public var sequence: Int64 {
    switch self {
    case .item(let change): change.sequence
    case .feed(let change): change.sequence
    }
  }
}

/// Reads the change log, and watches the store for changes.
public protocol ChangeReading: Sendable {
  /// Returns at most `limit` changes of items (inserts, updates, state changes, deletions) with numbers above `sequence`
  /// in ascending order, until they have `bytes` of text, at least one. Each item appears once, at its latest number.
  func changes(
    after sequence: Int64,
    limit: Int,
    query: Query,
    within bytes: Int
  ) async throws(StoreError) -> ChangePortion
  /// Returns the highest number assigned so far; 0 for an empty store. Cheap enough for several calls per second.
  func latestSequence() async throws(StoreError) -> Int64
  /// Returns at most `limit` changes of subscriptions, which share one numbering with the items.
  func feedChanges(after sequence: Int64, limit: Int) async throws(StoreError) -> [FeedChange]

  /// Compares device, inode and restore number of the path with those of the open file. Cheap enough for a call every
  /// few seconds.
  func fileState() async -> StoreFileState
  /// Closes all connections and opens the file that is at the path now.
  func reopen() async throws(StoreError)
  /// Returns a number that differs after every committed change, also of data that is not in the change log, such as
  /// the result of a poll.
  func revision() async throws(StoreError) -> Int64
  /// Returns an object with which one reader waits for changes of the store.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of changes that end a wait.
  ///   - interval: The polling interval for a store that does not announce changes.
  /// - Returns: The waiter; its first wait may end without a change.
  func changeWaiter(for kinds: StoreChangeKinds, every interval: Duration) -> any ChangeAwaiting
}

extension ChangeReading {
  public func changeWaiter(for kinds: StoreChangeKinds, every interval: Duration) -> any ChangeAwaiting {
    FixedPause(interval)
  }
}
