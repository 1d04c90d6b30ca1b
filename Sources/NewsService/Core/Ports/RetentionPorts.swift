/// How long items are kept; nil: for ever.
public struct RetentionPolicy: Hashable, Sendable {
  /// Items older than this many days may go.
  public var days: Int?
  /// Items beyond this many of a feed, counted from the newest, may go.
  public var items: Int?

  public init(days: Int? = nil, items: Int? = nil) {
    self.days = days
    self.items = items
  }
}

/// What may be pruned. A feed's own settings (`keepDays`, `keepItems`) come first, then its folder or the nearest above
/// it, then the general policy; each of the two bounds by itself.
public struct RetentionRules: Hashable, Sendable {
  public var general: RetentionPolicy
  /// By name of the folder, parts joined with `/`.
  public var folders: [String: RetentionPolicy]
  /// False: unread items stay, whatever their age.
  public var takesUnread: Bool
  /// False: starred items stay.
  public var takesStarred: Bool

  public init(
    general: RetentionPolicy = RetentionPolicy(),
    folders: [String: RetentionPolicy] = [:],
    takesUnread: Bool = false,
    takesStarred: Bool = false
  ) {
    self.general = general
    self.folders = folders
    self.takesUnread = takesUnread
    self.takesStarred = takesStarred
  }

  /// What holds for one feed.
  public func policy(for feed: Feed) -> RetentionPolicy {
    var policy = RetentionPolicy(days: feed.settings.keepDays, items: feed.settings.keepItems)
    var folder = feed.folder
    while let name = folder {
      if let own = folders[name] {
        policy.days = policy.days ?? own.days
        policy.items = policy.items ?? own.items
      }
      folder = name.utf8.lastIndex(of: 0x2F).map { String(name[..<$0]) }
    }
    policy.days = policy.days ?? general.days
    policy.items = policy.items ?? general.items
    return policy
  }
}

/// What pruning removed, or would remove.
public struct PruneReport: Hashable, Sendable {
  /// Feeds that lose items, in the user's order.
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

  public init(feeds: [Entry]) { self.feeds = feeds }
}

/// Removing what is kept no longer.
public protocol ItemPruning: Sendable {
  /// Removes in small transactions, so that nobody waits; each item leaves a tombstone and does not come back.
  /// With `dryRun` nothing is changed.
  func prune(_ rules: RetentionRules, at now: Timestamp, dryRun: Bool) async throws(StoreError) -> PruneReport
}
