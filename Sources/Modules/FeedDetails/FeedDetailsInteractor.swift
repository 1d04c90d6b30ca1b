public import NewsCore

/// Shows and changes the settings of one feed.
public struct FeedDetailsInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let moves: MoveEditor
  private let words: any FeedSettingWording
  private let intervals: ClosedRange<Int64>
  private let presenter: FeedDetailsPresenter

  /// `intervals` are the general limits of the poll interval, in seconds.
  public init(
    feeds: any FeedKeeping,
    moves: MoveEditor,
    words: any FeedSettingWording,
    intervals: ClosedRange<Int64>,
    times: TimeDisplay
  ) {
    self.feeds = feeds
    self.moves = moves
    self.words = words
    self.intervals = intervals
    presenter = FeedDetailsPresenter(times: times)
  }

  /// Emits the feed after the changes; if a value cannot be read, nothing is changed.
  public func respond(to request: FeedDetailsRequest, emit: @escaping Emit<FeedDetailsViewModel>) async throws
  {
    var feed = try await feeds.feed(named: request.feed)
    let isChange = request.url != nil || !request.values.isEmpty
    var settings = feed.settings
    do {
      try words.apply(request.values, to: &settings)
      if let url = request.url {
        let url = try TypedAddress.url(url)
        guard WebAddress.isWeb(url) else {
          throw UserMessage(code: .usage, text: "\(url) is not an http or https URL")
        }
        if url != feed.url { feed = try await moves.setURL(of: feed.id, to: url) }
        // Use the feed's current settings: a change of its origin may have changed which secrets apply.
        settings = feed.settings
        try words.apply(request.values, to: &settings)
      }
    } catch let message as UserMessage {
      return try emit(presenter.present(feed, words: words.words(of: feed.settings), message))
    } catch let problem as TypedAddress.Problem {
      let message = UserMessage(code: .usage, text: problem.message)
      return try emit(presenter.present(feed, words: words.words(of: feed.settings), message))
    }
    if settings != feed.settings {
      try await feeds.update(feed.id, settings: settings, general: intervals)
    }
    if isChange { feed = try await feeds.feed(named: String(feed.id.rawValue)) }
    try emit(presenter.present(feed, words: words.words(of: settings), isChanged: isChange))
  }
}

/// An operation on the settings of one feed, which is given by id, URL or title.
public struct FeedDetailsRequest: Hashable, Sendable {
  public var feed: String
  /// The feed's new URL; nil: the URL stays.
  public var url: String?
  /// New values by the settings' names, as typed; an empty value restores the general configuration. Settings
  /// that are not listed stay.
  public var values: [String: String]

  public init(feed: String, url: String? = nil, values: [String: String] = [:]) {
    self.feed = feed
    self.url = url
    self.values = values
  }
}

/// Converts feed settings to and from text, with the names and units of `newsd feeds set`.
public protocol FeedSettingWording: Sendable {
  /// Returns all settings by name, each with its value in `settings`, or nil if the feed does not set it.
  /// Secrets are masked, so the values must not be passed to `apply`.
  func words(of settings: FeedSettings) -> [FeedDetailsViewModel.Setting]
  /// Changes settings. Throws a usage error that names the setting, if a value cannot be read.
  func apply(_ values: [String: String], to settings: inout FeedSettings) throws(UserMessage)
}
