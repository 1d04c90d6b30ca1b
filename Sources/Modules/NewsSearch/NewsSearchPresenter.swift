public import NewsCore

/// What a search found: typed items for programs, lines with the matches marked for people.
public struct NewsSearchViewModel: HeadlineContent {
  public var items: [ItemMatch]
  /// Empty for formats that make no use of it.
  public var lines: [HeadlineLine]
  /// Nil: without pages; this follows what came before.
  public var page: PageInfo?
}

/// Matches as lines.
public struct NewsSearchPresenter: Sendable {
  let parts: ItemParts
  /// True: the format says how many matches there are in all.
  var showsTotal: Bool { headlines != nil }
  private let headlines: HeadlinePresenter?

  public init(output: ItemOutput) {
    let isText = output.format == .text
    parts = isText ? [.excerpt] : output.parts
    headlines = isText ? HeadlinePresenter(terminal: output.terminal) : nil
  }

  func present(_ items: [ItemMatch], first: Int, page: PageInfo?) -> NewsSearchViewModel {
    let lines = headlines.map { headlines in
      items.enumerated().map { headlines.line($1, ordinal: first + $0) }
    }
    return NewsSearchViewModel(items: items, lines: lines ?? [], page: page)
  }
}
