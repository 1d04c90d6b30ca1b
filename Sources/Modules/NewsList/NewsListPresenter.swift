import NewsCore

/// Formats items as lines, and numbers them across pages.
public struct NewsListPresenter: Sendable {
  let parts: ItemParts
  /// True: the view shows the total number of items.
  let showsTotal: Bool
  private let headlines: HeadlinePresenter?
  private let activity: StaticString

  /// - Parameters:
  ///   - needs: What the view shows: lines for people, or records.
  ///   - times: How lines show times.
  ///   - counts: False: the view shows no total, so that none is counted.
  ///   - previews: True: the view shows the beginnings of the items' texts.
  public init(_ needs: ItemNeeds, times: TimeDisplay, counts: Bool = true, previews: Bool = false) {
    self.init(
      needs,
      times: times,
      counts: counts,
      lineParts: previews ? [.headlineText, .preview] : .headlineText,
      activity: "listing"
    )
  }

  init(
    _ needs: ItemNeeds,
    times: TimeDisplay,
    counts: Bool,
    lineParts: ItemParts,
    activity: StaticString
  ) {
    showsTotal = counts && needs.showsHeadlines
    self.activity = activity
    switch needs {
    case .headlines:
      parts = lineParts
      headlines = HeadlinePresenter(times: times)
    case .records(let parts):
      self.parts = parts
      headlines = nil
    }
  }

  func present(_ items: [ItemMatch], _ page: PageInfo) -> Container<NewsListViewModel> {
    .ready(content(items, first: page.first, page))
  }

  /// The next items of a list without pages; `first` is the ordinal of the first one.
  func present(_ items: [ItemMatch], first: Int, isLast: Bool) -> Container<NewsListViewModel> {
    let content = content(items, first: first)
    guard !isLast else { return .ready(content) }
    return .loading(Progress(activity, done: first - 1 + items.count, unit: "items"), keeping: content)
  }

  /// The empty list when there are no subscriptions yet.
  func noFeeds() -> Container<NewsListViewModel> {
    .ready(NewsListViewModel(notes: [DisplayText(HeadlinePresenter.noFeeds)]))
  }

  private func content(_ items: [ItemMatch], first: Int, _ page: PageInfo? = nil) -> NewsListViewModel {
    guard let headlines else { return NewsListViewModel(items: items, page: page) }
    return NewsListViewModel(lines: headlines.lines(items, first: first), page: page)
  }
}
