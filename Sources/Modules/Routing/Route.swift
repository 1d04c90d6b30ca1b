public import NewsCore

/// A destination. The command line parses into one, routers answer a selection with the next, and a configurator builds
/// the module that it names.
public enum Route: Hashable, Sendable {
  case list(ListRoute)
  /// How many items a day, as bars.
  case chart(ListRoute)
  case item(NewsItem.ID)
  /// Several, one after the other.
  case items([NewsItem.ID])
  case search(SearchRoute)
  case searchHistory(limit: Int)
  case follow(FollowRoute)
  case changes(after: Int64, limit: Int?)
  case mark([NewsItem.ID], ItemMark)
  case subscriptions(SubscriptionsRoute)
  /// The folders, with what is in each.
  case folders
  case fetch(FetchRoute)
  /// What the store holds, in figures.
  case status
  /// The polls of the next `horizon` seconds.
  case plan(horizon: Int64)
  /// The feeds that fail.
  case failures
  case rules
  case savedSearches
  /// What an item said before its feed edited it.
  case versions(NewsItem.ID)
  /// What the last edit changed.
  case difference(NewsItem.ID)
}

/// Which items, in which order, how many of them.
public struct ListRoute: Hashable, Sendable {
  public var filter: ItemFilter
  public var order: ItemOrder
  public var extent: Extent
  /// One item for each cluster of duplicates.
  public var foldsClusters: Bool

  public enum Extent: Hashable, Sendable {
    /// The 1-based page `number` of pages of `size` items.
    case page(Int, size: Int)
    /// Everything, passed on in batches.
    case all
  }

  /// What a page holds unless the user says otherwise.
  public static let pageSize = 20
  /// Bound of a page's number and of its size: any place in the list, and more items than a store can hold.
  public static let largestPage = 1_000_000_000

  public init(
    filter: ItemFilter = ItemFilter(),
    order: ItemOrder = .newest,
    extent: Extent = .page(1, size: ListRoute.pageSize),
    foldsClusters: Bool = false
  ) {
    self.filter = filter
    self.order = order
    self.extent = extent
    self.foldsClusters = foldsClusters
  }
}

/// A search: the words as typed, and the list they are looked up in.
public struct SearchRoute: Hashable, Sendable {
  public var text: String
  public var list: ListRoute

  public init(text: String, list: ListRoute = ListRoute(order: .relevance)) {
    self.text = text
    self.list = list
  }
}

/// Which feeds, in which order.
public struct SubscriptionsRoute: Hashable, Sendable {
  /// How feeds are sorted; ties stay in the user's order.
  public enum Order: String, Hashable, Sendable, CaseIterable {
    /// The user's own.
    case position
    case title
    /// Most unread items first.
    case unread
    /// Latest fetch first.
    case last
    /// Most failures in a row first.
    case failures
  }

  /// Folders, with those below them; empty: all.
  public var folders: [String]
  public var hasUnread: Bool
  public var isFailing: Bool
  public var order: Order

  public init(
    folders: [String] = [],
    hasUnread: Bool = false,
    isFailing: Bool = false,
    order: Order = .position
  ) {
    self.folders = folders
    self.hasUnread = hasUnread
    self.isFailing = isFailing
    self.order = order
  }

  /// True when it selects all feeds.
  public var isComplete: Bool { folders.isEmpty && !hasUnread && !isFailing }
}

/// A stream of items as they are stored.
public struct FollowRoute: Hashable, Sendable {
  public var filter: ItemFilter
  /// Start after this number of the change log; nil: after what the cursor says, else now.
  public var after: Int64?
  /// Items to print first, out of those stored already.
  public var backfill: Int
  /// Print items again that change.
  public var includesUpdates: Bool

  public init(
    filter: ItemFilter = ItemFilter(),
    after: Int64? = nil,
    backfill: Int = 0,
    includesUpdates: Bool = false
  ) {
    self.filter = filter
    self.after = after
    self.backfill = backfill
    self.includesUpdates = includesUpdates
  }
}

/// A refresh that the user asked for.
public struct FetchRoute: Hashable, Sendable {
  /// As typed: ids, URLs or titles; empty: all feeds.
  public var feeds: [String]
  /// Only feeds whose time has come.
  public var onlyDue: Bool

  public init(feeds: [String] = [], onlyDue: Bool = false) {
    self.feeds = feeds
    self.onlyDue = onlyDue
  }
}
