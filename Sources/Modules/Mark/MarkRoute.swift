public import NewsCore

/// The items to mark, and the mark.
public struct MarkRoute: Hashable, Sendable {
  public enum Items: Hashable, Sendable {
    case ids([NewsItem.ID])
    /// The items that the filter selects.
    case selected(ItemFilter)
    /// All items that the search finds.
    case found(SearchRoute)
  }

  public var items: Items
  public var mark: ItemMark

  public init(_ items: Items, _ mark: ItemMark) {
    self.items = items
    self.mark = mark
  }

  public init(_ ids: [NewsItem.ID], _ mark: ItemMark) {
    self.init(.ids(ids), mark)
  }
}
