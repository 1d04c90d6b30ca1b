public import NewsCore

/// Feeds: typed for programs, lines for people; after a change, a sentence on what was done.
public struct SubscriptionsViewModel: RecordContent {
  public var feeds: [Feed]
  /// Empty where the view shows records only, and after a change.
  public var lines: [SubscriptionLine]
  /// Saved searches beside the feeds; empty where the view shows records only.
  public var searches: [DisplayText]
  /// What a change did, a sentence a line.
  public var notices: [DisplayText]

  public init(
    feeds: [Feed],
    lines: [SubscriptionLine] = [],
    searches: [DisplayText] = [],
    notices: [DisplayText] = []
  ) {
    self.feeds = feeds
    self.lines = lines
    self.searches = searches
    self.notices = notices
  }

  public var records: [Feed] { feeds }
  public var rowCount: Int { feeds.count + searches.count + notices.count }
}

/// A feed as a line of the list.
public struct SubscriptionLine: Hashable, Sendable {
  public enum Health: Hashable, Sendable {
    case good
    /// Never fetched.
    case new
    case failing
    /// 410 was answered: not polled any more.
    case gone
  }

  public var position: Int
  public var id: Feed.ID
  public var unread: Int
  public var items: Int
  public var health: Health
  /// When it was last fetched.
  public var fetched: DisplayText
  public var title: DisplayText
  public var folder: DisplayText?
  public var url: String
  /// What is wrong, in words.
  public var problem: DisplayText?
}

/// Turns feeds and what was done to them into view models.
public struct SubscriptionsPresenter: Sendable {
  private let showsLines: Bool
  private let times: TimeDisplay

  /// - Parameters:
  ///   - showsLines: False: the view shows records only.
  ///   - times: How lines show times.
  public init(showsLines: Bool, times: TimeDisplay) {
    self.showsLines = showsLines
    self.times = times
  }

  func present(_ feeds: [Feed], searches: [SavedSearch] = []) -> SubscriptionsViewModel {
    SubscriptionsViewModel(
      feeds: feeds,
      lines: showsLines ? feeds.map(line) : [],
      searches: showsLines ? searches.map { DisplayText(line: "\($0.name): \($0.query)") } : []
    )
  }

  /// A change, told in one sentence.
  public func present(_ outcome: SubscriptionOutcome) -> SubscriptionsViewModel {
    switch outcome {
    case .added(let feed, let items):
      notice([feed], "Added '\(feed.title)' (\(feed.id.rawValue)) with \(Self.count(items, "item")).")
    case .removed(let feeds):
      SubscriptionsViewModel(
        feeds: feeds,
        notices: feeds.map {
          DisplayText(line: "Removed '\($0.title)' and its \(Self.count($0.itemCount, "item")).")
        }
      )
    case .renamed(let feed, let title):
      notice([feed.renamed(title)], "Renamed '\(feed.title)' to '\(title)'.")
    case .moved(let feed):
      notice([feed], "Moved '\(feed.title)' to position \(feed.position).")
    case .filed(let feed, let folder?):
      notice([feed.filed(folder)], "Moved '\(feed.title)' to the folder '\(folder)'.")
    case .filed(let feed, nil):
      notice([feed.filed(nil)], "Moved '\(feed.title)' out of its folder.")
    case .imported(let feeds, let duplicates):
      notice(
        feeds,
        "Added \(Self.count(feeds.count, "feed"))"
          + (duplicates > 0 ? "; \(duplicates) \(duplicates == 1 ? "was" : "were") there already." : ".")
      )
    }
  }

  public func present(_ error: StoreError) -> Container<SubscriptionsViewModel> {
    .failed(UserMessage(error))
  }

  private func notice(_ feeds: [Feed], _ text: String) -> SubscriptionsViewModel {
    SubscriptionsViewModel(feeds: feeds, notices: [DisplayText(line: text)])
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func line(_ feed: Feed) -> SubscriptionLine {
    let state = feed.fetchState
    let health: SubscriptionLine.Health =
      if state.isGone {
        .gone
      } else if state.failures > 0 {
        .failing
      } else if state.lastFetched == nil {
        .new
      } else {
        .good
      }
    let fetched = state.lastFetched.map(times.age)
    return SubscriptionLine(
      position: feed.position,
      id: feed.id,
      unread: feed.unreadCount,
      items: feed.itemCount,
      health: health,
      fetched: DisplayText(line: fetched ?? "-"),
      title: DisplayText(line: feed.title),
      folder: feed.folder.map { DisplayText(line: $0) },
      url: feed.siteURL ?? feed.url,
      problem: problem(state, id: feed.id.rawValue).map { DisplayText(line: $0) }
    )
  }

  private func problem(_ state: FetchState, id: Int64) -> String? {
    if state.isGone {
      return "Gone (410): not polled any more. 'newsd feeds set \(id) url=URL' gives it another URL."
    }
    guard state.failures > 0 else { return nil }
    let count = state.failures == 1 ? "Failed" : "Failed \(state.failures) times"
    let since = state.failingSince.map { " since \(times.dateAndTime($0))" } ?? ""
    return
      "\(count)\(since): \(state.lastError ?? state.lastStatus.map { "status \($0)" } ?? "no reason noted")"
  }
}

extension Feed {
  fileprivate func renamed(_ title: String) -> Feed {
    var feed = self
    feed.title = title
    return feed
  }

  fileprivate func filed(_ folder: String?) -> Feed {
    var feed = self
    feed.folder = folder
    return feed
  }
}
