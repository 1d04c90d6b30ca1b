import NewsCore

/// Formats items as lines of a stream, with the time of day: a printed age would soon be wrong.
public struct FollowPresenter: Presenting {
  public typealias ViewModel = FollowViewModel

  let parts: ItemParts
  private let headlines: HeadlinePresenter?

  public init(_ needs: ItemNeeds, times: TimeDisplay) {
    switch needs {
    case .headlines:
      parts = .headlineText
      var times = times
      times.showsAges = false
      headlines = HeadlinePresenter(times: times)
    case .records(let parts):
      self.parts = parts
      headlines = nil
    }
  }

  func present(_ items: [NewsItem]) -> Container<FollowViewModel> { .loading(keeping: content(items)) }

  func end() -> Container<FollowViewModel> { .ready(content([])) }

  private func content(_ items: [NewsItem]) -> FollowViewModel {
    let matches = items.map { ItemMatch(item: $0) }
    let lines = headlines.map { lines in matches.map { lines.line($0, ordinal: 0) } }
    return FollowViewModel(items: matches, lines: lines ?? [])
  }
}
