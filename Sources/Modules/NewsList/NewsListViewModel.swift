public import NewsCore

/// Items of a list or search: one page, or one batch of a list without pages. Programs get `items`, people `lines`.
public struct NewsListViewModel: HeadlineContent {
  public var isSearch: Bool { true }
  public var items: [ItemMatch]
  /// The lines for people; empty if the view shows no lines.
  public var lines: [HeadlineLine]
  /// The number, size and total of the page; nil for a batch of a list without pages.
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
