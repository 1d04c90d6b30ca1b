import NewsService

/// Stores refresh records inside one transaction.
struct RefreshWriter {
  private let connection: Connection
  private var writer: ItemWriter
  private let rules: RuleBook

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    writer = try ItemWriter(connection)
    rules = try RuleBook(connection)
  }

  /// Nil when the feed is gone.
  mutating func store(_ record: RefreshRecord) throws(StoreError) -> RefreshChange? {
    guard var identity = try FeedIdentityState(record.feedID, connection) else { return nil }
    var change = RefreshChange(feedID: record.feedID)
    var unread = 0
    if let parsed = record.parsed {
      let items =
        record.preparation as? [StoredItem]
        ?? parsed.items.map { StoredItem($0, feedLanguage: parsed.language) }
      try identity.review(items, connection)
      try storeItems(items, of: parsed, record, identity.policy, &change, &unread)
    }
    try storeState(record, added: change.inserted.count, unread: unread)
    return change
  }

  mutating func finish() throws(StoreError) {
    try writer.finish()
  }

  private mutating func storeState(
    _ record: RefreshRecord,
    added: Int,
    unread: Int
  ) throws(StoreError) {
    let next = FeedRow.stateParameters
    let statement = try connection.prepare(
      """
      UPDATE feeds SET \(FeedRow.stateAssignments), own_title = coalesce(?\(next + 1), own_title),
        site_url = coalesce(?\(next + 2), site_url), items = items + ?\(next + 3), unread = unread + ?\(next + 4)
      WHERE id = ?\(next + 5)
      """
    )
    try FeedRow.bind(record.state, to: statement)
    try statement.bind(next + 1, record.parsed?.title.flatMap { $0.isEmpty ? nil : $0 })
    try statement.bind(next + 2, record.parsed?.homePageURL)
    try statement.bind(next + 3, added)
    try statement.bind(next + 4, unread)
    try statement.bind(next + 5, record.feedID.rawValue)
    try statement.run()
  }

  private mutating func storeItems(
    _ items: [StoredItem],
    of parsed: ParsedFeed,
    _ record: RefreshRecord,
    _ policy: IdentityPolicy,
    _ change: inout RefreshChange,
    _ unread: inout Int
  ) throws(StoreError) {
    let judge = try rules.judge(
      of: record.feedID,
      title: parsed.title,
      language: parsed.language,
      at: record.time,
      connection
    )
    var seen: Set<Int64> = []
    var arrivals: [(marks: ItemMarks, item: StoredItem, beginning: ItemWriter.Beginning)] = []
    for (place, item) in items.enumerated() {
      let marks = ItemMarks(of: item, under: policy)
      // Named twice in one document: the first one counts, or the two would replace each other at every poll.
      guard seen.insert(marks.identity).inserted else { continue }
      if let former = try ItemWriter.Former(feed: record.feedID, identity: marks.identity, connection) {
        guard former.revision != marks.revision else { continue }
        try writer.update(former, to: item, marks, feed: record.feedID, at: record.time)
        change.updated.append(former.id)
      } else if try !Tombstone.exists(feed: record.feedID, identity: marks.identity, connection) {
        var item = item
        switch judge?.verdict(on: parsed.items[place]) {
        case .drop:
          try writer.drop(item, identity: marks.identity, feed: record.feedID)
        case .keep(let beginning, let tags):
          item.details.ownTags = tags
          arrivals.append((marks, item, beginning))
        case nil:
          arrivals.append((marks, item, ItemWriter.Beginning()))
        }
      }
    }
    change.inserted = writer.takeIDs(arrivals.count)
    for (place, new) in arrivals.enumerated().reversed() {
      try writer.insert(
        new.item,
        new.marks,
        id: change.inserted[place],
        feed: record.feedID,
        stored: record.time,
        beginning: new.beginning
      )
      if !new.beginning.isRead { unread += 1 }
    }
  }
}
