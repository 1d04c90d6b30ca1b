public import NewsCore

/// Which items, in which order, how many of them.
public struct ListRoute: Hashable, Sendable {
  public var filter: ItemFilter
  public var order: ItemOrder
  public var extent: Extent
  /// One item for each cluster of duplicates.
  public var foldsClusters: Bool
  /// Nil: the list from its beginning; else what follows this item in the order by time.
  public var continuing: NewsItem.ID?
  /// Only items first stored in this part of the change log; nil: all.
  public var arrivals: Arrivals?

  public enum Extent: Hashable, Sendable {
    /// The 1-based page `number` of pages of `size` items.
    case page(Int, size: Int)
    /// Everything, passed on in batches.
    case all

    /// Another page of the same size.
    func page(_ number: Int) -> Extent {
      if case .page(_, let size) = self { .page(number, size: size) } else { .page(number, size: pageSize) }
    }
  }

  /// Items on a page by default.
  public static let pageSize = 20
  /// Upper bound of a page's number and size, beyond any store; keeps their product within `Int`.
  public static let largestPage = 1_000_000_000

  public init(
    filter: ItemFilter = ItemFilter(),
    order: ItemOrder = .newest,
    extent: Extent = .page(1, size: ListRoute.pageSize),
    foldsClusters: Bool = false,
    continuing: NewsItem.ID? = nil
  ) {
    self.filter = filter
    self.order = order
    self.extent = extent
    self.foldsClusters = foldsClusters
    self.continuing = continuing
  }

  /// The same list from what follows an item in it; nil: from its beginning.
  public func following(_ id: NewsItem.ID?, size: Int) -> ListRoute {
    var route = self
    route.continuing = id
    route.extent = .page(1, size: size)
    return route
  }

  /// What comes before an item, the nearest first; nil: the list from its end.
  public func preceding(_ id: NewsItem.ID?, size: Int) -> ListRoute {
    var route = following(id, size: size)
    route.order = order == .oldest ? .newest : .oldest
    return route
  }

  /// What the store is asked for, without the extent.
  func request(_ query: Query, order: ItemOrder, parts: ItemParts) -> ItemRequest {
    ItemRequest(
      query: query,
      order: order,
      continuing: continuing,
      arrivals: arrivals,
      parts: parts,
      foldsClusters: foldsClusters
    )
  }
}
