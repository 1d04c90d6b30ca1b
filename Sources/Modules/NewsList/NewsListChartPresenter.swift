import NewsCore

/// A second presenter for `NewsListInteractor`: shows the number of items per day.
public struct NewsListChartPresenter: NewsListPresenting {
  public typealias ViewModel = NewsListChartViewModel

  public let needs = NewsListNeeds.activity
  public let showsTotal = false
  /// Upper bound on the days shown, counted back from the newest.
  private let dayLimit: Int

  public init(dayLimit: Int = 30) {
    self.dayLimit = dayLimit
  }

  public func present(_ response: NewsListResponse) -> Container<NewsListChartViewModel> {
    if case .noFeeds = response {
      return .ready(NewsListChartViewModel(bars: [], notes: [HeadlinePresenter.noFeeds]))
    }
    guard case .activity(let days) = response, let last = days.last?.day, let first = days.first?.day else {
      return .ready(NewsListChartViewModel(bars: []))
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
