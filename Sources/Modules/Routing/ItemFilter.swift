public import NewsCore

/// The filters that `list`, `search` and `follow` share, as the user gave them.
public struct ItemFilter: Hashable, Sendable {
  /// Ids, URLs or titles of feeds, or names of saved searches; an item of any of them matches.
  public var feeds: [String]
  public var feedID: Feed.ID?
  /// Folders; an item in any of them or their subfolders matches.
  public var folders: [String]
  /// Labels; an item with any of them matches.
  public var labels: [String]
  public var isRead: Bool?
  public var isStarred: Bool?
  public var since: Timestamp?
  public var until: Timestamp?
  /// Only items stored at this time or later, whatever their publication date.
  public var storedSince: Timestamp?
  /// True: leaves out the items of feeds that the user has hidden from the lists of all items.
  public var leavesOutHidden = false
  /// A further condition that items must match.
  public var query: Query

  public init(
    feeds: [String] = [],
    feedID: Feed.ID? = nil,
    folders: [String] = [],
    labels: [String] = [],
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
    self.labels = labels
    self.isRead = isRead
    self.isStarred = isStarred
    self.since = since
    self.until = until
    self.storedSince = storedSince
    self.query = query
  }
}
