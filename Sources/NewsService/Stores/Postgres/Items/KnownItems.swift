import NewsStoresShared
import NewsCore

/// The stored items that were read in advance for a batch, by identity.
struct KnownItems {
  struct Key: Hashable {
    var feed: Int64
    var identity: Int64
  }

  /// A stored item, as the matcher sees it (`KnownItem`, `ExistingItem`).
  struct Entry {
    var existing: ExistingItem
    var known: KnownItem
    /// False if names in `known` are missing, because they are long.
    var isWhole = true
  }

  private var asked: Set<Key> = []
  private var items: [Key: Entry] = [:]
  /// All items read so far, with their feeds, by id.
  private var read: [Int64: (entry: Entry, feed: Int64)] = [:]
  private var tombstones: Set<Key> = []
  /// The newest items of each feed, up to a limit.
  private var newest: [Int64: (limit: Int, items: [KnownItem])] = [:]

  static let columns = "\(numbers), i.guid, i.url, i.title, i.feed, true AS is_whole"
  /// The columns without names that are long.
  static let shortColumns =
    "\(numbers), \(Connection.shortNames), i.feed, \(Connection.hasShortNames) AS is_whole"
  private static let numbers = "i.id, i.sort, i.identity, i.revision, i.published, i.stored, i.cluster"

  static func entry(_ row: Row) -> Entry {
    let id = NewsItem.ID(rawValue: row.int64(0))
    return Entry(
      existing: ExistingItem(
        row: row.int64(1),
        id: id,
        revision: row.int64(3),
        published: row.time(4),
        stored: row.time(5) ?? Timestamp(seconds: 0),
        story: row.optionalInt64(6)
      ),
      known: KnownItem(
        row: row.int64(1),
        id: id,
        identity: row.int64(2),
        guid: row.optionalString(7),
        url: row.optionalString(8),
        title: row.optionalString(9),
        published: row.time(4)
      ),
      isWhole: row.bool(11)
    )
  }

  /// Statements that read the items and tombstones with these identities, and allocate an id for each new item.
  static func statements(_ keys: [Key]) -> [Statement] {
    let feeds = StoreValue.array(keys.map(\.feed))
    let identities = StoreValue.array(keys.map(\.identity))
    return [
      Statement(
        """
        SELECT \(shortColumns) FROM unnest($1::bigint[], $2::bigint[]) AS u(f, k)
        JOIN items AS i ON i.feed = u.f AND i.identity = u.k ORDER BY i.id DESC
        """,
        feeds,
        identities
      ),
      Statement(
        """
        SELECT DISTINCT t.feed, t.identity FROM unnest($1::bigint[], $2::bigint[]) AS u(f, k)
        JOIN tombstones AS t ON t.feed = u.f AND t.identity = u.k
        """,
        feeds,
        identities
      ),
      Statement(
        """
        SELECT nextval('item_ids') FROM unnest($1::bigint[], $2::bigint[]) AS u(f, k)
        WHERE NOT EXISTS (SELECT 1 FROM items AS i WHERE i.feed = u.f AND i.identity = u.k)
          AND NOT EXISTS (SELECT 1 FROM tombstones AS t WHERE t.feed = u.f AND t.identity = u.k)
        """,
        feeds,
        identities
      ),
    ]
  }

  /// Stores the results of the first two of `statements`.
  mutating func note(_ keys: [Key], _ items: Rows, _ tombstones: Rows) {
    for row in items { note(Self.entry(row), in: row.int64(10)) }
    for row in tombstones { self.tombstones.insert(Key(feed: row.int64(0), identity: row.int64(1))) }
    asked.formUnion(keys)
  }

  private mutating func note(_ entry: Entry, in feed: Int64) {
    items[Key(feed: feed, identity: entry.known.identity)] = entry
    read[entry.known.id.rawValue] = (entry, feed)
  }

  /// Reads the newest items of feeds, up to the limit of each feed.
  static func newestStatement(_ limits: [Feed.ID: Int]) -> Statement {
    let feeds = Array(limits.keys)
    return Statement(
      """
      SELECT i.* FROM unnest($1::bigint[], $2::bigint[]) AS u(f, n) CROSS JOIN LATERAL (
        SELECT \(shortColumns) FROM items AS i WHERE i.feed = u.f ORDER BY i.sort DESC, i.id DESC LIMIT u.n) AS i
      ORDER BY i.sort DESC, i.id DESC
      """,
      StoreValue.array(feeds.map(\.rawValue)),
      StoreValue.array(feeds.map { Int64(limits[$0] ?? 0) })
    )
  }

  /// Stores the result of `newestStatement`.
  mutating func noteNewest(_ limits: [Feed.ID: Int], _ rows: Rows) {
    for (feed, limit) in limits { newest[feed.rawValue] = (limit, []) }
    for row in rows {
      let item = noteRead(row).known
      newest[row.int64(10)]?.items.append(item)
    }
  }

  /// Records that a feed has no items.
  mutating func noteEmpty(_ feed: Feed.ID) { newest[feed.rawValue] = (.max, []) }

  /// Returns up to `limit` of a feed's newest items; nil if they were not read in advance up to this limit.
  func newest(of feed: Feed.ID, limit: Int) -> [KnownItem]? {
    guard let (read, items) = newest[feed.rawValue], read >= limit else { return nil }
    return Array(items.prefix(limit))
  }

  /// Stores an item that was looked up separately. Column 10 of the row is its feed.
  mutating func noteRead(_ row: Row) -> Entry {
    let entry = Self.entry(row)
    read[entry.known.id.rawValue] = (entry, row.int64(10))
    return entry
  }

  /// Replaces an item's guid, link and identity here; the caller writes them later.
  mutating func rename(_ item: KnownItem, guid: String?, url: String?, identity: Int64) {
    guard let (former, feed) = read[item.id.rawValue] else { return }
    var entry = former
    newest[feed] = nil
    let key = Key(feed: feed, identity: entry.known.identity)
    items[key] = nil
    asked.insert(key)
    entry.known = item
    entry.isWhole = true
    entry.known.guid = guid
    entry.known.url = url
    entry.known.identity = identity
    note(entry, in: feed)
    asked.insert(Key(feed: feed, identity: identity))
  }

  /// Returns the item with this identity, `.some(nil)` if there is none, and nil if the identity was not read in
  /// advance.
  func entry(_ identity: Int64, in feed: Feed.ID) -> Entry?? {
    let key = Key(feed: feed.rawValue, identity: identity)
    guard asked.contains(key) else { return nil }
    return .some(items[key])
  }

  /// True if the identity was read in advance and no item has it.
  func isNew(_ identity: Int64, in feed: Feed.ID) -> Bool {
    if case .some(.none) = entry(identity, in: feed) { return true }
    return false
  }

  /// Returns whether there is a tombstone with this identity; nil if the identity was not read in advance.
  func hasTombstone(_ identity: Int64, in feed: Feed.ID) -> Bool? {
    let key = Key(feed: feed.rawValue, identity: identity)
    return asked.contains(key) ? tombstones.contains(key) : nil
  }

  mutating func noteTombstone(_ identity: Int64, in feed: Feed.ID) {
    tombstones.insert(Key(feed: feed.rawValue, identity: identity))
  }

  /// Discards the items of a feed because they have changed; later look-ups ask the server.
  mutating func forget(_ feed: Feed.ID) {
    asked = asked.filter { $0.feed != feed.rawValue }
    newest[feed.rawValue] = nil
  }
}
