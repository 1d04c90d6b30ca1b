import NewsCore
import Synchronization

/// Reads the change log page by page, then waits for new entries.
struct FollowReader: Sendable {
  let changes: any ChangeReading
  let news: any ItemReading
  let filters: FilterResolver
  let cursor: (any CursorKeeping)?
  /// Waits between two reads of the log; throws to end the run.
  let pause: @Sendable () async throws -> Void

  /// Changes read at a time, if their items have few bytes of text.
  private static let batchSize = 256
  /// Stored items read at a time, before following the log.
  private static let storedBatch = 32

  /// Passes items to the consumer until the task is cancelled.
  func run(_ request: FollowRequest, parts: ItemParts, _ consumer: some FollowConsumer) async throws {
    let query = try await filters.query(request.filter)
    var place = try await begin(request, query, parts, consumer)
    while !Task.isCancelled {
      let head = try await changes.latestSequence()
      if head > place.sequence {
        try await catchUp(to: head, &place, query, includesUpdates: request.includesUpdates, consumer)
      } else {
        do { try await pause() } catch { break }
      }
    }
  }

  /// Returns the position to read after: the route's number, else the saved cursor, else the end of the log. In the
  /// last case, first passes the newest stored items to the consumer.
  private func begin(
    _ request: FollowRequest,
    _ query: Query,
    _ parts: ItemParts,
    _ consumer: some FollowConsumer
  ) async throws -> FollowCursor {
    let now = FollowCursor(sequence: try await changes.latestSequence())
    if let after = request.after {
      guard after <= now.sequence else {
        throw UserMessage(
          code: .usage,
          text: "\(after) is beyond the end of the change log (\(now.sequence))"
        )
      }
      // Save now, so that a follower stopped before its first item resumes here.
      let place = FollowCursor(sequence: after)
      try await consumer.didReach(place)
      return place
    }
    if let known = try cursor?.load() {
      try CursorRange.check(known, end: now.sequence)
      return known
    }
    if request.backfill > 0 {
      try await showStored(request.backfill, query, until: now.sequence, consumer)
    }
    try await consumer.didReach(now)
    return now
  }

  /// Passes the newest stored items to the consumer, oldest first. Reads their ids first and then the items in
  /// small batches, so that memory stays bounded and a slow consumer keeps no read transaction open.
  private func showStored(
    _ count: Int,
    _ query: Query,
    until sequence: Int64,
    _ consumer: some FollowConsumer
  ) async throws {
    let ids = CollectedIDs()
    let request = ItemRequest(query: query, limit: count, parts: [])
    try await news.forEachBatch(request, of: Self.batchSize) { batch in
      let known = batch.map(\.item).filter { $0.sequence <= sequence }.map(\.id)
      ids.append(known)
      return !Task.isCancelled
    }
    var rest = ids.all
    while !rest.isEmpty, !Task.isCancelled {
      var items: [NewsItem] = []
      for id in rest.suffix(Self.storedBatch).reversed() {
        if let item = try await stored(id) { items.append(item) }
      }
      rest.removeLast(min(Self.storedBatch, rest.count))
      try await consumer.consumeStored(items)
    }
  }

  /// Reads an item in full; nil: it was removed after its id was read.
  private func stored(_ id: NewsItem.ID) async throws -> NewsItem? {
    do throws(StoreError) {
      return try await news.item(id)
    } catch {
      if error.code == .noSuchItem { return nil }
      throw error
    }
  }

  /// Reads the log to its end. Afterwards the place is at least `head`, also if the last entries do not
  /// match.
  ///
  /// The log lists a changed item at its latest number only: an item that was stored and then marked appears as a
  /// mark. Such an item is still new if it was first stored after the floor. `shown` keeps an item from being shown
  /// twice when it is marked during the reading.
  private func catchUp(
    to head: Int64,
    _ place: inout FollowCursor,
    _ query: Query,
    includesUpdates: Bool,
    _ consumer: some FollowConsumer
  ) async throws {
    var shown = Set<NewsItem.ID>()
    var isLast: Bool
    repeat {
      let batch = try await changes.changes(
        after: place.sequence,
        limit: Self.batchSize,
        query: query,
        within: ChangePortion.bytes
      )
      isLast = batch.isLast
      var items: [(item: NewsItem, place: FollowCursor)] = []
      for change in batch.changes {
        place.sequence = change.sequence
        guard let item = change.item else { continue }
        let isNew = change.kind == .inserted || (change.firstSequence ?? 0) > place.floor
        let isUpdate = includesUpdates && change.kind == .updated
        guard (isNew && !shown.contains(item.id)) || isUpdate else { continue }
        shown.insert(item.id)
        items.append((item, place))
      }
      if !items.isEmpty { try await consumer.consume(items) }
    } while !isLast && !Task.isCancelled
    guard isLast else { return }
    place = FollowCursor(sequence: max(place.sequence, head))
    try await consumer.didReach(place)
  }
}

/// Collects the ids of stored items from batches.
private final class CollectedIDs: Sendable {
  private let ids = Mutex<[NewsItem.ID]>([])

  var all: [NewsItem.ID] { ids.withLock { $0 } }

  func append(_ more: [NewsItem.ID]) { ids.withLock { $0 += more } }
}

/// Receives the items from a `FollowReader`.
protocol FollowConsumer: Sendable {
  /// Receives items that were stored before the start, oldest first.
  func consumeStored(_ items: [NewsItem]) async throws
  /// Receives new items, each with its position in the change log.
  func consume(_ items: [(item: NewsItem, place: FollowCursor)]) async throws
  /// Called after all items up to `place` have been passed to `consume`.
  func didReach(_ place: FollowCursor) async throws
}

/// A stream of items as they are stored.
public struct FollowRequest: Hashable, Sendable {
  public var filter: ItemFilter
  /// Start after this sequence number; nil: at the cursor if there is one, else at the end of the change log.
  public var after: Int64?
  /// Number of already stored items to print first; without effect with `after` or a saved cursor.
  public var backfill: Int
  /// True: print an item again after its feed edited it.
  public var includesUpdates: Bool
  /// Path of the file that stores the position in the change log.
  public var cursor: String?
  /// Program to run for each item; nil: items are shown.
  public var program: ItemProgram?

  public init(
    filter: ItemFilter = ItemFilter(),
    after: Int64? = nil,
    backfill: Int = 0,
    includesUpdates: Bool = false,
    cursor: String? = nil,
    program: ItemProgram? = nil
  ) {
    self.filter = filter
    self.after = after
    self.backfill = backfill
    self.includesUpdates = includesUpdates
    self.cursor = cursor
    self.program = program
  }
}
