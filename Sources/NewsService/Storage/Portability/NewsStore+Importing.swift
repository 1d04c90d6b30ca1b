package import NewsCore

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
    if let existing = try connection.feed(url: imported.feed.url) {
      feed = existing
    } else {
      feed = try connection.insert(imported.feed, at: time)
      report.feeds = 1
    }
    var writer = try ItemWriter(connection)
    let rules = appliesRules ? try connection.ruleBook() : nil
    if appliesRules { writer.hooks = try HookBook(connection) }
    guard let outcome = try writer.store(imported, in: feed, rules: rules, at: time) else { return report }
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
