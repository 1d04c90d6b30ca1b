public import NewsCore

/// Counts the items of a list per day.
public struct NewsListChartInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver
  private let presenter: NewsListChartPresenter

  /// `dayLimit` is the upper bound on the days shown, counted back from the newest.
  public init(news: any ItemReading, filters: FilterResolver, dayLimit: Int = 30) {
    self.news = news
    self.filters = filters
    presenter = NewsListChartPresenter(dayLimit: dayLimit)
  }

  public func respond(to route: ListRoute, emit: @escaping Emit<NewsListChartViewModel>) async throws {
    let days = try await news.activity(try await filters.query(route.filter))
    let hasNoFeeds = days.isEmpty ? try await filters.hasNoFeeds() : false
    try emit(presenter.present(days, hasNoFeeds: hasNoFeeds))
  }
}

/// The number of items per day.
public struct NewsListChartViewModel: RecordContent {
  public struct Bar: Hashable, Sendable {
    public var day: DisplayText
    public var count: Int
  }

  /// One bar per day, the newest last; a day without items has count 0.
  public var bars: [Bar]
  public var notes: [DisplayText] = []
  public var nothing: DisplayText? { DisplayText("no item matches") }
  public var failsIfEmpty: Bool { true }
  public var records: [Bar] { bars }
  public var rowCount: Int { bars.count }
}

/// Makes a bar for each day from the first to the last, also for days without items.
struct NewsListChartPresenter {
  let dayLimit: Int

  func present(_ days: [DayCount], hasNoFeeds: Bool) -> Container<NewsListChartViewModel> {
    guard let last = days.last?.day, let first = days.first?.day else {
      let notes = hasNoFeeds ? [DisplayText(HeadlinePresenter.noFeeds)] : []
      return .ready(NewsListChartViewModel(bars: [], notes: notes))
    }
    let counts = Dictionary(days.map { ($0.day, $0.count) }, uniquingKeysWith: +)
    let bars = (max(first, last - (dayLimit - 1))...last).map { day in
      NewsListChartViewModel.Bar(
        day: DisplayText(line: Timestamp(seconds: Int64(day) * 86_400).date(in: .utc)),
        count: counts[day] ?? 0
      )
    }
    return .ready(NewsListChartViewModel(bars: bars))
  }
}
