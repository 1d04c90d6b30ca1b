import NewsCore

/// The stored items that were read in advance for a batch, by identity.
struct KnownItems {
  struct Key: Hashable {
    var feed: Int64
    var identity: Int64
  }

  /// A stored item, with the columns of both look-ups.
  struct Entry {
    var existing: ExistingItem
    var known: KnownItem
  }

  private var asked: Set<Key> = []
  private var items: [Key: Entry] = [:]
  private var tombstones: Set<Key> = []

  static let columns = """
    i.id, i.sort, i.identity, i.revision, i.published, i.stored, i.cluster, i.guid, i.url, i.title, i.feed
    """

  static func entry(_ row: Row) -> Entry {
    let id = NewsItem.ID(rawValue: row.int64(0))
    return Entry(
      existing: ExistingItem(
        row: row.int64(1),
        id: id,
        revision: row.int64(3),
        published: row.time(4),
        stored: row.time(5) ?? Timestamp(seconds: 0),
        cluster: row.optionalInt64(6)
      ),
      known: KnownItem(
        row: row.int64(1),
        id: id,
        identity: row.int64(2),
        guid: row.optionalString(7),
        url: row.optionalString(8),
        title: row.string(9),
        published: row.time(4)
      )
    )
  }

  /// Reads the items and tombstones with these identities.
  mutating func ask(_ keys: Set<Key>, _ connection: Connection) throws(StoreError) {
    let list = Array(keys)
    guard !list.isEmpty else { return }
    let feeds = Parameter.array(list.map(\.feed))
    let identities = Parameter.array(list.map(\.identity))
    for row in try connection.query(
      """
      SELECT \(Self.columns) FROM unnest($1::bigint[], $2::bigint[]) AS u(f, k)
      JOIN items AS i ON i.feed = u.f AND i.identity = u.k ORDER BY i.id DESC
      """,
      feeds,
      identities
    ) { items[Key(feed: row.int64(10), identity: row.int64(2))] = Self.entry(row) }
    for row in try connection.query(
      """
      SELECT DISTINCT t.feed, t.identity FROM unnest($1::bigint[], $2::bigint[]) AS u(f, k)
      JOIN tombstones AS t ON t.feed = u.f AND t.identity = u.k
      """,
      feeds,
      identities
    ) { tombstones.insert(Key(feed: row.int64(0), identity: row.int64(1))) }
    asked.formUnion(keys)
  }

  /// Returns nil if the identity was not read in advance, and an inner nil if no item has it.
  func entry(_ identity: Int64, in feed: Feed.ID) -> Entry?? {
    let key = Key(feed: feed.rawValue, identity: identity)
    guard asked.contains(key) else { return nil }
    return .some(items[key])
  }

  /// Returns nil if the identity was not read in advance.
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
  }
}
