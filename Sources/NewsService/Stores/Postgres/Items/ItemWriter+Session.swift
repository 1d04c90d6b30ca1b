import NewsStoresShared
import NewsCore

extension ItemWriter: ItemSession {
  func feedState(of feed: Feed.ID) throws(StoreError) -> FeedItemState? {
    guard !lostFeeds.contains(feed) else { return nil }
    // Write the collected items first: look-ups must find those of an earlier record of the same feed.
    if !touched.insert(feed).inserted {
      try flush()
      known.forget(feed)
      return try reload(feed)?.items
    }
    return feeds[feed]?.items
  }

  private func entry(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItems.Entry? {
    if let entry = known.entry(identity, in: feed) { return entry }
    return try connection.query(
      "SELECT \(KnownItems.shortColumns) FROM items AS i WHERE feed = $1 AND identity = $2 ORDER BY id LIMIT 1",
      feed.rawValue,
      identity
    ).first.map { known.noteRead($0) }
  }

  func existing(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> ExistingItem? {
    try entry(identity, in: feed)?.existing
  }

  func known(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItem? {
    guard let entry = try entry(identity, in: feed) else { return nil }
    guard !entry.isWhole else { return entry.known }
    return try connection.query(
      "SELECT \(KnownItems.columns) FROM items AS i WHERE id = $1",
      entry.known.id.rawValue
    ).first.map { KnownItems.entry($0).known }
  }

  func hasTombstone(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> Bool {
    if let hasTombstone = known.hasTombstone(identity, in: feed) { return hasTombstone }
    return try connection.number(
      "SELECT 1 FROM tombstones WHERE feed = $1 AND identity = $2 LIMIT 1",
      feed.rawValue,
      identity
    ) != nil
  }

  func newest(of feed: Feed.ID, limit: Int) throws(StoreError) -> [KnownItem] {
    if let newest = known.newest(of: feed, limit: limit) { return newest }
    return try connection.query(
      "SELECT \(KnownItems.shortColumns) FROM items AS i WHERE feed = $1 ORDER BY sort DESC, id DESC LIMIT $2",
      feed.rawValue,
      limit
    ).map { known.noteRead($0).known }
  }

  func feedText(of id: NewsItem.ID) throws(StoreError) -> String? {
    try connection.query("SELECT \(Connection.feedText) FROM contents AS c WHERE c.id = $1", id.rawValue)
      .first?
      .string(0)
  }

  func removedLinks(of feed: Feed.ID, limit: Int) throws(StoreError) -> [String] {
    try connection.query(
      """
      SELECT url FROM tombstones WHERE feed = $1 AND octet_length(url) <= $2::bigint
      ORDER BY sequence DESC LIMIT $3
      """,
      feed.rawValue,
      KnownItem.longestNames,
      limit
    ).map { $0.string(0) }
  }

  func rename(_ item: KnownItem, guid: String?, url: String?, identity: Int64) throws(StoreError) {
    pending.renamings.append(
      PendingChanges.Renaming(id: item.id.rawValue, guid: guid, url: url, identity: identity)
    )
    known.rename(item, guid: guid, url: url, identity: identity)
  }

  /// Locks the store for the rest of the batch. This is acceptable because policies rarely change.
  func adopt(_ policy: IdentityPolicy, for feed: Feed.ID) throws(StoreError) {
    try flush()
    known.forget(feed)
    try connection.query("UPDATE feeds SET identity = $1 WHERE id = $2", policy.rawValue, feed.rawValue)
    try adopt(policy, forItemsOf: feed)
    // The store has no content of removed items.
    if policy != .content { try adopt(policy, forTombstonesOf: feed) }
  }

  /// How many items or tombstones of a feed are read at once at most, and how many bytes of text end that before.
  private static let (adopted, adoptedBytes) = (500, 4 << 20)

  private func adopt(_ policy: IdentityPolicy, forItemsOf feed: Feed.ID) throws(StoreError) {
    let ids = try connection.query("SELECT id FROM items WHERE feed = $1 ORDER BY id", feed.rawValue).map {
      $0.int64(0)
    }
    var rest = ids[...]
    while !rest.isEmpty {
      let count = try connection.fitting(Array(rest.prefix(Self.adopted)), Self.adoptedBytes)
      let rows = try connection.query(
        """
        SELECT i.id, coalesce(i.guid, i.url), i.url, i.title, \(Connection.feedText)
        FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id = ANY($1::bigint[])
        """,
        StoreValue.array(Array(rest.prefix(count)))
      )
      rest = rest.dropFirst(count)
      let identities = rows.map { row in
        policy.identity(
          guid: row.optionalString(1),
          url: row.optionalString(2),
          title: row.string(3),
          text: row.string(4)
        )
      }
      try connection.post(
        "UPDATE items SET identity = u.k FROM unnest($1::bigint[], $2::bigint[]) AS u(i, k) WHERE id = u.i",
        StoreValue.array(rows.map { $0.int64(0) }),
        StoreValue.array(identities)
      )
    }
  }

  private func adopt(_ policy: IdentityPolicy, forTombstonesOf feed: Feed.ID) throws(StoreError) {
    let lengths = try connection.query(
      "SELECT sequence, octet_length(guid) + coalesce(octet_length(url), 0) FROM tombstones WHERE feed = $1",
      feed.rawValue
    )
    var rest = lengths[...]
    while !rest.isEmpty {
      var part: [Int64] = []
      var room = Self.adoptedBytes
      while room > 0, part.count < Self.adopted, let tombstone = rest.popFirst() {
        part.append(tombstone.int64(0))
        room -= tombstone.int(1)
      }
      var sequences: [Int64] = []
      var identities: [Int64] = []
      for row in try connection.query(
        "SELECT sequence, guid, url FROM tombstones WHERE sequence = ANY($1::bigint[])",
        StoreValue.array(part)
      ) {
        guard let identity = policy.identity(guid: row.string(1), url: row.optionalString(2)) else {
          continue
        }
        sequences.append(row.int64(0))
        identities.append(identity)
      }
      try connection.post(
        """
        UPDATE tombstones SET identity = u.k FROM unnest($1::bigint[], $2::bigint[]) AS u(s, k)
        WHERE sequence = u.s
        """,
        StoreValue.array(sequences),
        StoreValue.array(identities)
      )
    }
  }
}

extension ItemWriter: RefreshSession {
  func ruleBook() throws(StoreError) -> RuleBook { definitions.ruleBook }

  func requestArticles(
    of items: [NewsItem.ID],
    in feed: Feed.ID,
    _ settings: FeedSettings,
    at time: Timestamp
  ) throws(StoreError) {
    guard !items.isEmpty, settings.article == .always || settings.article == .auto else { return }
    pending.articles.append(
      ItemArticles.Request(items: items, feed: feed, mustBeExcerpts: settings.article == .auto, time: time)
    )
  }

  func changeFeedList() throws(StoreError) { noteFeedListChange() }

  func saveState(_ record: RefreshRecord, added: Int, unread: Int) throws(StoreError) {
    let title = record.parsed?.title.flatMap { $0.isEmpty ? nil : $0 }
    if let parsed = record.parsed, let planned = feeds[record.feedID] {
      let isRenamed = planned.userTitle == nil && title != nil && title != planned.ownTitle
      let site = parsed.storedSite
      if isRenamed || site != nil && site != planned.feed.siteURL {
        pending.feedChanges.append((record.feedID, takeSequence()))
      }
    }
    let values = FeedRow.update(record, added: added, unread: unread)
    pending.states.append(Statement(FeedRow.update, parameters: values))
  }
}
