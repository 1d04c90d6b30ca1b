public import NewsCore

/// A page of a list or of the matches of a search, or its next part: records for programs, lines for people.
public struct NewsListViewModel: HeadlineContent {
  public var isSearch: Bool { true }
  public var items: [ItemMatch]
  /// The lines for people; empty if the view shows no lines.
  public var lines: [HeadlineLine]
  /// The shown page; nil: the list has no pages, and this part follows the previous one.
  public var page: PageInfo?
  public var notes: [DisplayText]

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
