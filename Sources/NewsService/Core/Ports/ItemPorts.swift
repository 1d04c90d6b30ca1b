/// Reads items, by queries, ids and streams.
public protocol ItemReading: Sendable {
  /// Returns the items of one page, in order.
  func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch]

  /// Returns the number of items that the query selects, regardless of the page.
  func count(_ request: ItemRequest) async throws(StoreError) -> Int

  /// Passes all items of the request to `consume` in batches, in constant memory. Each batch has its own snapshot, so
  /// that a slow consumer holds no read transaction open; items stored or removed meanwhile may or may not be included.
  /// `consume` returns false to stop.
  func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws

  /// Returns one item with its full text. Throws `noSuchItem`.
  func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem

  /// Returns the items that exist, with these parts.
  func items(_ ids: [NewsItem.ID], parts: ItemParts) async throws(StoreError) -> [NewsItem.ID: NewsItem]

  /// Returns the bytes of text of the first items, in the order of `ids`, until they have `bytes` together. An item that does not
  /// exist has none.
  func textSizes(of ids: [NewsItem.ID], within bytes: Int) async throws(StoreError) -> [Int]

  /// Returns the number of selected items per UTC day of their sort times, in ascending order; days without
  /// items are absent.
  func activity(_ query: Query) async throws(StoreError) -> [DayCount]

  /// Explains in readable lines how the request is executed: the index used, and the conditions checked on each item.
  func plan(of request: ItemRequest) async throws(StoreError) -> [String]

  /// Returns the newest `count` earlier versions, oldest first, at most `ItemVersion.most`; after the newest one, only as many as
  /// have `ItemVersion.mostBytes` of titles and texts together. The current text is not included; `NewsItem` contains it. Throws
  /// `noSuchItem`.
  func versions(of id: NewsItem.ID, newest count: Int) async throws(StoreError) -> [ItemVersion]

  /// Returns the other items of the item's story, newest first, without their texts; none for an item without a
  /// story. Throws `noSuchItem`.
  func itemsOfStory(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem]

  // MARK: Streams of sync clients. Every call has its own snapshot, so that a slow client holds no read transaction open.

  /// Returns at most `limit` items of the request after the first `offset`, in its order.
  func entries(_ request: StreamRequest, offset: Int, limit: Int) async throws(StoreError) -> [StreamEntry]
  /// Returns at most `limit` items of the request after the first `offset`, and the number of all its items.
  func page(
    _ request: StreamRequest,
    offset: Int,
    limit: Int
  ) async throws(StoreError) -> (total: Int, entries: [StreamEntry])
  /// Returns items with their full texts, labels and feeds, in the order of `ids`, until they have `bytes` of text, and how many
  /// of the ids those are. Ids that match no item are skipped.
  func streamItems(
    _ ids: [NewsItem.ID],
    within bytes: Int
  ) async throws(StoreError) -> (items: [StreamItem], count: Int)
  func streamNames() async throws(StoreError) -> StreamNames
  /// Returns the folders of feeds, in the order of their first feeds, and the folders that clients have made.
  func streamFolders() async throws(StoreError) -> (ofFeeds: [String], made: [MadeFolder])
  /// Returns all labels of items, by name. Reads every item that has a label; `labelNames` does not.
  func itemLabels() async throws(StoreError) -> [ItemLabel]
  /// Returns the names of all labels of items, sorted.
  func labelNames() async throws(StoreError) -> [String]
  /// Returns the newest item of each feed that has items.
  func newestEntries() async throws(StoreError) -> [Feed.ID: StreamEntry]
  func streamTotals() async throws(StoreError) -> StreamTotals
}

extension ItemReading {
  /// Returns at most `limit` items of the request, in its order.
  public func entries(_ request: StreamRequest, limit: Int) async throws(StoreError) -> [StreamEntry] {
    try await entries(request, offset: 0, limit: limit)
  }

  /// Returns items as `streamItems(_:within:)` does, of any length.
  public func streamItems(_ ids: [NewsItem.ID]) async throws(StoreError) -> [StreamItem] {
    try await streamItems(ids, within: .max).items
  }

  public func plan(of request: ItemRequest) async throws(StoreError) -> [String] { [] }

  public func items(
    _ ids: [NewsItem.ID],
    parts: ItemParts
  ) async throws(StoreError) -> [NewsItem.ID: NewsItem] {
    var found: [NewsItem.ID: NewsItem] = [:]
    for id in ids {
      do {
        found[id] = try await item(id)
      } catch {
        guard error.code == .noSuchItem else { throw error }
      }
    }
    return found
  }
}

/// What the streams of sync clients are named after, at one moment.
public struct StreamNames: Sendable {
  /// All subscriptions, in the user's order.
  public var feeds: [Feed]
  /// The folders that exist without a feed, or that have a number of their own.
  public var madeFolders: [MadeFolder]
  /// The labels of items, by name.
  public var labels: [String]
  public var searches: [SavedSearch]

  public init(
    feeds: [Feed] = [],
    madeFolders: [MadeFolder] = [],
    labels: [String] = [],
    searches: [SavedSearch] = []
  ) {
    self.feeds = feeds
    self.madeFolders = madeFolders
    self.labels = labels
    self.searches = searches
  }
}

/// Items of one day.
public struct DayCount: Hashable, Sendable {
  /// Days since 1970-01-01.
  public var day: Int
  public var count: Int
  public init(day: Int, count: Int) {
    self.day = day
    self.count = count
  }
}

/// Changes the states and labels of items, and fires the hooks for these changes.
public protocol ItemMarking: Sendable {
  /// Marks the items that exist, in transactions of at most 4000. `read` also marks the other items of their stories.
  /// Each item whose state changes gets a new sequence number.
  func apply(_ mark: ItemMark, to ids: [NewsItem.ID]) async throws(StoreError) -> MarkOutcome
  /// Makes marks in their order, each unless its item was marked or labelled later: of an item's marks, the latest wins.
  /// Times are compared in seconds; of the same second, the mark that arrives last wins. Returns the marks that were not
  /// made.
  func mark(_ marks: [LateMark]) async throws(StoreError) -> [(mark: LateMark, refusal: LateMark.Refusal)]

  /// Returns the names of the active hooks with an event, sorted.
  func hooks(with event: HookEvent) async throws(StoreError) -> [String]
  /// Fires the hooks with the event `saved` for items. Returns the ids that match no item.
  func save(_ ids: [NewsItem.ID]) async throws(StoreError) -> [NewsItem.ID]

  // MARK: Each call is one transaction.

  /// Changes the states and labels of items. Returns the ids that match no item; the others are changed.
  @discardableResult
  func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) -> [NewsItem.ID]
  /// Marks the unread items of the request as read, and returns their number.
  @discardableResult
  func markRead(_ request: StreamRequest) async throws(StoreError) -> Int
  /// Renames a label on all its items; nil removes it from them.
  func relabel(_ label: String, to name: String?) async throws(StoreError)
}

/// What a mark has done.
public struct MarkOutcome: Hashable, Sendable {
  /// The items whose state has changed, also unnamed ones of the same stories.
  public var changed: [NewsItem.ID] = []
  /// The ids that match no item.
  public var missing: [NewsItem.ID] = []
  public init(changed: [NewsItem.ID] = [], missing: [NewsItem.ID] = []) {
    self.changed = changed
    self.missing = missing
  }
}

extension ItemMarking {
  /// Marks items as `apply` does, and returns the ids that match no item.
  public func mark(_ ids: [NewsItem.ID], _ mark: ItemMark) async throws(StoreError) -> [NewsItem.ID] {
    try await apply(mark, to: ids).missing
  }
}

/// The text of an item before its feed edited it. Changes of white space, counters and advertisements make no new
/// version.
public struct ItemVersion: Hashable, Sendable {
  /// Maximum number of versions of an item: a price or clock in the text produces a new one at every poll.
  public static let most = 50
  /// How many bytes of their titles and texts are in memory at a time: a version of megabytes needs few bytes in the store.
  public static let mostBytes = 4 << 20

  /// The version's number; 1 is the oldest version.
  public var number: Int
  /// When the next version replaced this one.
  public var replaced: Timestamp
  public var title: String
  /// The text without markup.
  public var text: String

  public init(number: Int, replaced: Timestamp, title: String, text: String) {
    self.number = number
    self.replaced = replaced
    self.title = title
    self.text = text
  }
}
