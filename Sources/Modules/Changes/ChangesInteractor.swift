public import NewsCore

/// Prints the change log after a number, each changed thing once, in order.
///
/// Assembled as `ChangesInteractor(changes: store)` with `ChangesView(format: …)`.
public struct ChangesInteractor: Sendable {
  private let changes: any ChangeReading & FeedChangeReading
  private static let batchSize = 256

  public init(changes: any ChangeReading & FeedChangeReading) {
    self.changes = changes
  }

  /// Emits the changes in parts, at most `limit` of them.
  ///
  /// - Throws: What `emit` throws.
  public func run(after sequence: Int64, limit: Int? = nil, emit: Emit<ChangesViewModel>) async throws {
    do {
      // What happens while this runs is for the next time: the end is fixed at the start.
      let head = try await changes.latestSequence()
      var last = sequence
      var left = limit ?? .max
      while left > 0, last < head {
        let size = min(left, Self.batchSize)
        let batch = try await entries(after: last, limit: size)
        let wanted = batch.prefix { $0.sequence <= head }
        try emit(.loading(Progress(), keeping: ChangesViewModel(entries: Array(wanted))))
        left -= wanted.count
        guard wanted.count == size, let end = wanted.last else { break }
        last = end.sequence
      }
      try emit(.ready(ChangesViewModel(entries: [])))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }

  /// Items and feeds in one order, at most `limit`.
  private func entries(after sequence: Int64, limit: Int) async throws(StoreError) -> [LogEntry] {
    let items = try await changes.changes(after: sequence, limit: limit, query: .all).map(LogEntry.item)
    let feeds = try await changes.feedChanges(after: sequence, limit: limit).map(LogEntry.feed)
    return Array((items + feeds).sorted { $0.sequence < $1.sequence }.prefix(limit))
  }
}

/// The next entries of the log.
public struct ChangesViewModel: RecordContent {
  public var entries: [LogEntry]
  public var records: [LogEntry] { entries }
  public var rowCount: Int { entries.count }
}

extension FeedChange {
  /// Another word than for items, so that who only knows those passes over it.
  public var kindName: String { feed == nil ? "feed_deleted" : "feed" }
}
