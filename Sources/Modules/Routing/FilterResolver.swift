public import NewsCore

/// Combines filters, saved searches and query text into one query.
public struct FilterResolver: Sendable {
  private let feeds: any FeedReading
  private let searches: (any SavedSearchKeeping)?
  private let clock: any WallClock

  /// - Parameters:
  ///   - feeds: Finds feeds by name.
  ///   - searches: Saved searches, whose names are accepted wherever a feed's name is; nil: there are none.
  ///   - clock: The source of the current time, from which spans such as `since:2d` count.
  public init(feeds: any FeedReading, searches: (any SavedSearchKeeping)? = nil, clock: any WallClock) {
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
    var parts = [Query.any(of: named), .any(of: filter.folders.map(Query.folder))].compactMap { $0 }
    if let feedID = filter.feedID { parts.append(.feedID(feedID)) }
    if let isRead = filter.isRead { parts.append(.isRead(isRead)) }
    if let isStarred = filter.isStarred { parts.append(.isStarred(isStarred)) }
    if let since = filter.since { parts.append(.since(since)) }
    if let until = filter.until { parts.append(.until(until)) }
    if let time = filter.storedSince { parts.append(.storedSince(time)) }
    for query in [filter.query, more] where query != .all { parts.append(query) }
    return parts.count > 1 ? .and(parts) : parts.first ?? .all
  }

  /// Parses the query text of a search and adds its filter. The result also has the order that the text asks for.
  ///
  /// - Throws: As `query`, and `QueryError` if the text has a syntax error.
  public func search(_ route: SearchRoute) async throws -> ParsedQuery {
    var typed = try QueryParser.parse(route.text, now: clock.now())
    typed.query = try await query(route.list.filter, and: typed.query)
    return typed
  }

  /// Title and identity of a list or search that is published as a document.
  ///
  /// - Throws: As `query`.
  public func title(_ text: String?, _ filter: ItemFilter) async throws -> RouteTitle {
    var filter = filter
    var titles = filter.feeds
    for (index, name) in filter.feeds.enumerated() where try await searches?.savedSearch(named: name) == nil {
      let feed = try await feeds.feed(named: name)
      // Use the URL, so that every name of a feed gives the same identity.
      filter.feeds[index] = feed.url
      titles[index] = feed.title
    }
    return RouteTitle(text: text, filter: filter, feedTitles: titles)
  }

  /// True if there are no subscriptions yet.
  func hasNoFeeds() async throws(StoreError) -> Bool { try await feeds.feeds().isEmpty }

  /// Looks for a saved search of that full name first, then for a feed, for which part of the title is enough. The
  /// store does not save a search under the name of a feed.
  private func query(named name: String) async throws -> Query {
    if let search = try await searches?.savedSearch(named: name) {
      return try QueryParser.parse(search.query, now: clock.now()).query
    }
    return .feedID(try await feeds.feed(named: name).id)
  }

  /// Rejects unknown folders: a misspelt name must not look like a folder without news.
  private func check(_ folders: [String]) async throws(StoreError) {
    guard !folders.isEmpty else { return }
    let all = try await feeds.feeds()
    for folder in folders { _ = try FolderSelection.feeds(in: folder, of: all) }
  }
}

extension Query {
  /// A query that matches if any of the alternatives does; nil if there are none.
  public static func any(of alternatives: [Query]) -> Query? {
    alternatives.count > 1 ? .or(alternatives) : alternatives.first
  }
}
