public import NewsService

/// Prints the change log after a number, each changed thing once, in order.
///
/// Assembled as `ChangesInteractor(changes: store)` with `ChangesView(format: …)`.
public struct ChangesInteractor: Sendable {
  private let changes: any ChangeReading
  private static let batchSize = 256

  public init(changes: any ChangeReading) {
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
        let batch = try await changes.changes(after: last, limit: size, query: .all)
        let wanted = batch.prefix { $0.sequence <= head }
        try emit(.loading(Progress(), keeping: ChangesViewModel(changes: Array(wanted))))
        left -= wanted.count
        guard wanted.count == size, let end = wanted.last else { break }
        last = end.sequence
      }
      try emit(.ready(ChangesViewModel(changes: [])))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }
}

/// The next changes of the log.
public struct ChangesViewModel: ScreenContent {
  public var changes: [Change]
  public var rowCount: Int { changes.count }
}
