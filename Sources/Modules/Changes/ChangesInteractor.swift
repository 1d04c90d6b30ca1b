public import NewsCore

/// Lists the changes after a sequence number, in order. A changed item or feed appears once.
public struct ChangesInteractor: Interactor {
  private let changes: any ChangeReading & FeedChangeReading
  private let presenter = ChangesPresenter()
  private static let batchSize = 256

  public init(changes: any ChangeReading & FeedChangeReading) {
    self.changes = changes
  }

  /// Emits the changes in batches, at most `route.limit` of them.
  public func respond(to route: ChangesRoute, emit: @escaping Emit<ChangesViewModel>) async throws {
    // Stop at the number read now: changes made during the run belong to the next run.
    let head = try await changes.latestSequence()
    var last = route.sequence
    var left = route.limit ?? .max
    while left > 0, last < head {
      let size = min(left, Self.batchSize)
      let batch = try await entries(after: last, limit: size, route.query)
      let wanted = batch.prefix { $0.sequence <= head }
      try emit(presenter.present(Array(wanted)))
      left -= wanted.count
      guard wanted.count == size, let end = wanted.last else { break }
      last = end.sequence
    }
    try emit(presenter.end(head: head))
  }

  /// Merges the changes of items and feeds by sequence number and returns the first `limit`.
  private func entries(
    after sequence: Int64,
    limit: Int,
    _ query: Query
  ) async throws(StoreError) -> [LogEntry] {
    let items = try await changes.changes(after: sequence, limit: limit, query: query).map(LogEntry.item)
    guard query == .all else { return items }
    let feeds = try await changes.feedChanges(after: sequence, limit: limit).map(LogEntry.feed)
    return Array((items + feeds).sorted { $0.sequence < $1.sequence }.prefix(limit))
  }
}
