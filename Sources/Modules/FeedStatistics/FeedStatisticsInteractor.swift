public import NewsCore

/// Shows how much each feed publishes, how much of it is read, and which feeds are silent.
public struct FeedStatisticsInteractor: Interactor {
  /// The ports that this module needs.
  public typealias Store = FeedKeeping & FeedCounting

  private let store: any Store
  private let times: TimeDisplay

  public init(store: any Store, times: TimeDisplay) {
    self.store = store
    self.times = times
  }

  public func respond(to request: Void, emit: @escaping Emit<FeedStatisticsViewModel>) async throws {
    let feeds = try await store.feeds()
    let counts = try await store.itemCounts(since: times.now + -FeedStatisticsPresenter.period)
    let newest = try await store.newestTimes()
    try emit(FeedStatisticsPresenter(times: times).present(feeds, counts, newest))
  }
}

/// Computes rates.
struct FeedStatisticsPresenter {
  let times: TimeDisplay

  /// Seconds of the weeks that count.
  static let period: Int64 = weeks * 7 * 86_400
  private static let weeks: Int64 = 4
  /// Seconds after which a feed without a new item is silent.
  private static let silence: Int64 = 90 * 86_400

  func present(
    _ feeds: [Feed],
    _ counts: [Feed.ID: (items: Int, read: Int)],
    _ newest: [Feed.ID: Timestamp]
  ) -> Container<FeedStatisticsViewModel> {
    let lines = feeds.map { feed in
      let count = counts[feed.id] ?? (0, 0)
      let last = newest[feed.id]
      return FeedStatisticsViewModel.Line(
        id: feed.id,
        title: DisplayText(line: feed.title),
        tenthsPerWeek: count.items * 10 / Int(Self.weeks),
        readPercent: count.items == 0 ? nil : count.read * 100 / count.items,
        newest: last,
        isSilent: last.map { times.now - $0 > Self.silence } ?? true
      )
    }
    return .ready(
      FeedStatisticsViewModel(
        lines: lines.sorted {
          ($0.isSilent ? 1 : 0, -$0.tenthsPerWeek, $0.id) < ($1.isSilent ? 1 : 0, -$1.tenthsPerWeek, $1.id)
        }
      )
    )
  }
}

/// The statistics of feeds, sorted by items a week, with silent feeds at the end.
public struct FeedStatisticsViewModel: ScreenContent {
  public struct Line: Hashable, Sendable {
    public var id: Feed.ID
    public var title: DisplayText
    /// Ten times the items a week, in the last four weeks.
    public var tenthsPerWeek: Int
    /// The share of read items among these; nil without items.
    public var readPercent: Int?
    /// When the newest item was published, at the latest when it was stored; nil: the feed has none.
    public var newest: Timestamp?
    /// True if no item is from the last 90 days.
    public var isSilent: Bool

    /// The items a week as text, such as `2.5`.
    public var perWeek: String {
      "\(tenthsPerWeek / 10)" + (tenthsPerWeek % 10 == 0 ? "" : ".\(tenthsPerWeek % 10)")
    }
  }

  public var lines: [Line]
  public var rowCount: Int { lines.count }
}
