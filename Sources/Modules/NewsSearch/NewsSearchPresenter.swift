public import NewsCore

/// What a search found: typed items for programs, lines with the matches marked for people.
public struct NewsSearchViewModel: HeadlineContent {
  public var items: [ItemMatch]
  /// Empty where the view shows no lines.
  public var lines: [HeadlineLine]
  /// Nil: without pages; this follows what came before.
  public var page: PageInfo?
}

/// Matches as lines.
public struct NewsSearchPresenter: Sendable {
  let parts: ItemParts
  /// True: the reader is told how many matches there are in all.
  var showsTotal: Bool { headlines != nil }
  private let headlines: HeadlinePresenter?

  /// - Parameters:
  ///   - interest: What the view shows.
  ///   - times: How lines show times.
  public init(_ interest: ItemInterest, times: TimeDisplay) {
    switch interest {
    case .headlines:
      parts = [.excerpt]
      headlines = HeadlinePresenter(times: times)
    case .records(let parts):
      self.parts = parts
      headlines = nil
    }
  }

  func present(_ items: [ItemMatch], first: Int, page: PageInfo?) -> NewsSearchViewModel {
    let lines = headlines.map { headlines in
      items.enumerated().map { headlines.line($1, ordinal: first + $0) }
    }
    return NewsSearchViewModel(items: items, lines: lines ?? [], page: page)
  }
}
