import NewsCore

/// Formats the matches of a search as a list does, with excerpts around the words that were found.
public struct NewsSearchPresenter: Sendable {
  let list: NewsListPresenter

  /// The parameters are those of `NewsListPresenter`.
  public init(_ needs: ItemNeeds, times: TimeDisplay, counts: Bool = true, previews: Bool = false) {
    list = NewsListPresenter(
      needs,
      times: times,
      counts: counts,
      lineParts: previews ? [.excerpt, .headlineText, .preview] : [.excerpt, .headlineText],
      activity: "searching"
    )
  }

  /// Presents a part of the matches. With `isCounted`, a full page has the number of all matches.
  func present(
    _ part: Container<NewsListViewModel>,
    isCounted: Bool
  ) -> Container<NewsSearchViewModel> {
    part.map { list in
      let isFull = list.page.map { list.rowCount == $0.size } ?? false
      return NewsSearchViewModel(list: list, isCounted: isCounted || !isFull)
    }
  }
}
