/// Reads items.
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

  /// Returns the items that exist, each as `item` does.
  func items(_ ids: [NewsItem.ID]) async throws(StoreError) -> [NewsItem.ID: NewsItem]

  /// Returns the number of selected items per UTC day of their sort times, in ascending order; days without
  /// items are absent.
  func activity(_ query: Query) async throws(StoreError) -> [DayCount]

  /// Explains in readable lines how the request is executed: the index used, and the conditions checked on each item.
  func plan(of request: ItemRequest) async throws(StoreError) -> [String]
}

extension ItemReading {
  public func plan(of request: ItemRequest) async throws(StoreError) -> [String] { [] }

  public func items(_ ids: [NewsItem.ID]) async throws(StoreError) -> [NewsItem.ID: NewsItem] {
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

/// A change of state that the user makes to an item.
public enum ItemMark: String, Hashable, Sendable, CaseIterable {
  case read, unread, starred, unstarred

  /// The mark that reverses this one.
  public var opposite: ItemMark {
    switch self {
    case .read: .unread
    case .unread: .read
    case .starred: .unstarred
    case .unstarred: .starred
    }
  }
}

/// Changes the state of items.
public protocol ItemMarking: Sendable {
  /// Marks items, in transactions of at most 1000. `read` also marks the other items of their clusters.
  /// Returns the ids that match no item; the others are marked. Each item whose state changes gets a new
  /// sequence number.
  func mark(_ ids: [NewsItem.ID], _ mark: ItemMark) async throws(StoreError) -> [NewsItem.ID]
}

/// Stores recent searches.
public protocol SearchHistoryKeeping: Sendable {
  /// Returns the recent searches, newest first, without repeats.
  func recentSearches(limit: Int) async throws(StoreError) -> [String]
  /// Stores `query` as the latest search, unless that would mean waiting for another process that is writing.
  func remember(search query: String, at time: Timestamp) async
}
