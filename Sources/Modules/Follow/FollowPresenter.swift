public import NewsCore

/// The items that have come since the container before.
public struct FollowViewModel: ItemContent {
  public var items: [ItemMatch]
  /// Empty for formats that make no use of it.
  public var lines: [HeadlineLine]
}

/// Items as lines of a stream: with the time of day, because an age grows old while it is looked at.
public struct FollowPresenter: Sendable {
  let parts: ItemParts
  private let headlines: HeadlinePresenter?

  public init(output: ItemOutput) {
    parts = output.parts
    guard output.format == .text else {
      headlines = nil
      return
    }
    var terminal = output.terminal
    terminal.showsAges = false
    headlines = HeadlinePresenter(terminal: terminal)
  }

  func present(_ items: [NewsItem]) -> FollowViewModel {
    let matches = items.map { ItemMatch(item: $0) }
    return FollowViewModel(
      items: matches,
      lines: headlines.map { lines in matches.map { lines.line($0, ordinal: 0) } } ?? []
    )
  }
}
