public import NewsCore

/// A part of a list: typed items for programs, lines for people.
public struct NewsListViewModel: HeadlineContent {
  public var items: [ItemMatch]
  /// Empty where the view shows no lines.
  public var lines: [HeadlineLine]
  /// Nil: the list has no pages; this follows what came before.
  public var page: PageInfo?

  public init(items: [ItemMatch], lines: [HeadlineLine] = [], page: PageInfo? = nil) {
    self.items = items
    self.lines = lines
    self.page = page
  }
}

/// Items as lines of a list.
public struct NewsListPresenter: NewsListPresenting {
  public let interest: NewsListInterest
  public var showsTotal: Bool { headlines != nil }
  private let headlines: HeadlinePresenter?

  /// - Parameters:
  ///   - interest: What the view shows.
  ///   - times: How lines show times.
  public init(_ interest: ItemInterest, times: TimeDisplay) {
    switch interest {
    case .headlines:
      self.interest = .items([])
      headlines = HeadlinePresenter(times: times)
    case .records(let parts):
      self.interest = .items(parts)
      headlines = nil
    }
  }

  public func present(_ response: NewsListResponse) -> Container<NewsListViewModel> {
    switch response {
    case .page(let items, let page):
      return .ready(NewsListViewModel(items: items, lines: lines(items, first: page.first), page: page))
    case .part(let items, let first, let isLast):
      let content = NewsListViewModel(items: items, lines: lines(items, first: first))
      guard !isLast else { return .ready(content) }
      return .loading(Progress(done: first - 1 + items.count), keeping: content)
    case .activity:
      return .ready(NewsListViewModel(items: []))
    }
  }

  public func present(_ error: StoreError) -> Container<NewsListViewModel> {
    .failed(UserMessage(error))
  }

  private func lines(_ items: [ItemMatch], first: Int) -> [HeadlineLine] {
    guard let headlines else { return [] }
    return items.enumerated().map { headlines.line($1, ordinal: first + $0) }
  }
}
