public import NewsCore

/// The filter, order and extent of a list of items.
public struct ListRoute: Hashable, Sendable {
  public var filter: ItemFilter
  public var order: ItemOrder
  public var extent: Extent
  /// True: show one item of each story.
  public var foldsStories: Bool
  /// Continue the list after this item, in order of time; nil: start at the beginning.
  public var continuing: NewsItem.ID?
  /// Show only items first stored in this part of the change log; nil: all.
  public var arrivals: ChangeRange?

  public enum Extent: Hashable, Sendable {
    /// The 1-based page `number` of pages of `size` items.
    case page(Int, size: Int)
    /// At most `size` items after the first ones, until they have `bytes` of text.
    case portion(after: Int, size: Int, bytes: Int)
    /// All items, emitted in batches.
    case all
  }

  /// Items on a page by default.
  public static let pageSize = 20
  /// Upper bound of a page's number and of its size. No store is that large, and their product fits in `Int`.
  public static let largestPage = 1_000_000_000

  public init(
    filter: ItemFilter = ItemFilter(),
    order: ItemOrder = .newest,
    extent: Extent = .page(1, size: ListRoute.pageSize),
    foldsStories: Bool = false,
    continuing: NewsItem.ID? = nil
  ) {
    self.filter = filter
    self.order = order
    self.extent = extent
    self.foldsStories = foldsStories
    self.continuing = continuing
  }

  /// The same list, continued after an item; nil: from its beginning.
  public func following(_ id: NewsItem.ID?, size: Int) -> ListRoute {
    var route = self
    route.continuing = id
    route.extent = .page(1, size: size)
    return route
  }

  /// The list in reverse order, from before an item to the list's beginning; nil: from the list's end.
  public func preceding(_ id: NewsItem.ID?, size: Int) -> ListRoute {
    var route = following(id, size: size)
    route.order = order == .oldest ? .newest : .oldest
    return route
  }

  /// The request to the store, without offset and limit.
  func request(_ query: Query, order: ItemOrder, parts: ItemParts) -> ItemRequest {
    ItemRequest(
      query: query,
      order: order,
      continuing: continuing,
      arrivals: arrivals,
      parts: parts,
      foldsStories: foldsStories
    )
  }
}
