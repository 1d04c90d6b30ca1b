public import NewsCore

/// The matches of a search as a list, in which people see the words that were found.
public struct NewsSearchViewModel: ItemContent {
  public var list: NewsListViewModel
  /// False: the matches were not counted, and there may be more than the page's total.
  public var isCounted: Bool

  public var items: [ItemMatch] { list.items }
  public var notes: [DisplayText] { list.notes }
  public var nothing: DisplayText? { list.nothing }
  public var failsIfEmpty: Bool { list.failsIfEmpty }
  public var rowCount: Int { list.rowCount }
}
