public import NewsCore

/// Formats items as lines of a stream, with the time of day: a printed age would soon be wrong.
public struct FollowPresenter: Sendable {
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
    guard let headlines else { return FollowViewModel(items: matches) }
    return FollowViewModel(lines: matches.map { headlines.line($0, ordinal: 0) })
  }
}

/// The items stored since the previous container.
public struct FollowViewModel: ItemContent {
  /// The records for programs; empty if the view shows lines.
  public var items: [ItemMatch] = []
  /// The lines for people; empty if the view shows records.
  public var lines: [HeadlineLine] = []
}
