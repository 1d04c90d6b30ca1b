import NewsCore

/// Who gets the items that a follower reads.
protocol FollowConsumer: Sendable {
  /// Items of before, oldest first.
  func begin(with items: [NewsItem]) async throws
  /// New items, each with the place in the log that it stands for.
  func take(_ items: [(item: NewsItem, place: FollowCursor)]) async throws
  /// Everything up to here has been handed over.
  func reached(_ place: FollowCursor) async throws
}

/// Reads the change log, page after page, and waits for more.
struct FollowReader: Sendable {
  let changes: any ChangeReading
  let news: any ItemReading
  let feeds: any FeedReading
  let cursor: (any CursorKeeping)?
  /// The wait between two looks at the log; ends the run by throwing.
  let pause: @Sendable () async throws -> Void

  /// Changes read at a time.
  private static let batchSize = 256

  /// Hands over what is stored until the task is cancelled.
  func run(_ route: FollowRoute, parts: ItemParts, _ consumer: some FollowConsumer) async throws {
    let query = try await route.filter.query(resolving: feeds)
    var place = try await begin(route, query, parts, consumer)
    while !Task.isCancelled {
      let head = try await changes.latestSequence()
      if head > place.sequence {
        try await catchUp(to: head, &place, query, includesUpdates: route.includesUpdates, consumer)
      } else {
        do { try await pause() } catch { break }
      }
    }
  }

  /// Where to go on: where the user says, else where the cursor stands, else now, after some items of before.
  private func begin(
    _ route: FollowRoute,
    _ query: Query,
    _ parts: ItemParts,
    _ consumer: some FollowConsumer
  ) async throws -> FollowCursor {
    let now = FollowCursor(sequence: try await changes.latestSequence())
    if let after = route.after {
      guard after <= now.sequence else {
        throw UserMessage(
          code: .usage,
          text: "Nothing can come after \(after) for long: the store's change log ends at \(now.sequence)."
        )
      }
      // At once: whoever is ended before the first line resumes there, not at what is then the present.
      let place = FollowCursor(sequence: after)
      try await consumer.reached(place)
      return place
    }
    if let known = try cursor?.load() {
      guard known.sequence <= now.sequence else {
        throw UserMessage(
          code: .badData,
          text: "The cursor stands at \(known.sequence), but the store's change log ends at \(now.sequence): "
            + "it is another store, or an older copy. Remove the cursor file to begin anew."
        )
      }
      return known
    }
    if route.backfill > 0 {
      let request = ItemRequest(query: query, limit: route.backfill, parts: parts)
      let items = try await news.items(request).map(\.item).filter { $0.sequence <= now.sequence }
      if !items.isEmpty { try await consumer.begin(with: items.reversed()) }
    }
    try await consumer.reached(now)
    return now
  }

  /// Reads the log up to its present end.
  ///
  /// It lists a changed item at its latest number only, so that an item that was stored and marked read since is found
  /// at its mark. It is new all the same when it was first stored after the floor; `shown` keeps it from being shown
  /// twice when its mark is set while the log is being read.
  private func catchUp(
    to head: Int64,
    _ place: inout FollowCursor,
    _ query: Query,
    includesUpdates: Bool,
    _ consumer: some FollowConsumer
  ) async throws {
    var shown = Set<NewsItem.ID>()
    var batch: [Change]
    repeat {
      batch = try await changes.changes(after: place.sequence, limit: Self.batchSize, query: query)
      var items: [(item: NewsItem, place: FollowCursor)] = []
      for change in batch {
        place.sequence = change.sequence
        guard let item = change.item else { continue }
        let isNew = change.kind == .inserted || (change.firstSequence ?? 0) > place.floor
        let isUpdate = includesUpdates && change.kind == .updated
        guard (isNew && !shown.contains(item.id)) || isUpdate else { continue }
        shown.insert(item.id)
        items.append((item, place))
      }
      if !items.isEmpty { try await consumer.take(items) }
    } while batch.count == Self.batchSize && !Task.isCancelled
    guard batch.count < Self.batchSize else { return }
    place = FollowCursor(sequence: max(place.sequence, head))
    try await consumer.reached(place)
  }
}
