import NewsToolbox
public import NewsCore

/// Items of a list: one page, or one batch of a list without pages. Programs get `items`, people `lines`.
public struct NewsListViewModel: ItemContent {
  public var failsIfEmpty: Bool { true }
  /// The records for programs; empty if the view shows lines.
  public var items: [ItemMatch]
  /// The lines for people; empty if the view shows records.
  public var lines: [HeadlineLine]
  /// The number, size and total of the page; nil for a batch of a list without pages.
  public var page: PageInfo?
  public var notes: [DisplayText]

  public init(
    items: [ItemMatch] = [],
    lines: [HeadlineLine] = [],
    page: PageInfo? = nil,
    notes: [DisplayText] = []
  ) {
    self.items = items
    self.lines = lines
    self.page = page
    self.notes = notes
  }

  public var rowCount: Int { items.count + lines.count }

  /// The items in the order in which they are shown.
  var ids: [NewsItem.ID] { items.map(\.item.id) + lines.map(\.id) }

  public var nothing: DisplayText? {
    guard let page, page.total > 0, page.number > page.pageCount else {
      return DisplayText("no item matches")
    }
    return DisplayText(
      line: "there is no page \(page.number): the list has \(Plural.of(page.pageCount, "page"))"
    )
  }
}

/// Position and size of the page of a list.
public struct PageInfo: Hashable, Sendable {
  /// The page's number, counted from 1.
  public var number: Int
  /// Items per page.
  public var size: Int
  /// Items on all pages.
  public var total: Int
  /// True: the list continues after an item; pages and total count the remaining items.
  public var isContinued = false
  /// True: the list can be continued after its last item.
  public var isByTime = true

  public var pageCount: Int { size > 0 ? max(1, (total + size - 1) / size) : 1 }
  /// The ordinal of the page's first item.
  public var first: Int { (number - 1) * size + 1 }
}
