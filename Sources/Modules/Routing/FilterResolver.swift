public import NewsSearch
public import NewsCore
import NewsToolbox

/// Combines filters, saved searches and query text into one query.
public struct FilterResolver: Sendable {
  private let feeds: any FeedKeeping
  private let searches: (any DefinitionKeeping)?
  private let clock: any WallClock

  /// The names of saved searches are accepted wherever a feed's name is. Spans such as `since:2d` count from
  /// the clock's time.
  public init(feeds: any FeedKeeping, searches: (any DefinitionKeeping)? = nil, clock: any WallClock) {
    self.feeds = feeds
    self.searches = searches
    self.clock = clock
  }

  /// Combines the filter and `more` into one query.
  ///
  /// - Throws: `noSuchFeed` or `ambiguousFeed` if a name does not identify one feed; `noSuchFeed` for a folder
  ///   without feeds; `QueryError` if a saved search has a syntax error.
  public func query(_ filter: ItemFilter, and more: Query = .all) async throws -> Query {
    var named: [Query] = []
    for name in filter.feeds { named.append(try await query(named: name)) }
    try await check(filter.folders)
    var parts = [named, filter.folders.map(Query.folder), filter.labels.map(Query.label)].compactMap(
      Query.any(of:)
    )
    if let feedID = filter.feedID { parts.append(.feedID(feedID)) }
    if let isRead = filter.isRead { parts.append(.isRead(isRead)) }
    if let isStarred = filter.isStarred { parts.append(.isStarred(isStarred)) }
    if let since = filter.since { parts.append(.since(since)) }
    if let until = filter.until { parts.append(.until(until)) }
    if let time = filter.storedSince { parts.append(.storedSince(time)) }
    if filter.leavesOutHidden, let hidden = Query.any(of: try await feeds.hiddenFeeds().map(Query.feedID)) {
      parts.append(.not(hidden))
    }
    for query in [filter.query, more] where query != .all { parts.append(query) }
    return parts.count > 1 ? .and(parts) : parts.first ?? .all
  }

  /// Parses the query text of a search and adds its filter. The result also has the order that the text asks
  /// for.
  public func search(_ route: SearchRoute) async throws -> ParsedQuery {
    var typed = try QueryParser.parse(route.text, now: clock.now())
    typed.query = try await query(route.list.filter, and: typed.query)
    return typed
  }

  /// Title and identity of a list or search that is published as a document.
  public func title(_ text: String?, _ filter: ItemFilter) async throws -> RouteTitle {
    var filter = filter
    var titles = filter.feeds
    for (index, name) in filter.feeds.enumerated() {
      switch try await find(name) {
      case .search(let search): (filter.feeds[index], titles[index]) = (search.name, search.name)
      // Use the URL, so that every name of a feed gives the same identity.
      case .feed(let feed): (filter.feeds[index], titles[index]) = (feed.url, feed.title)
      }
    }
    return RouteTitle(text: text, filter: filter, feedTitles: titles)
  }

  /// True if there are no subscriptions yet.
  func hasNoFeeds() async throws(StoreError) -> Bool { try await feeds.feeds(FeedWindow(.all)).feeds.isEmpty }

  private func query(named name: String) async throws -> Query {
    switch try await find(name) {
    case .search(let search): try QueryParser.parse(search.query, now: clock.now()).query
    case .feed(let feed): .feedID(feed.id)
    }
  }

  /// What a name in a filter stands for.
  private enum Named {
    case feed(Feed)
    case search(SavedSearch)
  }

  /// Begins a name that can only be that of a saved search.
  static let savedPrefix = "saved:"

  /// Finds what a name stands for. An id, a URL or a whole title is a feed's. Any other name is that of a saved search
  /// or part of a feed's title; throws if it could be both, because a new search must not replace the feed silently.
  private func find(_ name: String) async throws(StoreError) -> Named {
    if name.hasPrefix(bytesOf: Self.savedPrefix) {
      let name = String(name.dropFirst(Self.savedPrefix.utf8.count))
      if let search = try await searches?.savedSearch(named: name) { return .search(search) }
      throw StoreError(code: .noSuchFeed, message: "there is no saved search '\(name)'")
    }
    guard let search = try await searches?.savedSearch(named: name) else {
      return .feed(try await feeds.feed(named: name))
    }
    let feed: Feed
    do {
      feed = try await feeds.feed(named: name)
    } catch  where error.code == .noSuchFeed || error.code == .ambiguousFeed {
      return .search(search)
    }
    if feed.isCalled(name) { return .feed(feed) }
    throw StoreError(
      code: .ambiguousFeed,
      message:
        "'\(name)' is ambiguous; it is a saved search ('\(Self.savedPrefix)\(search.name)') and part of the title "
        + "of feed \(feed.id.rawValue) (\(feed.title))"
    )
  }

  /// Rejects unknown folders: a misspelt name must not look like a folder without news.
  private func check(_ folders: [String]) async throws(StoreError) {
    guard !folders.isEmpty else { return }
    let known = try await feeds.folders()
    for folder in folders { try FolderSelection.check(folder, isIn: known) }
  }
}

extension Query {
  /// A query that matches if any of the alternatives does; nil if there are none.
  public static func any(of alternatives: [Query]) -> Query? {
    alternatives.count > 1 ? .or(alternatives) : alternatives.first
  }
}

extension Feed {
  /// True if the name is the feed's id, URL or whole title, and not only part of the title.
  func isCalled(_ name: String) -> Bool {
    name == String(id.rawValue) || name == url || name.lowercased() == title.lowercased()
  }
}
