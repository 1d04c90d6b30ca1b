import NewsStoresShared
import NewsCore

/// The look-ups and small changes of a session, as SQL; `ItemWriter` writes items.
extension ItemWriter: ItemSession {
  func feedState(of feed: Feed.ID) throws(StoreError) -> FeedItemState? {
    let statement = try connection.prepare(
      """
      SELECT identity, settings, items, last_success IS NOT NULL,
        EXISTS (SELECT 1 FROM tombstones WHERE feed = feeds.id)
      FROM feeds WHERE id = ?
      """
    )
    try statement.bind(1, feed.rawValue)
    guard try statement.step() else { return nil }
    return FeedItemState(
      identity: statement.optionalString(0),
      settings: FeedSettings(stored: statement.optionalString(1)),
      itemCount: statement.int64(2),
      hasSucceeded: statement.bool(3),
      hasTombstones: statement.bool(4)
    )
  }

  func existing(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> ExistingItem? {
    let statement = try connection.prepare(
      "SELECT key, id, revision, published, stored, cluster FROM items WHERE feed = ? AND identity = ?"
    )
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, identity)
    guard try statement.step() else { return nil }
    return ExistingItem(
      row: statement.int64(0),
      id: NewsItem.ID(rawValue: statement.int64(1)),
      revision: statement.int64(2),
      published: statement.time(3),
      stored: statement.time(4) ?? Timestamp(seconds: 0),
      cluster: statement.optionalInt64(5)
    )
  }

  private static let knownColumns = "key, id, identity, guid, url, title, published"

  private static func knownItem(_ row: borrowing Statement) -> KnownItem {
    KnownItem(
      row: row.int64(0),
      id: NewsItem.ID(rawValue: row.int64(1)),
      identity: row.int64(2),
      guid: row.optionalString(3),
      url: row.optionalString(4),
      title: row.string(5),
      published: row.time(6)
    )
  }

  func known(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItem? {
    let row = try connection.prepare(
      "SELECT \(Self.knownColumns) FROM items WHERE feed = ? AND identity = ?"
    )
    try row.bind(1, feed.rawValue)
    try row.bind(2, identity)
    return try row.step() ? Self.knownItem(row) : nil
  }

  func hasTombstone(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> Bool {
    try Tombstone.exists(feed: feed, identity: identity, connection)
  }

  func newest(of feed: Feed.ID, limit: Int) throws(StoreError) -> [KnownItem] {
    let row = try connection.prepare(
      "SELECT \(Self.knownColumns) FROM items WHERE feed = ? ORDER BY key DESC LIMIT ?"
    )
    try row.bind(1, feed.rawValue)
    try row.bind(2, limit)
    var items: [KnownItem] = []
    while try row.step() { items.append(Self.knownItem(row)) }
    return items
  }

  func feedText(of id: NewsItem.ID) throws(StoreError) -> String? {
    try writeContents()
    let row = try connection.prepare("SELECT \(Connection.feedText) FROM contents AS c WHERE c.id = ?")
    try row.bind(1, id.rawValue)
    return try row.step() ? row.string(0) : nil
  }

  func removedLinks(of feed: Feed.ID, limit: Int) throws(StoreError) -> [String] {
    let row = try connection.prepare(
      "SELECT url FROM tombstones WHERE feed = ? AND url IS NOT NULL ORDER BY sequence DESC LIMIT ?"
    )
    try row.bind(1, feed.rawValue)
    try row.bind(2, limit)
    var links: [String] = []
    while try row.step() { links.append(row.string(0)) }
    return links
  }

  mutating func rename(_ item: KnownItem, guid: String?, url: String?, identity: Int64) throws(StoreError) {
    let update = try connection.prepare("UPDATE items SET guid = ?, url = ?, identity = ? WHERE key = ?")
    try update.bind(1, guid)
    try update.bind(2, url)
    try update.bind(3, identity)
    try update.bind(4, item.row)
    try update.run()
  }

  mutating func adopt(_ new: IdentityPolicy, for feed: Feed.ID) throws(StoreError) {
    try writeContents()
    let feeds = try connection.prepare("UPDATE feeds SET identity = ? WHERE id = ?")
    try feeds.bind(1, new.rawValue)
    try feeds.bind(2, feed.rawValue)
    try feeds.run()
    let items = try connection.prepare(
      """
      SELECT i.key, coalesce(i.guid, i.url), i.url, i.title, \(Connection.feedText)
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.feed = ?
      """
    )
    try items.bind(1, feed.rawValue)
    var identities: [(key: Int64, identity: Int64)] = []
    while try items.step() {
      let identity = new.identity(
        guid: items.optionalString(1),
        url: items.optionalString(2),
        title: items.string(3),
        text: items.string(4)
      )
      identities.append((items.int64(0), identity))
    }
    try set(identities, "UPDATE items SET identity = ? WHERE key = ?")
    let stones = try connection.prepare("SELECT sequence, guid, url FROM tombstones WHERE feed = ?")
    try stones.bind(1, feed.rawValue)
    identities = []
    while try stones.step() {
      guard let identity = new.identity(guid: stones.string(1), url: stones.optionalString(2)) else {
        continue
      }
      identities.append((stones.int64(0), identity))
    }
    try set(identities, "UPDATE tombstones SET identity = ? WHERE sequence = ?")
  }

  private func set(_ identities: [(key: Int64, identity: Int64)], _ sql: String) throws(StoreError) {
    let statement = try connection.prepare(sql)
    for entry in identities {
      try statement.bind(1, entry.identity)
      try statement.bind(2, entry.key)
      try statement.run()
    }
  }
}
