public import NewsCore

/// Makes the routes from the list of feeds to other screens.
public struct SubscriptionsRouter: Sendable {
  public init() {}

  /// The route to all items, without those of hidden feeds.
  public var all: Route {
    var filter = ItemFilter()
    filter.leavesOutHidden = true
    return .list(ListRoute(filter: filter))
  }

  /// The route to the starred items.
  public var starred: Route { .list(ListRoute(filter: ItemFilter(isStarred: true))) }

  /// The route to a feed's items.
  public func list(of feed: Feed.ID) -> Route {
    .list(ListRoute(filter: ItemFilter(feedID: feed)))
  }

  /// The route to the items of a folder and its subfolders.
  public func list(of folder: FolderSummary) -> Route? {
    folder.name.map { .list(ListRoute(filter: ItemFilter(folders: [$0]))) }
  }

  /// The route to the matches of a saved search.
  public func list(of search: SavedSearch) -> Route { .search(SearchRoute(text: search.query)) }

  /// The route to a refresh of the feed.
  public func refresh(_ feed: Feed.ID) -> Route {
    .refresh(RefreshRoute(feeds: [String(feed.rawValue)]))
  }
}
