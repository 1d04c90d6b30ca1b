public import NewsService

/// Shows items as they are stored, by whichever process stores them, until the task is cancelled.
///
/// Assembled by a configurator:
/// ```
/// FollowInteractor(
///   changes: store, news: store, feeds: store, cursor: cursorFile, presenter: FollowPresenter(output: output)
/// )
/// Screen(view: FollowView(output: output, width: …), output: …, messages: …, flushesAlways: true)
/// ```
public struct FollowInteractor: Sendable {
  private let changes: any ChangeReading
  private let news: any ItemReading
  private let feeds: any FeedReading
  private let cursor: (any CursorKeeping)?
  private let pause: @Sendable () async throws -> Void
  private let presenter: FollowPresenter

  /// Changes read at a time.
  private static let batchSize = 256

  /// - Parameters:
  ///   - changes: The change log.
  ///   - news: For the items that are shown first.
  ///   - feeds: For a feed that is named in the filter.
  ///   - cursor: Remembers how far the output has come; nil: nobody does.
  ///   - pause: The wait between two looks at the log; ends the run by throwing.
  ///   - presenter: Makes the view models.
  public init(
    changes: any ChangeReading,
    news: any ItemReading,
    feeds: any FeedReading,
    cursor: (any CursorKeeping)? = nil,
    pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(400)) },
    presenter: FollowPresenter
  ) {
    self.changes = changes
    self.news = news
    self.feeds = feeds
    self.cursor = cursor
    self.pause = pause
    self.presenter = presenter
  }

  /// Emits containers that are loading as long as it runs, and one that is ready when the task was cancelled.
  ///
  /// - Throws: What `emit` throws.
  public func run(_ route: FollowRoute, emit: @escaping Emit<FollowViewModel>) async throws {
    do {
      let query = try await route.filter.query(resolving: feeds)
      var stream = Stream(query: query, includesUpdates: route.includesUpdates, emit: emit)
      stream.place = try await begin(route, query, emit)
      while !Task.isCancelled {
        let head = try await changes.latestSequence()
        if head > stream.place.sequence {
          try await catchUp(to: head, &stream)
        } else {
          do { try await pause() } catch { break }
        }
      }
    } catch let error as StoreError {
      return try emit(.failed(UserMessage(error)))
    } catch let error as UserMessage {
      return try emit(.failed(error))
    }
    try emit(.ready(presenter.present([])))
  }

  /// One run: what it looks for and where in the log it is.
  private struct Stream {
    let query: Query
    let includesUpdates: Bool
    let emit: Emit<FollowViewModel>
    var place = FollowCursor(sequence: 0)
  }

  /// Where to go on: where the user says, else where the cursor stands, else now, after some items of before.
  private func begin(
    _ route: FollowRoute,
    _ query: Query,
    _ emit: Emit<FollowViewModel>
  ) async throws -> FollowCursor {
    if let after = route.after { return FollowCursor(sequence: after) }
    if let known = try cursor?.load() { return known }
    let now = FollowCursor(sequence: try await changes.latestSequence())
    if route.backfill > 0 {
      let request = ItemRequest(query: query, limit: route.backfill, parts: presenter.parts)
      let items = try await news.items(request).map(\.item).filter { $0.sequence <= now.sequence }
      if !items.isEmpty { try emit(.loading(keeping: presenter.present(items.reversed()))) }
    }
    try cursor?.save(now)
    return now
  }

  /// Reads the log up to its present end.
  ///
  /// It lists a changed item at its latest number only, so that an item that was stored and marked read since is found
  /// at its mark. It is new all the same when it was first stored after the floor; `shown` keeps it from being shown
  /// twice when its mark is set while the log is being read.
  private func catchUp(to head: Int64, _ stream: inout Stream) async throws {
    var shown = Set<NewsItem.ID>()
    var batch: [Change]
    repeat {
      batch = try await changes.changes(
        after: stream.place.sequence,
        limit: Self.batchSize,
        query: stream.query
      )
      var items: [NewsItem] = []
      for change in batch {
        stream.place.sequence = change.sequence
        guard let item = change.item else { continue }
        let isNew = change.kind == .inserted || (change.firstSequence ?? 0) > stream.place.floor
        let isUpdate = stream.includesUpdates && change.kind == .updated
        guard (isNew && !shown.contains(item.id)) || isUpdate else { continue }
        shown.insert(item.id)
        guard let cursor else {
          items.append(item)
          continue
        }
        // Whoever resumes must lose nothing and repeat one line at most: show, flush, note, one by one.
        try stream.emit(.loading(keeping: presenter.present([item])))
        try cursor.save(stream.place)
      }
      if !items.isEmpty { try stream.emit(.loading(keeping: presenter.present(items))) }
    } while batch.count == Self.batchSize && !Task.isCancelled
    guard batch.count < Self.batchSize else { return }
    stream.place = FollowCursor(sequence: max(stream.place.sequence, head))
    try cursor?.save(stream.place)
  }
}
