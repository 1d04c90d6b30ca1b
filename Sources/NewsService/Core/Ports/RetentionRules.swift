/// Limits on the items that a feed keeps; nil: no limit.
public struct RetentionPolicy: Hashable, Sendable {
  /// Items older than this many days may be pruned.
  public var days: Int?
  /// Items of a feed beyond this number, counted from the newest, may be pruned.
  public var items: Int?

  public init(days: Int? = nil, items: Int? = nil) {
    self.days = days
    self.items = items
  }
}

/// The limits beyond which items may be pruned. A feed's own settings (`keepDays`, `keepItems`) take precedence, then
/// its folder or the nearest enclosing one, then the general policy; days and items are resolved separately.
public struct RetentionRules: Hashable, Sendable {
  public var general: RetentionPolicy
  /// By folder path, names joined with `/`.
  public var folders: [String: RetentionPolicy]
  /// True: unread items may be pruned. False: they are kept, whatever their age.
  public var includesUnread: Bool
  /// True: starred items may be pruned. False: they are kept.
  public var includesStarred: Bool

  public init(
    general: RetentionPolicy = RetentionPolicy(),
    folders: [String: RetentionPolicy] = [:],
    includesUnread: Bool = false,
    includesStarred: Bool = false
  ) {
    self.general = general
    self.folders = folders
    self.includesUnread = includesUnread
    self.includesStarred = includesStarred
  }

  /// Returns the limits for one feed.
  public func policy(for feed: Feed) -> RetentionPolicy {
    var policy = RetentionPolicy(days: feed.settings.keepDays, items: feed.settings.keepItems)
    var folder = feed.folder
    while let name = folder {
      if let own = folders[name] {
        policy.days = policy.days ?? own.days
        policy.items = policy.items ?? own.items
      }
      folder = name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[..<$0]) }
    }
    policy.days = policy.days ?? general.days
    policy.items = policy.items ?? general.items
    return policy
  }
}

/// The items that pruning removed, or would remove.
public struct PruneReport: Hashable, Sendable {
  /// The feeds that lose items, in the user's order.
  public var feeds: [Entry]
  public var total: Int { feeds.reduce(0) { $0 + $1.count } }

  public struct Entry: Hashable, Sendable {
    public var feedID: Feed.ID
    public var title: String
    public var count: Int

    public init(feedID: Feed.ID, title: String, count: Int) {
      self.feedID = feedID
      self.title = title
      self.count = count
    }
  }

  /// Items beyond the limits that are kept because they are unread; `keptStarred`: because they are starred.
  public var keptUnread: Int
  public var keptStarred: Int

  public init(feeds: [Entry], keptUnread: Int = 0, keptStarred: Int = 0) {
    self.feeds = feeds
    self.keptUnread = keptUnread
    self.keptStarred = keptStarred
  }
}
