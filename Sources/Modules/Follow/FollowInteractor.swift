public import NewsCore

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
  private let reader: FollowReader
  private let presenter: FollowPresenter

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
    reader = FollowReader(changes: changes, news: news, feeds: feeds, cursor: cursor, pause: pause)
    self.presenter = presenter
  }

  /// Emits containers that are loading as long as it runs, and one that is ready when the task was cancelled.
  ///
  /// - Throws: What `emit` throws.
  public func run(_ route: FollowRoute, emit: @escaping Emit<FollowViewModel>) async throws {
    do {
      let shown = ShownItems(cursor: reader.cursor, presenter: presenter, emit: emit)
      try await reader.run(route, parts: presenter.parts, shown)
    } catch let error as StoreError {
      return try emit(.failed(UserMessage(error)))
    } catch let error as UserMessage {
      return try emit(.failed(error))
    }
    try emit(.ready(presenter.present([])))
  }
}

/// Shows what a follower reads.
private struct ShownItems: FollowConsumer {
  let cursor: (any CursorKeeping)?
  let presenter: FollowPresenter
  let emit: Emit<FollowViewModel>

  func begin(with items: [NewsItem]) throws {
    try emit(.loading(keeping: presenter.present(items)))
  }

  func take(_ items: [(item: NewsItem, place: FollowCursor)]) throws {
    guard let cursor else {
      return try emit(.loading(keeping: presenter.present(items.map(\.item))))
    }
    // Whoever resumes must lose nothing and repeat one line at most: show, flush, note, one by one.
    for (item, place) in items {
      try emit(.loading(keeping: presenter.present([item])))
      try cursor.save(place)
    }
  }

  func reached(_ place: FollowCursor) throws { try cursor?.save(place) }
}
