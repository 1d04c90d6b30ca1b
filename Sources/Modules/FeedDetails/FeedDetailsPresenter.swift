public import NewsCore

/// Formats a feed's health as facts.
struct FeedDetailsPresenter {
  let times: TimeDisplay

  func present(
    _ feed: Feed,
    words: [FeedDetailsViewModel.Setting],
    _ failure: UserMessage? = nil,
    isChanged: Bool = false
  ) -> Container<FeedDetailsViewModel> {
    var content = FeedDetailsViewModel(
      feed: feed,
      settings: words,
      facts: facts(feed),
      failure: FailureReport([feed], now: times.now).entries.first
    )
    if let failure { return .failed(failure, keeping: content) }
    if isChanged { content.notes = [DisplayText("The settings were changed.")] }
    return .ready(content)
  }

  private func facts(_ feed: Feed) -> [StatusViewModel.Fact] {
    let state = feed.fetchState
    var facts: [StatusViewModel.Fact] = []
    func add(_ name: StaticString, _ value: String) {
      facts.append(StatusViewModel.Fact(name: DisplayText(name), value: DisplayText(line: value)))
    }
    func add(_ name: StaticString, _ time: Timestamp, note: String = "") {
      add(name, times.dateAndTime(time) + note)
      facts[facts.count - 1].time = time
      facts[facts.count - 1].note = DisplayText(line: note)
    }
    add("Items", "\(feed.itemCount): \(feed.unreadCount) unread")
    if let fetched = state.lastFetched { add("Last fetched", fetched) } else { add("Last fetched", "never") }
    if let status = state.lastStatus { add("Last answer", Wording.answer(status)) }
    if let success = state.lastSuccess { add("Last success", success) }
    if state.isGone {
      add("Next poll", "never: the server answered 410 Gone")
    } else if let next = state.nextDue {
      add("Next poll", next, note: state.nextDueReason.map { " (\(Wording.reason($0)))" } ?? "")
    }
    if let interval = state.interval { add("Fetched every", Wording.interval(interval)) }
    if let moved = state.movedTo { add("Redirected to", WebAddress.redacted(moved.url)) }
    return facts
  }
}

/// A feed with its settings and its health, for display and for editing.
public struct FeedDetailsViewModel: ScreenContent {
  public struct Setting: Hashable, Sendable {
    public var name: String
    public var help: String
    /// The feed's own value; nil: the general configuration applies.
    public var value: String?

    public init(name: String, help: String, value: String?) {
      self.name = name
      self.help = help
      self.value = value
    }
  }

  public var feed: Feed
  public var settings: [Setting]
  public var facts: [StatusViewModel.Fact]
  /// The failure and what to do about it; nil: the feed works.
  public var failure: FailureReport.Entry?
  public var notes: [DisplayText] = []
  public var rowCount: Int { settings.count }
}
