package import NewsCore
import NewsToolbox

/// The items of a store inside one writing transaction: look-ups, and the changes that follow from them.
///
/// The types in this folder match the items of a document with stored items, change a feed's identity policy, and
/// decide what is written. They use the store only through this protocol, so they work with every database. A look-up
/// sees the earlier changes of the same session.
package protocol ItemSession {
  /// Returns the state of a feed; nil if the feed was removed, or if this process lost its claim on it.
  func feedState(of feed: Feed.ID) throws(StoreError) -> FeedItemState?
  /// Returns the item with this identity; nil if the feed has none.
  func existing(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> ExistingItem?
  /// Returns the names and dates of the item with this identity; nil if the feed has none.
  func known(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItem?
  /// Returns true if an item with this identity was removed from the feed or rejected by a rule.
  func hasTombstone(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> Bool
  /// Returns the newest items of a feed, newest first in the order of lists; without long names
  /// (`StoreSession.shortNames`).
  func newest(of feed: Feed.ID, limit: Int) throws(StoreError) -> [KnownItem]
  /// Returns the text of an item as the feed gave it; nil if there is no such item.
  func feedText(of id: NewsItem.ID) throws(StoreError) -> String?
  /// Returns the links of a feed's removed items, the last removed first, without long ones.
  func removedLinks(of feed: Feed.ID, limit: Int) throws(StoreError) -> [String]

  /// Changes a feed's policy and recomputes the identities of its items and tombstones under it.
  mutating func adopt(_ policy: IdentityPolicy, for feed: Feed.ID) throws(StoreError)
  /// Replaces an item's guid, link and identity, without an entry in the change log.
  mutating func rename(_ item: KnownItem, guid: String?, url: String?, identity: Int64) throws(StoreError)
  /// Reserves ids. The first item of a document gets the highest id, because feeds list the newest item first.
  mutating func takeIDs(_ count: Int) throws(StoreError) -> [NewsItem.ID]
  mutating func insert(_ new: NewItem) throws(StoreError)
  /// Replaces an item's content. Its id, its state, the tags from rules and its story stay; an item without
  /// a story may get one.
  mutating func update(
    _ existing: ExistingItem,
    to item: StoredItem,
    _ marks: ItemHashes,
    feed: Feed.ID,
    at time: Timestamp
  ) throws(StoreError)
  /// Stores only a tombstone for an item that a rule drops, or that its user removed before the import.
  mutating func drop(_ item: StoredItem, identity: Int64, feed: Feed.ID) throws(StoreError)

  associatedtype Connection: StoreSession
  var connection: Connection { get }
  associatedtype Hooks: HookSession
  /// Evaluates the hooks. It may collect the outbox entries and write them at the end of the transaction.
  var hookSession: Hooks { get }
  /// The hooks that stored items fire; nil if they fire none.
  var hooks: HookBook? { get set }
  /// The hooks that may fire for the current document.
  var watch: HookBook.Watch? { get set }
  /// The last number of the change log.
  var sequence: Int64 { get }
  mutating func takeSequence() -> Int64
}

extension ItemSession {
  /// Returns the title of an item; nil if there is no such item. Reads a long title from the store, because known items have none
  /// in memory.
  func title(of item: KnownItem, in feed: Feed.ID) throws(StoreError) -> String? {
    if let title = item.title { return title }
    return try known(item.identity, in: feed)?.title?.streamSafe
  }
}

// MARK: - Hooks

extension ItemSession where Hooks == Connection {
  package var hookSession: Connection { connection }
}

extension ItemSession {
  /// True if hooks fire for the items of this document.
  var isObserved: Bool { watch != nil }

  /// Evaluates the hooks for an item that was just inserted.
  mutating func noteInserted(
    _ id: NewsItem.ID,
    _ item: ParsedItem,
    _ initial: InitialState,
    tags: [String]
  ) throws(StoreError) {
    try watch?.inserted(id, item, initial, tags: tags, sequence: sequence, hookSession)
  }

  /// Evaluates the hooks for an item that the feed has edited.
  mutating func noteUpdated(_ id: NewsItem.ID, _ item: ParsedItem, tags: [String]) throws(StoreError) {
    try watch?.updated(id, item, tags: tags, sequence: sequence, hookSession)
  }
}

/// The data of a feed that determine how its items are stored.
package struct FeedItemState {
  package var policy: IdentityPolicy
  package var settings: FeedSettings
  package var hasItems: Bool
  /// True if the feed has no items and no document of it was stored before.
  package var isNew: Bool
  /// True if no document of the feed was stored before.
  package var isUnpolled: Bool
  /// False if no item of the feed was ever removed.
  package var hasTombstones: Bool

  /// `identity` is the stored name of the identity policy. `hasSucceeded`: a document of the feed was stored
  /// before. `hasTombstones`: an item of the feed may have been removed.
  package init(
    identity: String?,
    settings: FeedSettings,
    itemCount: Int64,
    hasSucceeded: Bool,
    hasTombstones: Bool = true
  ) {
    policy = identity.flatMap(IdentityPolicy.init(rawValue:)) ?? .guid
    self.settings = settings
    hasItems = itemCount > 0
    isNew = itemCount == 0 && !hasSucceeded
    isUnpolled = !hasSucceeded
    self.hasTombstones = hasTombstones
  }
}

/// The stored columns of an item that the feed lists again.
package struct ExistingItem {
  /// The store's own reference to the row.
  package var row: Int64
  package var id: NewsItem.ID
  package var revision: Int64
  package var published: Timestamp?
  package var stored: Timestamp
  package var story: Int64?
  package var sortTime: Timestamp { published.map { min($0, stored) } ?? stored }

  package init(
    row: Int64,
    id: NewsItem.ID,
    revision: Int64,
    published: Timestamp?,
    stored: Timestamp,
    story: Int64?
  ) {
    self.row = row
    self.id = id
    self.revision = revision
    self.published = published
    self.stored = stored
    self.story = story
  }
}

/// The names and dates of a stored item.
package struct KnownItem {
  /// The store's own reference to the row.
  package var row: Int64
  package var id: NewsItem.ID
  package var identity: Int64
  /// The guid; nil if the feed gave none, or if it equals `url`.
  package var guid: String?
  package var url: String?
  /// Nil if it was not read because it is long (`ItemSession.title`).
  package var title: String?
  package var published: Timestamp?

  /// The bytes that guid, link and title have together if they are not long.
  package static let longestNames = 4 << 10

  package init(
    row: Int64,
    id: NewsItem.ID,
    identity: Int64,
    guid: String?,
    url: String?,
    title: String?,
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

extension StoreSession {
  /// SQL for the guid, the link and the title of `items AS i`, without the title if they are long together, and without all if
  /// the guid and the link are. Many items are read with their names, and a small document can make a store read those of all
  /// its items.
  package static var shortNames: String {
    let hasShortLink = isShort(["i.guid", "i.url"])
    let names = [("guid", hasShortLink), ("url", hasShortLink), ("title", hasShortNames)]
    return names.map { "CASE WHEN \($1) THEN i.\($0) END AS \($0)" }.joined(separator: ", ")
  }

  /// SQL that is true if `shortNames` has all names.
  package static var hasShortNames: String { isShort(["i.guid", "i.url", "i.title"]) }

  private static func isShort(_ columns: [String]) -> String {
    let lengths = columns.map { "coalesce(\(byteCount(of: $0)), 0)" }
    return "\(lengths.joined(separator: " + ")) <= \(KnownItem.longestNames)"
  }
}

/// An item to be inserted.
package struct NewItem {
  package var item: StoredItem
  package var marks: ItemHashes
  package var id: NewsItem.ID
  package var feed: Feed.ID
  package var stored: Timestamp
  /// The time by which lists sort the item.
  package var sortTime: Timestamp
  package var initial: InitialState
}
