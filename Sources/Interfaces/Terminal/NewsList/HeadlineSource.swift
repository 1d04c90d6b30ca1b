public import Modules
public import NewsCore

/// The source of a screen's headlines: a list or a search.
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

  /// True for a list by time, whose pages continue after an item. A list by relevance has numbered pages.
  var isByTime: Bool { list.order != .relevance }

  /// The source restricted to a part of the same list.
  func at(_ place: HeadlinePart) -> HeadlineSource {
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
public enum HeadlinePart: Sendable {
  case start(size: Int)
  case end(size: Int)
  /// The items after the one at which the list was left; that item and those before it are read next.
  case resume(NewsItem.ID, size: Int)
  case after(NewsItem.ID, size: Int)
  case before(NewsItem.ID, size: Int)
  /// The lines on the screen, read again because the store has changed: those after an item, or from the
  /// beginning if it is nil.
  case reload(after: NewsItem.ID?, size: Int, StoreChanges)
  /// The next unread item.
  case unread(UnreadSeek)

  /// True if the list is read for the first time.
  var isFirst: Bool {
    switch self {
    case .start, .resume: true
    default: false
    }
  }
}

/// The search for the next unread item beyond the lines read so far.
public struct UnreadSeek: Hashable, Sendable {
  /// The item after which the search starts; nil: at the beginning.
  public var from: NewsItem.ID?
  public var isBackwards: Bool
  /// True if the item found is shown in full.
  public var opens: Bool
  /// True if the search has continued at the beginning of the list.
  public var hasWrapped = false
  /// True if the list has no unread item and the search continues in all feeds.
  public var isEverywhere = false
}
