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
    var facts: [(StaticString, String)] = [
      ("Items", "\(feed.itemCount): \(feed.unreadCount) unread"),
      ("Last fetched", state.lastFetched.map(times.dateAndTime) ?? "never"),
    ]
    if let status = state.lastStatus { facts.append(("Last status", String(status))) }
    if let success = state.lastSuccess { facts.append(("Last success", times.dateAndTime(success))) }
    if state.isGone {
      facts.append(("Next poll", "never: the server answered 410 Gone"))
    } else if let next = state.nextDue {
      let reason = state.nextDueReason.map { " (\($0))" } ?? ""
      facts.append(("Next poll", times.dateAndTime(next) + reason))
    }
    if let interval = state.interval { facts.append(("Poll interval", "\(interval / 60) min")) }
    if let moved = state.movedTo { facts.append(("Redirected to", WebAddress.redacted(moved.url))) }
    return facts.map { StatusViewModel.Fact(name: DisplayText($0), value: DisplayText(line: $1)) }
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
