/// The items of a store inside one writing transaction: look-ups, and the changes that follow from them.
///
/// The types beside this protocol decide which item of a document is which stored one, when a feed's policy changes and
/// what is written. They are neither synchronous nor asynchronous by themselves and know no database. A look-up sees the
/// changes of the same session.
package protocol ItemSession {
  /// Nil if the feed was removed.
  func feedState(of feed: Feed.ID) throws(StoreError) -> FeedItemState?
  /// Nil if the feed has no item of this identity.
  func existing(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> ExistingItem?
  /// The names and dates of the item with this identity.
  func known(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItem?
  /// True if an item of this identity was removed from the feed or rejected by a rule.
  func hasTombstone(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> Bool
  /// The items of a feed in the order of lists, newest first.
  func newest(of feed: Feed.ID, limit: Int) throws(StoreError) -> [KnownItem]
  /// The text that the feed gave an item; nil if there is no such item.
  func feedText(of id: NewsItem.ID) throws(StoreError) -> String?
  /// The links of a feed's removed items, the last removed first.
  func removedLinks(of feed: Feed.ID, limit: Int) throws(StoreError) -> [String]

  /// Changes a feed's policy and recomputes the identities of its items and tombstones under it.
  mutating func adopt(_ policy: IdentityPolicy, for feed: Feed.ID) throws(StoreError)
  /// Stores another guid, link and identity of an item. This is not logged as a change.
  mutating func rename(_ item: KnownItem, guid: String?, url: String?, identity: Int64) throws(StoreError)
  /// Reserves ids. The first item of a document gets the highest one, because feeds list the newest first.
  mutating func takeIDs(_ count: Int) throws(StoreError) -> [NewsItem.ID]
  mutating func insert(_ new: NewItem) throws(StoreError)
  /// Replaces an item's content. Its id, state, cluster and the tags from rules stay.
  mutating func update(
    _ existing: ExistingItem,
    to item: StoredItem,
    _ marks: ItemHashes,
    feed: Feed.ID,
    at time: Timestamp
  ) throws(StoreError)
  /// Stores only a tombstone.
  mutating func drop(_ item: StoredItem, identity: Int64, feed: Feed.ID) throws(StoreError)

  /// True: the items of this document fire hooks.
  var isObserved: Bool { get }
  /// Tells hooks of a new item, which was just inserted.
  mutating func noteInserted(
    _ id: NewsItem.ID,
    _ item: ParsedItem,
    _ initial: InitialState,
    tags: [String]
  ) throws(StoreError)
  /// Tells hooks of an item that the feed has edited.
  mutating func noteUpdated(_ id: NewsItem.ID, _ item: ParsedItem, tags: [String]) throws(StoreError)
}

extension ItemSession {
  package var isObserved: Bool { false }

  package mutating func noteInserted(
    _ id: NewsItem.ID,
    _ item: ParsedItem,
    _ initial: InitialState,
    tags: [String]
  ) throws(StoreError) {}

  package mutating func noteUpdated(
    _ id: NewsItem.ID,
    _ item: ParsedItem,
    tags: [String]
  ) throws(StoreError) {}
}

/// What storing a feed's items depends on.
package struct FeedItemState {
  package var policy: IdentityPolicy
  package var settings: FeedSettings
  package var hasItems: Bool
  /// True if no document of the feed was stored before.
  package var isNew: Bool

  /// - Parameters:
  ///   - identity: The name of the policy as stored.
  ///   - settings: The feed's current settings.
  ///   - itemCount: The number of stored items.
  ///   - hasSucceeded: True if a document of the feed was stored before.
  package init(identity: String?, settings: FeedSettings, itemCount: Int64, hasSucceeded: Bool) {
    policy = identity.flatMap(IdentityPolicy.init(rawValue:)) ?? .guid
    self.settings = settings
    hasItems = itemCount > 0
    isNew = itemCount == 0 && !hasSucceeded
  }
}

/// The stored columns of an item that arrives again.
package struct ExistingItem {
  /// The store's own reference to the row.
  package var row: Int64
  package var id: NewsItem.ID
  package var revision: Int64
  package var published: Timestamp?
  package var stored: Timestamp
  package var cluster: Int64?
  package var sortTime: Timestamp { published.map { min($0, stored) } ?? stored }

  package init(
    row: Int64,
    id: NewsItem.ID,
    revision: Int64,
    published: Timestamp?,
    stored: Timestamp,
    cluster: Int64?
  ) {
    self.row = row
    self.id = id
    self.revision = revision
    self.published = published
    self.stored = stored
    self.cluster = cluster
  }
}

/// The names and dates of a stored item.
package struct KnownItem {
  /// The store's own reference to the row.
  package var row: Int64
  package var id: NewsItem.ID
  package var identity: Int64
  /// Nil: the same as `url`.
  package var guid: String?
  package var url: String?
  package var title: String
  package var published: Timestamp?

  package init(
    row: Int64,
    id: NewsItem.ID,
    identity: Int64,
    guid: String?,
    url: String?,
    title: String,
    published: Timestamp?
  ) {
    self.row = row
    self.id = id
    self.identity = identity
    self.guid = guid
    self.url = url
    self.title = title
    self.published = published
  }
}

/// The state of a new item.
package struct InitialState {
  package var isRead = false
  package var isStarred = false

  package init(isRead: Bool = false, isStarred: Bool = false) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// An item to be inserted.
package struct NewItem {
  package var item: StoredItem
  package var marks: ItemHashes
  package var id: NewsItem.ID
  package var feed: Feed.ID
  package var stored: Timestamp
  /// The time by which lists sort it.
  package var sortTime: Timestamp
  package var initial: InitialState
}

/// The kind of an item's latest entry in the change log. The numbers are stored.
package enum ChangeKind: Int64 {
  case inserted = 0
  case updated = 1
  case state = 2

  package var kind: Change.Kind {
    switch self {
    case .inserted: .inserted
    case .updated: .updated
    case .state: .state
    }
  }
}
