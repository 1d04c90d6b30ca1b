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
  /// Stored at this time or later, whenever it was published.
  public var storedSince: Timestamp?
  /// A further condition.
  public var query: Query

  public init(
    feeds: [String] = [],
    feedID: Feed.ID? = nil,
    folders: [String] = [],
    isRead: Bool? = nil,
    isStarred: Bool? = nil,
    since: Timestamp? = nil,
    until: Timestamp? = nil,
    storedSince: Timestamp? = nil,
    query: Query = .all
  ) {
    self.feeds = feeds
    self.feedID = feedID
    self.folders = folders
    self.isRead = isRead
    self.isStarred = isStarred
    self.since = since
    self.until = until
    self.storedSince = storedSince
    self.query = query
  }
}
