import NewsCore

extension ItemWriter: ItemSession {
  func feedState(of feed: Feed.ID) throws(StoreError) -> FeedItemState? {
    // Write the collected items first, so that look-ups find those of an earlier record of the same feed.
    if !touched.insert(feed).inserted {
      try flush()
      known.forget(feed)
    }
    let row = try connection.query(
      "SELECT identity, settings, items, last_success IS NOT NULL FROM feeds WHERE id = $1",
      feed.rawValue
    ).first
    return row.map {
      FeedItemState(
        identity: $0.optionalString(0),
        settings: FeedSettings(stored: $0.optionalString(1)),
        itemCount: $0.int64(2),
        hasSucceeded: $0.bool(3)
      )
    }
  }

  private func entry(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItems.Entry? {
    if let entry = known.entry(identity, in: feed) { return entry }
    return try connection.query(
      "SELECT \(KnownItems.columns) FROM items AS i WHERE feed = $1 AND identity = $2 ORDER BY id LIMIT 1",
      feed.rawValue,
      identity
    ).first.map { KnownItems.entry($0) }
  }

  func existing(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> ExistingItem? {
    try entry(identity, in: feed)?.existing
  }

  func known(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> KnownItem? {
    try entry(identity, in: feed)?.known
  }

  func hasTombstone(_ identity: Int64, in feed: Feed.ID) throws(StoreError) -> Bool {
    if let hasTombstone = known.hasTombstone(identity, in: feed) { return hasTombstone }
    return try connection.integer(
      "SELECT 1 FROM tombstones WHERE feed = $1 AND identity = $2 LIMIT 1",
      feed.rawValue,
      identity
    ) != nil
  }

  func newest(of feed: Feed.ID, limit: Int) throws(StoreError) -> [KnownItem] {
    try connection.query(
      "SELECT \(KnownItems.columns) FROM items AS i WHERE feed = $1 ORDER BY sort DESC, id DESC LIMIT $2",
      feed.rawValue,
      limit
    ).map { KnownItems.entry($0).known }
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
    let feed = try connection.integer(
      "UPDATE items SET guid = $1, url = $2, identity = $3 WHERE id = $4 RETURNING feed",
      guid,
      url,
      identity,
      item.id.rawValue
    )
    if let feed { known.forget(Feed.ID(rawValue: feed)) }
  }

  func adopt(_ policy: IdentityPolicy, for feed: Feed.ID) throws(StoreError) {
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
      Parameter.array(ids),
      Parameter.array(identities)
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
      Parameter.array(sequences),
      Parameter.array(identities)
    )
  }
}

extension ItemWriter: RefreshSession {
  func requestArticles(
    of items: [NewsItem.ID],
    in feed: Feed.ID,
    _ settings: FeedSettings,
    at time: Timestamp
  ) throws(StoreError) {
    guard !items.isEmpty, settings.article == .always || settings.article == .auto else { return }
    try flush()
    try connection.requestArticles(of: items, in: feed, settings, at: time)
  }

  func changeFeedList() throws(StoreError) { noteFeedListChange() }

  func saveState(_ record: RefreshRecord, added: Int, unread: Int) throws(StoreError) {
    let title = record.parsed?.title.flatMap { $0.isEmpty ? nil : $0 }
    if record.parsed != nil {
      let changes = try connection.query(
        """
        SELECT (user_title IS NULL AND $2::text IS NOT NULL AND own_title IS DISTINCT FROM $2::text)
          OR ($3::text IS NOT NULL AND site_url IS DISTINCT FROM $3::text)
        FROM feeds WHERE id = $1
        """,
        record.feedID.rawValue,
        title,
        record.parsed?.homePageURL
      ).first?.bool(0)
      if changes == true { try connection.noteChange(of: record.feedID, sequence: takeSequence()) }
    }
    let next = Int(FeedRow.stateParameters)
    try connection.query(
      """
      UPDATE feeds SET \(Self.stateAssignments), own_title = coalesce($\(next + 1), own_title),
        site_url = coalesce($\(next + 2), site_url), items = items + $\(next + 3)::bigint,
        unread = unread + $\(next + 4)::bigint
      WHERE id = $\(next + 5)
      """,
      parameters: FeedRow.values(of: record.state).map { Parameter($0) } + [
        title.parameter, (record.parsed?.homePageURL).parameter, added.parameter, unread.parameter,
        record.feedID.rawValue.parameter,
      ]
    )
  }

  /// The assignments with numbered parameters.
  private static let stateAssignments: String = {
    var text: [UInt8] = []
    var number = 0
    for byte in FeedRow.stateAssignments.utf8 {
      guard byte == UInt8(ascii: "?") else {
        text.append(byte)
        continue
      }
      number += 1
      text.append(contentsOf: "$\(number)".utf8)
    }
    return String(decoding: text, as: UTF8.self)
  }()
}
