public import NewsCore

/// Routes out of the list of feeds.
public struct SubscriptionsRouter: Sendable {
  public init() {}

  /// To all items.
  public var all: Route { .list(ListRoute()) }

  /// To the starred items.
  public var starred: Route { .list(ListRoute(filter: ItemFilter(isStarred: true))) }

  /// The route to a feed's items.
  public func list(of feed: Feed) -> Route {
    .list(ListRoute(filter: ItemFilter(feedID: feed.id)))
  }

  /// To the items of a folder and those below it.
  public func list(of folder: FolderSummary) -> Route? { FoldersRouter().list(folder) }

  /// To what a saved search finds.
  public func list(of search: SavedSearch) -> Route { SavedSearchesRouter().search(search) }

  /// The route to a refresh of the feed.
  public func fetch(_ feed: Feed) -> Route {
    .fetch(FetchRoute(feeds: [String(feed.id.rawValue)]))
  }
}
