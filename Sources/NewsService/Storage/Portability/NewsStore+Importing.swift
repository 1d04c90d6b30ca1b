public import NewsCore

extension NewsStore: ItemImporting {
  public func importFeeds(
    _ feeds: [ImportedFeed],
    at time: Timestamp
  ) async throws(StoreError) -> ImportReport {
    try await store(feeds, at: time, appliesRules: false)
  }

  public func ingest(
    _ feeds: [ImportedFeed],
    at time: Timestamp
  ) async throws(StoreError) -> ImportReport {
    try await store(feeds, at: time, appliesRules: true)
  }

  private func store(
    _ feeds: [ImportedFeed],
    at time: Timestamp,
    appliesRules: Bool
  ) async throws(StoreError) -> ImportReport {
    var report = ImportReport()
    // One transaction per feed, so that a large archive does not block other writers.
    for imported in feeds {
      let part = try await write { (connection) throws(StoreError) in
        try Self.store(imported, at: time, appliesRules: appliesRules, connection)
      }
      report.feeds += part.feeds
      report.items += part.items
      report.unchanged += part.unchanged
      report.updated += part.updated
    }
    return report
  }

  private static func store(
    _ imported: ImportedFeed,
    at time: Timestamp,
    appliesRules: Bool,
    _ connection: Connection
  ) throws(StoreError) -> ImportReport {
    var report = ImportReport()
    let feed: Feed
    if let existing = try Self.feed(url: imported.feed.url, connection) {
      feed = existing
    } else {
      feed = try insert(imported.feed, at: time, connection)
      report.feeds = 1
    }
    guard !imported.items.isEmpty, var identity = try FeedIdentityState(feed.id, connection) else {
      return report
    }
    let arrivals = imported.items.map(ItemMatcher.Arrival.init)
    var batch = ItemMatcher(feed: feed.id, policy: identity.policy, time: time, isArchive: !appliesRules)
    if appliesRules {
      try identity.review(arrivals.map(\.item), connection)
      batch.policy = identity.policy
      batch.followsRevisions = !identity.isSetByUser
      batch.ruleEvaluator = try RuleBook(connection).evaluator(of: feed.id, at: time, connection)
      // A program writes an item when something has happened, so its first items are no backlog.
      batch.hooks = try HookBook(connection).watch(of: feed.id, isBacklog: false, at: time, connection)
    }
    var writer = try ItemWriter(connection)
    let outcome = try batch.store(arrivals, parsed: { imported.items[$0].item }, &writer, connection)
    try writer.finish()
    let inserted = outcome.inserted.count
    try addTotals(of: feed.id, items: inserted, unread: outcome.insertedUnread, connection)
    try mark(outcome.known, as: imported.items, connection)
    report.items = inserted
    report.updated = outcome.updated.count
    report.unchanged = outcome.known.count - outcome.updated.count
    return report
  }

  /// Copies read and starred marks of the imported items to stored items.
  private static func mark(
    _ known: [(place: Int, id: NewsItem.ID)],
    as items: [ImportedItem],
    _ connection: Connection
  ) throws(StoreError) {
    var marker = try ItemMarker(connection)
    for (place, id) in known where items[place].isRead || items[place].isStarred {
      guard let key = try ItemReader.key(of: id, connection) else { continue }
      if items[place].isRead { try marker.mark(key, .read) }
      if items[place].isStarred { try marker.mark(key, .starred) }
    }
    try marker.finish()
  }

  private static func addTotals(
    of feed: Feed.ID,
    items: Int,
    unread: Int,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE feeds SET items = items + ?, unread = unread + ? WHERE id = ?"
    )
    try statement.bind(1, items)
    try statement.bind(2, unread)
    try statement.bind(3, feed.rawValue)
    try statement.run()
  }
}

extension ItemMatcher.Arrival {
  fileprivate init(_ imported: ImportedItem) {
    var item = StoredItem(imported.item, feedLanguage: nil)
    item.details.ruleTags = imported.tags
    self.init(
      item: item,
      initial: ItemWriter.InitialState(isRead: imported.isRead, isStarred: imported.isStarred),
      stored: imported.stored,
      isRemoved: imported.isRemoved
    )
  }
}
