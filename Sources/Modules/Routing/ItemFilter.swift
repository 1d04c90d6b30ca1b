public import NewsCore

/// The filters that `list`, `search` and `follow` share, as the user gave them.
public struct ItemFilter: Hashable, Sendable {
  /// An id, a URL or a title.
  public var feed: String?
  public var feedID: Feed.ID?
  public var folder: String?
  public var isRead: Bool?
  public var isStarred: Bool?
  public var since: Timestamp?
  public var until: Timestamp?
  /// Whatever else selects items.
  public var query: Query

  public init(
    feed: String? = nil,
    feedID: Feed.ID? = nil,
    folder: String? = nil,
    isRead: Bool? = nil,
    isStarred: Bool? = nil,
    since: Timestamp? = nil,
    until: Timestamp? = nil,
    query: Query = .all
  ) {
    self.feed = feed
    self.feedID = feedID
    self.folder = folder
    self.isRead = isRead
    self.isStarred = isStarred
    self.since = since
    self.until = until
    self.query = query
  }

  /// One query for all of it.
  ///
  /// - Throws: `noSuchFeed` or `ambiguousFeed` for a feed that cannot be told from its name, and for a folder that no
  ///   feed is in.
  public func query(
    and more: Query = .all,
    resolving feeds: any FeedReading
  ) async throws(StoreError) -> Query {
    var parts: [Query] = []
    if let feed { parts.append(.feedID(try await feeds.feed(named: feed).id)) }
    if let feedID { parts.append(.feedID(feedID)) }
    if let folder {
      try await Self.check(folder: folder, feeds)
      parts.append(.folder(folder))
    }
    if let isRead { parts.append(.isRead(isRead)) }
    if let isStarred { parts.append(.isStarred(isStarred)) }
    if let since { parts.append(.since(since)) }
    if let until { parts.append(.until(until)) }
    for query in [query, more] where query != .all { parts.append(query) }
    return parts.count > 1 ? .and(parts) : parts.first ?? .all
  }

  /// A slip in a folder's name must not pass for a folder without news.
  private static func check(folder name: String, _ feeds: any FeedReading) async throws(StoreError) {
    let wanted = name.split(separator: "/").joined(separator: "/").lowercased()
    let folders = Set(try await feeds.feeds().compactMap(\.folder))
    let isThere = folders.contains {
      let folder = $0.lowercased()
      return folder == wanted || folder.hasPrefix(wanted + "/")
    }
    guard !isThere else { return }
    let known = folders.sorted().prefix(5).joined(separator: ", ")
    let hint = folders.isEmpty ? "" : "; there are \(known)\(folders.count > 5 ? ", …" : "")"
    throw StoreError(code: .noSuchFeed, message: "no feed is in a folder \"\(name)\"\(hint)")
  }
}
