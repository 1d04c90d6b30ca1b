public import NewsCore

/// The matches of a search: records for programs, lines with marked matches for people.
public struct NewsSearchViewModel: HeadlineContent {
  public var isSearch: Bool { true }
  public var items: [ItemMatch]
  /// Empty if the view shows no lines.
  public var lines: [HeadlineLine]
  /// Nil: the search has no pages, and this part follows the previous one.
  public var page: PageInfo?
  public var notes: [DisplayText] = []

  public init(
    items: [ItemMatch],
    lines: [HeadlineLine] = [],
    page: PageInfo? = nil,
    notes: [DisplayText] = []
  ) {
    self.items = items
    self.lines = lines
    self.page = page
    self.notes = notes
  }
}
