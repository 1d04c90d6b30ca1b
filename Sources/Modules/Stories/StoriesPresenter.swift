import NewsCore

/// Formats items about the same story as lines of a list.
public struct StoriesPresenter: Presenting {
  public typealias ViewModel = StoriesViewModel

  private let headlines: HeadlinePresenter

  public init(times: TimeDisplay) {
    headlines = HeadlinePresenter(times: times)
  }

  func present(_ items: [NewsItem]) -> Container<StoriesViewModel> {
    let matches = items.map { ItemMatch(item: $0) }
    return .ready(
      StoriesViewModel(
        items: matches,
        lines: matches.enumerated().map { headlines.line($1, ordinal: $0 + 1) }
      )
    )
  }
}
