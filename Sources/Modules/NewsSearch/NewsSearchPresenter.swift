import NewsCore

/// Formats matches as lines of a list.
public struct NewsSearchPresenter: Presenting {
  public typealias ViewModel = NewsListViewModel

  let parts: ItemParts
  /// True: the view shows the total number of matches.
  let showsTotal: Bool
  private let headlines: HeadlinePresenter?

  /// Without `counts`, the view shows no total, so that none is counted.
  public init(_ needs: ItemNeeds, times: TimeDisplay, counts: Bool = true) {
    showsTotal = counts && needs.showsHeadlines
    switch needs {
    case .headlines:
      parts = [.excerpt, .headlineText]
      headlines = HeadlinePresenter(times: times)
    case .records(let parts):
      self.parts = parts
      headlines = nil
    }
  }

  func present(_ items: [ItemMatch], _ page: PageInfo) -> Container<NewsListViewModel> {
    .ready(NewsListViewModel(items: items, lines: lines(items, first: page.first), page: page))
  }

  /// The next matches of a search without pages; `first` is the ordinal of the first one.
  func present(_ items: [ItemMatch], first: Int, isLast: Bool) -> Container<NewsListViewModel> {
    let content = NewsListViewModel(items: items, lines: lines(items, first: first))
    guard !isLast else { return .ready(content) }
    return .loading(Progress("searching", done: first - 1 + items.count, unit: "items"), keeping: content)
  }

  func noFeeds() -> Container<NewsListViewModel> {
    .ready(NewsListViewModel(items: [], lines: [], notes: [HeadlinePresenter.noFeeds]))
  }

  private func lines(_ items: [ItemMatch], first: Int) -> [HeadlineLine] {
    guard let headlines else { return [] }
    return items.enumerated().map { headlines.line($1, ordinal: first + $0) }
  }
}
