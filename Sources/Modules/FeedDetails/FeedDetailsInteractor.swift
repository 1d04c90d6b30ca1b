public import NewsCore

/// Shows and changes the settings of one feed.
public struct FeedDetailsInteractor: Interactor {
  private let feeds: any FeedReading
  private let editing: any FeedEditing
  private let moves: MoveEditor
  private let words: any FeedSettingWording
  private let intervals: ClosedRange<Int64>
  private let clock: any WallClock
  private let presenter: FeedDetailsPresenter

  /// `intervals` are the general limits of the poll interval, in seconds.
  public init(
    feeds: any FeedReading,
    editing: any FeedEditing,
    moves: MoveEditor,
    words: any FeedSettingWording,
    intervals: ClosedRange<Int64>,
    clock: any WallClock,
    presenter: FeedDetailsPresenter
  ) {
    self.feeds = feeds
    self.editing = editing
    self.moves = moves
    self.words = words
    self.intervals = intervals
    self.clock = clock
    self.presenter = presenter
  }

  /// Emits the feed after the changes; if a value cannot be read, nothing is changed.
  public func respond(to route: FeedDetailsRoute, emit: @escaping Emit<FeedDetailsViewModel>) async throws {
    var feed = try await feeds.feed(named: route.feed)
    let isChange = route.url != nil || !route.values.isEmpty
    var settings = feed.settings
    do {
      try words.apply(route.values, to: &settings)
      if let url = route.url {
        let url = try TypedAddress.url(url)
        guard WebAddress.isWeb(url) else {
          throw UserMessage(code: .usage, text: "\(url) is not an http or https URL.")
        }
        if url != feed.url { feed = try await moves.setURL(of: feed.id, to: url) }
        // Use the feed's current settings: a change of its origin may have changed which secrets apply.
        settings = feed.settings
        try words.apply(route.values, to: &settings)
      }
    } catch let message as UserMessage {
      return try emit(presenter.present(feed, words: words.words(of: feed.settings), clock.now(), message))
    } catch let problem as TypedAddress.Problem {
      let message = UserMessage(code: .usage, text: problem.message)
      return try emit(presenter.present(feed, words: words.words(of: feed.settings), clock.now(), message))
    }
    if settings != feed.settings {
      try await editing.update(feed.id, settings: settings, general: intervals)
    }
    if isChange { feed = try await feeds.feed(named: String(feed.id.rawValue)) }
    try emit(presenter.present(feed, words: words.words(of: settings), clock.now(), isChanged: isChange))
  }
}
