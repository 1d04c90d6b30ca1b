public import NewsCore

/// Shows new items, stored by any process, until the task is cancelled.
public struct FollowInteractor: Interactor {
  private let reader: FollowReader
  private let presenter: FollowPresenter

  /// `cursor` saves the position in the change log; nil: the position is not saved. `pause` waits between two
  /// reads of the log, and throws to end the run.
  public init(
    changes: any ChangeReading,
    news: any ItemReading,
    filters: FilterResolver,
    cursor: (any CursorKeeping)? = nil,
    pause: @escaping @Sendable () async throws -> Void,
    presenter: FollowPresenter
  ) {
    reader = FollowReader(changes: changes, news: news, filters: filters, cursor: cursor, pause: pause)
    self.presenter = presenter
  }

  /// Emits loading containers during the run, and a ready one after cancellation.
  public func respond(to request: FollowRequest, emit: @escaping Emit<FollowViewModel>) async throws {
    let shown = EmittingConsumer(cursor: reader.cursor, presenter: presenter, emit: emit)
    try await reader.run(request, parts: presenter.parts, shown)
    try emit(presenter.end())
  }
}

/// Emits the items that a `FollowReader` reads.
private struct EmittingConsumer: FollowConsumer {
  let cursor: (any CursorKeeping)?
  let presenter: FollowPresenter
  let emit: Emit<FollowViewModel>

  func consumeStored(_ items: [NewsItem]) throws {
    try emit(presenter.present(items))
  }

  func consume(_ items: [(item: NewsItem, place: FollowCursor)]) throws {
    guard let cursor else {
      return try emit(presenter.present(items.map(\.item)))
    }
    // Show, flush and save one item at a time: a restart loses no item and repeats at most one.
    for (item, place) in items {
      try emit(presenter.present([item]))
      try cursor.save(place)
    }
  }

  func didReach(_ place: FollowCursor) throws { try cursor?.save(place) }
}
