public import NewsCore

/// A destination: a screen, with the request of its module. The terminal reader, the page and routers open routes, and
/// so do the commands that show such a screen.
public enum Route: Hashable, Sendable {
  case list(ListRoute)
  case search(SearchRoute)
  /// Items in full, one after the other.
  case items([NewsItem.ID])
  /// Items in full, marked read after they were shown.
  case read([NewsItem.ID])
  /// All versions of an item.
  case versions(NewsItem.ID)
  /// The difference that the last edit of an item made.
  case difference(NewsItem.ID)
  case mark(MarkRoute)
  case subscriptions(SubscriptionsRoute)
  /// The folders with their counts.
  case feedsFolders
  case feedsAdd(FeedsAddRoute)
  case refresh(RefreshRoute)
  /// Figures about the store.
  case status
  /// The polls of the next `horizon` seconds.
  case plan(horizon: Int64)
  /// The failing feeds.
  case failures
}

/// A search: the query as typed, and the filter, order and extent of its results.
public struct SearchRoute: Hashable, Sendable {
  public var text: String
  public var list: ListRoute

  public init(text: String, list: ListRoute = ListRoute(order: .relevance)) {
    self.text = text
    self.list = list
  }
}

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

/// A refresh that the user asked for.
public struct RefreshRoute: Hashable, Sendable {
  /// Ids, URLs or titles, as typed; empty: all feeds.
  public var feeds: [String]
  /// True: refresh only feeds that are due. Without effect if feeds are named.
  public var onlyDue: Bool
  /// Path of the folder in which to record the exchanges; nil: they are not recorded.
  public var record: String?
  /// True: fetch the queued pages of items afterwards.
  public var fetchesArticles: Bool

  public init(
    feeds: [String] = [],
    onlyDue: Bool = false,
    record: String? = nil,
    fetchesArticles: Bool = false
  ) {
    self.feeds = feeds
    self.onlyDue = onlyDue
    self.record = record
    self.fetchesArticles = fetchesArticles
  }
}

/// The address to subscribe to, and the options.
public struct FeedsAddRoute: Hashable, Sendable {
  /// URL of a feed or of a web page, as typed.
  public var address: String
  public var options: FeedAdditionOptions

  public init(_ address: String, _ options: FeedAdditionOptions = FeedAdditionOptions()) {
    self.address = address
    self.options = options
  }

  /// The addition of the `number`th feed to choose from, counted from 1.
  public func picking(_ number: Int) -> FeedsAddRoute {
    var route = self
    route.options.pick = number
    return route
  }
}

/// An operation on the subscriptions. A feed is given by id, URL, title or, except for `remove`, part of its
/// title.
public enum SubscriptionsRoute: Hashable, Sendable {
  case list(FeedSelection = FeedSelection())
  /// Unsubscribes, and deletes the feeds' items.
  case remove(feeds: [String])
  case rename(feed: String, title: String)
  /// Moves a feed to a folder (empty: the top level), to a 1-based position, or both.
  case move(feed: String, folder: String?, position: Int?)
  /// Moves feeds to a folder (empty: the top level).
  case moveFeeds([Feed.ID], toFolder: String)
  /// Moves a feed or folder in the user's order.
  case arrange(TreeEntry, TreePlace)
  /// Renames or moves a folder with its subfolders; an empty name: removes it, and its feeds stay without a folder.
  case moveFolder(String, to: String)
}

/// Title and identity of a list or search that is published as a document.
public struct RouteTitle: Hashable, Sendable {
  public var title: String
  /// Identifies the published document. Excludes times: `--since 1d` is the same feed tomorrow.
  public var identity: String

  /// `text` is the query text; nil: it is a list. `feedTitles` are the titles of the filter's feeds; nil: the
  /// names in the filter are used.
  public init(text: String? = nil, filter: ItemFilter, feedTitles: [String]? = nil) {
    let unread = filter.isRead == false ? "unread" : nil
    let starred = filter.isStarred == true ? "starred" : nil
    let parts = ([text] + (feedTitles ?? filter.feeds) + filter.folders + filter.labels + [unread, starred])
      .compactMap { $0 }.filter { !$0.isEmpty }
    guard !parts.isEmpty else {
      (title, identity) = ("newsd", "newsd")
      return
    }
    title = parts.joined(separator: " · ")
    let named: [(String, String?)] =
      [("search", text)] + filter.feeds.map { ("feed", $0) } + filter.folders.map { ("folder", $0) }
      + filter.labels.map { ("label", $0) } + [("", unread), ("", starred)]
    identity = named.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
  }
}
