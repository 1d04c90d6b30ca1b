/// Reading items.
public protocol ItemReading: Sendable {
  /// The items of one page, in order.
  func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch]

  /// How many items the query selects, whatever the page.
  func count(_ request: ItemRequest) async throws(StoreError) -> Int

  /// All items of the request in batches, in constant memory. Each batch is read in a snapshot of its own, so that a slow
  /// consumer keeps no view of the store open; items that are stored or removed meanwhile may be in it or not.
  /// `consume` returns false to stop.
  func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws

  /// One item whole. Throws `noSuchItem`.
  func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem

  /// How many of the selected items fall on each UTC day, days since 1970-01-01, rising; days without any are absent.
  func activity(_ query: Query) async throws(StoreError) -> [DayCount]

  /// Explains how the request is answered, in lines for people: the index used and the conditions on each item.
  func plan(of request: ItemRequest) async throws(StoreError) -> [String]
}

extension ItemReading {
  public func plan(of request: ItemRequest) async throws(StoreError) -> [String] { [] }
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

/// A change that a person makes to an item.
public enum ItemMark: String, Hashable, Sendable, CaseIterable {
  case read, unread, starred, unstarred
}

/// Changing the state of items.
public protocol ItemMarking: Sendable {
  /// Marks items in transactions of some hundreds. Returns the ids that match no item; the others are marked.
  /// Each item whose state really changes gets a new sequence number.
  func mark(_ ids: [NewsItem.ID], _ mark: ItemMark) async throws(StoreError) -> [NewsItem.ID]
}

/// Recent searches.
public protocol SearchHistoryKeeping: Sendable {
  /// Newest first, without repeats.
  func recentSearches(limit: Int) async throws(StoreError) -> [String]
  /// Puts `query` first. Best effort: gives up at once when another process is writing.
  func remember(search query: String, at time: Timestamp) async
}
