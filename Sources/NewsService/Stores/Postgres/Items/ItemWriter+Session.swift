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
      "SELECT \(KnownItems.columns) FROM items AS i WHERE feed = $1 AND identity = $2 ORDER BY id LIMIT 1",
      feed.rawValue,
      identity
    ).first.map { known.noteRead($0) }
  }

  func existing(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> ExistingItem? {
    try entry(identity, in: feed)?.existing
  }

  func known(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItem? {
    try entry(identity, in: feed)?.known
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
      "SELECT \(KnownItems.columns) FROM items AS i WHERE feed = $1 ORDER BY sort DESC, id DESC LIMIT $2",
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
      "SELECT url FROM tombstones WHERE feed = $1 AND url IS NOT NULL ORDER BY sequence DESC LIMIT $2",
      feed.rawValue,
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
    var ids: [Int64] = []
    var identities: [Int64] = []
    for row in try connection.query(
      """
      SELECT i.id, coalesce(i.guid, i.url), i.url, i.title, \(Connection.feedText)
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.feed = $1
      """,
      feed.rawValue
    ) {
      ids.append(row.int64(0))
      identities.append(
        policy.identity(
          guid: row.optionalString(1),
          url: row.optionalString(2),
          title: row.string(3),
          text: row.string(4)
        )
      )
    }
    try connection.query(
      "UPDATE items SET identity = u.k FROM unnest($1::bigint[], $2::bigint[]) AS u(i, k) WHERE id = u.i",
      StoreValue.array(ids),
      StoreValue.array(identities)
    )
    var sequences: [Int64] = []
    identities = []
    for row in try connection.query(
      "SELECT sequence, guid, url FROM tombstones WHERE feed = $1",
      feed.rawValue
    ) {
      guard let identity = policy.identity(guid: row.string(1), url: row.optionalString(2)) else { continue }
      sequences.append(row.int64(0))
      identities.append(identity)
    }
    try connection.query(
      "UPDATE tombstones SET identity = u.k FROM unnest($1::bigint[], $2::bigint[]) AS u(s, k) WHERE sequence = u.s",
      StoreValue.array(sequences),
      StoreValue.array(identities)
    )
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
      let site = parsed.homePageURL
      if isRenamed || site != nil && site != planned.feed.siteURL {
        pending.feedChanges.append((record.feedID, takeSequence()))
      }
    }
    let values = FeedRow.update(record, added: added, unread: unread)
    pending.states.append(Statement(FeedRow.update, parameters: values))
  }
}
