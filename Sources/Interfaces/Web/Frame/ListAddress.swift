public import NewsHTTP
public import Modules
public import NewsCore
import NewsToolbox

/// The address of a list on the web page: the selection of items and the position in the list.
///
/// This type parses paths as the command line parses words. The modules' routers say where a screen leads,
/// and `init(_:)` turns their routes into paths.
public struct ListAddress: Hashable, Sendable {
  public enum Selection: Hashable, Sendable {
    case unread, starred, all
    case feed(Feed.ID)
    case folder(String)
    case saved(String)
    case search(String)
  }

  public var selection: Selection
  /// True: the list of a feed, folder or saved search omits read items.
  public var isUnreadOnly = false
  /// The list continues after this item.
  public var after: NewsItem.ID?
  /// The page of a search by relevance; 1-based.
  public var page = 1
  public var order = ItemOrder.newest
  /// True: the address names the order, which a preference of the browser does not change then.
  public var namesOrder = false
  /// True: of several items with the same story, the list shows one.
  public var foldsStories = false

  /// Number of items per page.
  public static let pageSize = 50

  public init(_ selection: Selection) {
    self.selection = selection
    if case .search = selection { order = .relevance }
  }

  /// Reads a path and a query; nil for other pages than lists.
  public init?(path: [String], query: HTTPParameters) {
    switch (path.first, path.count) {
    case ("unread", 1): self.init(.unread)
    case ("starred", 1): self.init(.starred)
    case ("all", 1): self.init(.all)
    case ("search", 1): self.init(.search(query.first("q") ?? ""))
    case ("saved", 2): self.init(.saved(path[1]))
    case ("feed", 2):
      guard let id = Int64(path[1]) else { return nil }
      self.init(.feed(Feed.ID(rawValue: id)))
    case ("folder", 2...): self.init(.folder(path.dropFirst().joined(separator: "/")))
    default: return nil
    }
    isUnreadOnly = query.first("show") == "unread"
    after = query.first("before").flatMap { Int64($0) }.map { NewsItem.ID(rawValue: $0) }
    page = min(max(query.first("page").flatMap { Int($0) } ?? 1, 1), ListRoute.largestPage / Self.pageSize)
    if let named = query.first("order").flatMap({ ItemOrder(rawValue: $0) }) {
      order = named
      namesOrder = true
    }
    foldsStories = query.first("stories") == "once"
  }

  /// Converts a router's route to an address; nil if the web page has no list for the route.
  public init?(_ route: Route) {
    switch route {
    case .search(let search): self.init(.search(search.text))
    case .list(let list):
      let filter = list.filter
      if let feed = filter.feedID {
        self.init(.feed(feed))
      } else if let folder = filter.folders.first {
        self.init(.folder(folder))
      } else {
        self.init(filter.isStarred == true ? .starred : filter.isRead == false ? .unread : .all)
      }
    default: return nil
    }
  }

  /// The path with its query, below newsd's prefix.
  public var path: String {
    var query: [(String, String)] = []
    var path: String
    switch selection {
    case .unread: path = "/unread"
    case .starred: path = "/starred"
    case .all: path = "/all"
    case .feed(let id): path = "/feed/\(id.rawValue)"
    case .folder(let name): path = "/folder/" + PagePath.segments(name)
    case .saved(let name): path = "/saved/" + PagePath.segment(name)
    case .search(let text):
      path = "/search"
      query.append(("q", text))
    }
    if isUnreadOnly { query.append(("show", "unread")) }
    if foldsStories { query.append(("stories", "once")) }
    if namesOrder || order != ListAddress(selection).order { query.append(("order", order.rawValue)) }
    if let after { query.append(("before", String(after.rawValue))) }
    if page > 1 { query.append(("page", String(page))) }
    if !query.isEmpty {
      path += "?" + query.map { "\($0)=\(PagePath.segment($1))" }.joined(separator: "&")
    }
    return path
  }

  /// The filter of the list; for a search, without its text.
  public var filter: ItemFilter {
    var filter: ItemFilter
    switch selection {
    case .unread: filter = ItemFilter(isRead: false)
    case .starred: filter = ItemFilter(isStarred: true)
    case .all, .search: filter = ItemFilter()
    case .feed(let id): filter = ItemFilter(feedID: id)
    case .folder(let name): filter = ItemFilter(folders: [name])
    case .saved(let name): filter = ItemFilter(feeds: ["saved:" + name])
    }
    filter.leavesOutHidden = selection == .unread || selection == .all
    if isUnreadOnly { filter.isRead = false }
    return filter
  }

  /// The request to the module. Searches by relevance have numbered pages; other lists continue after an item, so that
  /// items that arrive meanwhile shift nothing.
  public var list: ListRoute {
    let isRanked = order == .relevance
    return ListRoute(
      filter: filter,
      order: order,
      extent: .page(isRanked ? page : 1, size: Self.pageSize),
      foldsStories: foldsStories,
      continuing: isRanked ? nil : after
    )
  }

  public var route: Route {
    if case .search(let text) = selection {
      return .search(SearchRoute(text: TypedQuery.completing(text), list: list))
    }
    return .list(list)
  }

  /// The same list from its beginning.
  public var beginning: ListAddress {
    var address = self
    address.after = nil
    address.page = 1
    return address
  }

  /// Returns the address of the next page; `last` is the last item of this page.
  public func following(_ last: NewsItem.ID) -> ListAddress {
    var address = self
    if order == .relevance { address.page += 1 } else { address.after = last }
    return address
  }
}

/// Writes parts of paths.
public enum PagePath {
  /// Percent-encodes one segment of a path, or a value in a query.
  public static func segment(_ text: String) -> String {
    PercentCoding.encode(text, keeping: PercentCoding.isUnreserved)
  }

  /// Converts the levels of a folder to segments of a path.
  public static func segments(_ text: String) -> String {
    text.split(ascii: "/").map { segment(String($0)) }.joined(separator: "/")
  }

  public static func item(_ id: NewsItem.ID) -> String { "/item/\(id.rawValue)" }

  /// Checks a path that a form names as the page to return to. Returns nil if it could lead to another site.
  public static func checked(_ path: String?) -> String? {
    guard let path, path.hasPrefix(bytesOf: "/"), !path.hasPrefix(bytesOf: "//"), path.utf8.count < 2000,
      path.utf8.allSatisfy({ $0 > UInt8(ascii: " ") && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return path
  }

  /// Checks the page to show after a log-in, which links of other sites can name. Returns nil unless it is a page below newsd's
  /// prefix. The log-in pages are not allowed.
  static func afterLogIn(_ path: String?) -> String? {
    guard let path = checked(path),
      path.utf8.allSatisfy({ PercentCoding.isUnreserved($0) || "/?&=%+".utf8.contains($0) })
    else { return nil }
    let segments = path.prefix(upToAny: "?").split(ascii: "/").map { PercentCoding.decodeLeniently($0.utf8) }
    // Browsers take `..` and `%2e%2e` for the folder above, which may be above the prefix.
    guard segments.first != "login", !segments.contains(where: { $0 == "." || $0 == ".." }) else {
      return nil
    }
    return path
  }

  /// The address of a page of the log-in that leads on to another page; nil: to the start page.
  static func logIn(_ page: String = "/login", to next: String?) -> String {
    next.map { "\(page)?to=\(segment($0))" } ?? page
  }
}
