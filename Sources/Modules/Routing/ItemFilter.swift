public import NewsCore

/// The filters that `list`, `search` and `follow` share, as the user gave them.
public struct ItemFilter: Hashable, Sendable {
  /// Each an id, a URL or a title; items of any of them.
  public var feeds: [String]
  public var feedID: Feed.ID?
  /// Items of any of these folders and those below them.
  public var folders: [String]
  public var isRead: Bool?
  public var isStarred: Bool?
  public var since: Timestamp?
  public var until: Timestamp?
  /// Whatever else selects items.
  public var query: Query

  public init(
    feeds: [String] = [],
    feedID: Feed.ID? = nil,
    folders: [String] = [],
    isRead: Bool? = nil,
    isStarred: Bool? = nil,
    since: Timestamp? = nil,
    until: Timestamp? = nil,
    query: Query = .all
  ) {
    self.feeds = feeds
    self.feedID = feedID
    self.folders = folders
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
    var named: [Query] = []
    for name in self.feeds { named.append(.feedID(try await feeds.feed(named: name).id)) }
    try await Self.check(folders: folders, feeds)
    var parts = [Query.any(of: named), .any(of: folders.map(Query.folder))].compactMap { $0 }
    if let feedID { parts.append(.feedID(feedID)) }
    if let isRead { parts.append(.isRead(isRead)) }
    if let isStarred { parts.append(.isStarred(isStarred)) }
    if let since { parts.append(.since(since)) }
    if let until { parts.append(.until(until)) }
    for query in [query, more] where query != .all { parts.append(query) }
    return parts.count > 1 ? .and(parts) : parts.first ?? .all
  }

  /// A misspelt folder must not pass for a folder without news.
  private static func check(folders: [String], _ feeds: any FeedReading) async throws(StoreError) {
    guard !folders.isEmpty else { return }
    let all = try await feeds.feeds()
    for folder in folders { _ = try FolderSelection.feeds(in: folder, of: all) }
  }
}

/// Feeds by folder.
enum FolderSelection {
  /// The feeds in the folder `name` and below it; case does not count.
  ///
  /// - Throws: `noSuchFeed`, with the folders there are, when no feed is in it.
  static func feeds(in name: String, of feeds: [Feed]) throws(StoreError) -> [Feed] {
    let wanted = name.split(separator: "/").joined(separator: "/").lowercased()
    let found = feeds.filter {
      guard let folder = $0.folder?.lowercased() else { return false }
      return folder == wanted || folder.hasPrefix(wanted + "/")
    }
    guard found.isEmpty else { return found }
    let folders = Set(feeds.compactMap(\.folder))
    let known = folders.sorted().prefix(5).joined(separator: ", ")
    let hint = folders.isEmpty ? "" : "; there are \(known)\(folders.count > 5 ? ", …" : "")"
    throw StoreError(code: .noSuchFeed, message: "no feed is in a folder '\(name)'\(hint)")
  }
}

extension Query {
  /// A query for what any of the alternatives selects; nil: there are none.
  public static func any(of alternatives: [Query]) -> Query? {
    alternatives.count > 1 ? .or(alternatives) : alternatives.first
  }
}
