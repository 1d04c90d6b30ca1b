import NewsCore

/// Formats items as lines of a list.
public struct NewsListPresenter: NewsListPresenting {
  public typealias ViewModel = NewsListViewModel

  public let needs: NewsListNeeds
  public let showsTotal: Bool
  private let headlines: HeadlinePresenter?

  /// Without `counts`, the view shows no total, so that none is counted.
  public init(_ needs: ItemNeeds, times: TimeDisplay, counts: Bool = true) {
    showsTotal = counts && needs.showsHeadlines
    switch needs {
    case .headlines:
      self.needs = .items(.headlineText)
      headlines = HeadlinePresenter(times: times)
    case .records(let parts):
      self.needs = .items(parts)
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
      return .loading(Progress("listing", done: first - 1 + items.count, unit: "items"), keeping: content)
    case .activity:
      return .ready(NewsListViewModel(items: []))
    case .noFeeds:
      return .ready(NewsListViewModel(items: [], notes: [HeadlinePresenter.noFeeds]))
    }
  }

  private func lines(_ items: [ItemMatch], first: Int) -> [HeadlineLine] {
    guard let headlines else { return [] }
    return items.enumerated().map { headlines.line($1, ordinal: first + $0) }
  }
}
