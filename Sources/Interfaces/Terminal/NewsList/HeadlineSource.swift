public import Modules
public import NewsCore

/// Where the headlines of a screen come from: a list, or a search.
public enum HeadlineSource: Hashable, Sendable {
  case list(ListRoute)
  case search(SearchRoute)

  public init?(_ route: Route) {
    switch route {
    case .list(let list): self = .list(list)
    case .search(let search): self = .search(search)
    default: return nil
    }
  }

  var list: ListRoute {
    get {
      switch self {
      case .list(let route): route
      case .search(let route): route.list
      }
    }
    set {
      switch self {
      case .list: self = .list(newValue)
      case .search(var route):
        route.list = newValue
        self = .search(route)
      }
    }
  }

  /// Pages follow each other by key in a list by time; a list by relevance has numbered pages only.
  var isByTime: Bool { list.order != .relevance }

  /// The same headlines, that part of them.
  func at(_ place: PagePlace) -> HeadlineSource {
    var source = self
    switch place {
    case .start(let size), .reload(nil, let size, _): source.list = list.following(nil, size: size)
    case .after(let id, let size), .reload(.some(let id), let size, _):
      source.list = list.following(id, size: size)
    case .resume(let id, let size): source.list = list.following(id, size: size)
    case .end(let size): source.list = list.preceding(nil, size: size)
    case .before(let id, let size): source.list = list.preceding(id, size: size)
    case .unread(let seek):
      source.list =
        seek.isBackwards ? list.preceding(seek.from, size: 1) : list.following(seek.from, size: 1)
      source.list.filter.isRead = false
    }
    return source
  }
}

/// A part of a list of headlines.
public enum PagePlace: Sendable {
  case start(size: Int)
  case end(size: Int)
  /// From after an item where a list was left; what comes before it, the item first, is read next.
  case resume(NewsItem.ID, size: Int)
  case after(NewsItem.ID, size: Int)
  case before(NewsItem.ID, size: Int)
  /// The request that reads the shown lines again, after an item (nil: from the beginning), when the store has changed.
  case reload(after: NewsItem.ID?, size: Int, StoreChanges)
  /// The next unread item.
  case unread(UnreadSeek)

  /// True: the list is read for the first time.
  var isFirst: Bool {
    switch self {
    case .start, .resume: true
    default: false
    }
  }
}

/// The search for the next unread item beyond the lines read so far.
public struct UnreadSeek: Hashable, Sendable {
  /// Nil: from the beginning.
  public var from: NewsItem.ID?
  public var isBackwards: Bool
  /// True: it is shown in full.
  public var opens: Bool
  /// True: the search has begun again at the list's beginning.
  public var hasWrapped = false
  /// True: the list has none, and all feeds are looked through.
  public var isEverywhere = false
}
