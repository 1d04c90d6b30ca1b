public import NewsCore

/// Shows items as they are stored, by whichever process stores them, until the task is cancelled.
public struct FollowInteractor: Interactor {
  private let reader: FollowReader
  private let presenter: FollowPresenter

  /// - Parameters:
  ///   - changes: The change log.
  ///   - news: For the items that are shown first.
  ///   - filters: Reads the filter.
  ///   - cursor: Remembers how far the output has come; nil: it is not remembered.
  ///   - pause: The wait between two looks at the log; ends the run by throwing.
  ///   - presenter: Makes the view models.
  public init(
    changes: any ChangeReading,
    news: any ItemReading,
    filters: FilterResolver,
    cursor: (any CursorKeeping)? = nil,
    pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(400)) },
    presenter: FollowPresenter
  ) {
    reader = FollowReader(changes: changes, news: news, filters: filters, cursor: cursor, pause: pause)
    self.presenter = presenter
  }

  /// Emits loading containers while it runs, and a ready one when the task is cancelled.
  public func run(_ route: FollowRoute, emit: @escaping Emit<FollowViewModel>) async throws {
    try await presenter.emittingFailures(to: emit) {
      let shown = ShownItems(cursor: reader.cursor, presenter: presenter, emit: emit)
      try await reader.run(route, parts: presenter.parts, shown)
      try emit(presenter.end())
    }
  }
}

/// Shows what a follower reads.
private struct ShownItems: FollowConsumer {
  let cursor: (any CursorKeeping)?
  let presenter: FollowPresenter
  let emit: Emit<FollowViewModel>

  func begin(with items: [NewsItem]) throws {
    try emit(presenter.present(items))
  }

  func take(_ items: [(item: NewsItem, place: FollowCursor)]) throws {
    guard let cursor else {
      return try emit(presenter.present(items.map(\.item)))
    }
    // Show, flush, save, item by item: a restart loses no item and repeats one at most.
    for (item, place) in items {
      try emit(presenter.present([item]))
      try cursor.save(place)
    }
  }

  func reached(_ place: FollowCursor) throws { try cursor?.save(place) }
}
