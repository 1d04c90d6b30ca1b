import NewsStoresShared
import NewsCore

/// The look-ups and small changes of a session, as SQL; `ItemWriter` writes items.
extension ItemWriter: ItemSession {
  func feedState(of feed: Feed.ID) throws(StoreError) -> FeedItemState? {
    try connection.first(
      """
      SELECT identity, settings, items, last_success IS NOT NULL,
        EXISTS (SELECT 1 FROM tombstones WHERE feed = feeds.id)
      FROM feeds WHERE id = $1
      """,
      feed
    ) {
      FeedItemState(
        identity: $0.optionalString(0),
        settings: FeedSettings(stored: $0.optionalString(1)),
        itemCount: $0.int64(2),
        hasSucceeded: $0.bool(3),
        hasTombstones: $0.bool(4)
      )
    }
  }

  func existing(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> ExistingItem? {
    try connection.first(
      "SELECT key, id, revision, published, stored, cluster FROM items WHERE feed = $1 AND identity = $2",
      feed,
      identity
    ) {
      ExistingItem(
        row: $0.int64(0),
        id: NewsItem.ID(rawValue: $0.int64(1)),
        revision: $0.int64(2),
        published: $0.time(3),
        stored: $0.time(4) ?? Timestamp(seconds: 0),
        story: $0.optionalInt64(5)
      )
    }
  }

  private static let knownColumns = "key, id, identity, guid, url, title, published"

  private static func knownItem(_ row: CurrentRow) -> KnownItem {
    KnownItem(
      row: row.int64(0),
      id: NewsItem.ID(rawValue: row.int64(1)),
      identity: row.int64(2),
      guid: row.optionalString(3),
      url: row.optionalString(4),
      title: row.optionalString(5),
      published: row.time(6)
    )
  }

  func known(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItem? {
    try connection.first(
      "SELECT \(Self.knownColumns) FROM items WHERE feed = $1 AND identity = $2",
      feed,
      identity
    ) { Self.knownItem($0) }
  }

  func hasTombstone(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> Bool {
    try connection.number("SELECT 1 FROM tombstones WHERE feed = $1 AND identity = $2", feed, identity) != nil
  }

  func newest(of feed: Feed.ID, limit: Int) throws(StoreError) -> [KnownItem] {
    try connection.rows(
      """
      SELECT key, id, identity, \(Connection.shortNames), published FROM items AS i WHERE feed = $1
      ORDER BY key DESC LIMIT $2
      """,
      feed,
      limit
    ) { Self.knownItem($0) }
  }

  func feedText(of id: NewsItem.ID) throws(StoreError) -> String? {
    try writeContents()
    return try connection.first("SELECT \(Connection.feedText) FROM contents AS c WHERE c.id = $1", id) {
      $0.string(0)
    }
  }

  func removedLinks(of feed: Feed.ID, limit: Int) throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT url FROM tombstones WHERE feed = $1 AND \(Connection.byteCount(of: "url")) <= $2
      ORDER BY sequence DESC LIMIT $3
      """,
      feed,
      KnownItem.longestNames,
      limit
    ) { $0.string(0) }
  }

  mutating func rename(_ item: KnownItem, guid: String?, url: String?, identity: Int64) throws(StoreError) {
    try connection.run(
      "UPDATE items SET guid = $1, url = $2, identity = $3 WHERE key = $4",
      guid,
      url,
      identity,
      item.row
    )
  }

  mutating func adopt(_ new: IdentityPolicy, for feed: Feed.ID) throws(StoreError) {
    try writeContents()
    try connection.run("UPDATE feeds SET identity = $1 WHERE id = $2", new.rawValue, feed)
    var identities: [(key: Int64, identity: Int64)] = []
    try connection.forEachRow(
      """
      SELECT i.key, coalesce(i.guid, i.url), i.url, i.title, \(Connection.feedText)
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.feed = $1
      """,
      feed
    ) { row in
      let identity = new.identity(
        guid: row.optionalString(1),
        url: row.optionalString(2),
        title: row.string(3),
        text: row.string(4)
      )
      identities.append((row.int64(0), identity))
    }
    for (key, identity) in identities {
      try connection.run("UPDATE items SET identity = $1 WHERE key = $2", identity, key)
    }
    identities = []
    try connection.forEachRow("SELECT sequence, guid, url FROM tombstones WHERE feed = $1", feed) { row in
      guard let identity = new.identity(guid: row.string(1), url: row.optionalString(2)) else { return }
      identities.append((row.int64(0), identity))
    }
    for (sequence, identity) in identities {
      try connection.run("UPDATE tombstones SET identity = $1 WHERE sequence = $2", identity, sequence)
    }
  }
}

extension ItemWriter: RefreshSession {
  mutating func requestArticles(
    of items: [NewsItem.ID],
    in feed: Feed.ID,
    _ settings: FeedSettings,
    at time: Timestamp
  ) throws(StoreError) {
    // Whether to fetch articles may depend on the length of the texts.
    if settings.article == .auto { try writeContents() }
    try connection.requestArticles(of: items, in: feed, settings, at: time)
  }

  mutating func changeFeedList() throws(StoreError) { try connection.add(1, to: .feedList) }

  mutating func saveState(_ record: RefreshRecord, added: Int, unread: Int) throws(StoreError) {
    if let parsed = record.parsed, try changesFeed(record.feedID, parsed) {
      try connection.noteChange(of: record.feedID, sequence: takeSequence())
    }
    try connection.run(FeedRow.update, values: FeedRow.update(record, added: added, unread: unread))
  }

  /// Returns true if the document changes the feed's displayed title or its site URL.
  private func changesFeed(_ feed: Feed.ID, _ parsed: ParsedFeed) throws(StoreError) -> Bool {
    try connection.number(
      """
      SELECT (user_title IS NULL AND $2 IS NOT NULL AND own_title IS NOT $2)
        OR ($3 IS NOT NULL AND site_url IS NOT $3)
      FROM feeds WHERE id = $1
      """,
      feed,
      parsed.title.flatMap { $0.isEmpty ? nil : $0 },
      parsed.storedSite
    ) == 1
  }
}
