public import NewsService

extension NewsStore: ItemImporting {
  public func importFeeds(
    _ feeds: [ImportedFeed],
    at time: Timestamp
  ) async throws(StoreError) -> ImportReport {
    try await store(feeds, at: time, appliesRules: false)
  }

  public func takeIn(
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
    // One transaction for each feed: an archive of years must not keep others waiting.
    for imported in feeds {
      let part = try await write { (connection) throws(StoreError) in
        try Self.store(imported, at: time, appliesRules: appliesRules, connection)
      }
      report.feeds += part.feeds
      report.items += part.items
      report.known += part.known
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
    guard let identity = try FeedIdentityState(feed.id, connection) else { return report }
    let judge = appliesRules ? try RuleBook(connection).judge(of: feed.id, at: time, connection) : nil
    var writer = try ItemWriter(connection)
    var seen: Set<Int64> = []
    var arrivals: [(marks: ItemMarks, item: StoredItem, beginning: ItemWriter.Beginning)] = []
    var removed: [(marks: ItemMarks, item: StoredItem)] = []
    var marks: [(key: ItemKey, source: ImportedItem)] = []
    for source in imported.items {
      var item = StoredItem(source.item, feedLanguage: nil)
      item.details.ownTags = source.tags
      let own = ItemMarks(of: item, under: identity.policy)
      guard seen.insert(own.identity).inserted else { continue }
      if let former = try ItemWriter.Former(feed: feed.id, identity: own.identity, connection) {
        marks.append((former.key, source))
        // A script says what it means now; what another reader kept may be older than what is here.
        if appliesRules, former.revision != own.revision {
          try writer.update(former, to: item, own, feed: feed.id, at: time)
          report.updated += 1
        }
        continue
      }
      if source.isRemoved {
        removed.append((own, item))
        continue
      }
      // What was dropped or pruned does not come back because a script says it again.
      if appliesRules, try Tombstone.exists(feed: feed.id, identity: own.identity, connection) { continue }
      var beginning = ItemWriter.Beginning(isRead: source.isRead, isStarred: source.isStarred)
      switch judge?.verdict(on: source.item) {
      case .drop:
        try writer.drop(item, identity: own.identity, feed: feed.id)
        continue
      case .keep(let decided, let tags):
        beginning.isRead = beginning.isRead || decided.isRead
        beginning.isStarred = beginning.isStarred || decided.isStarred
        item.details.ownTags += tags.filter { !item.details.ownTags.contains($0) }
      case nil: break
      }
      arrivals.append((own, item, beginning))
    }
    let ids = writer.takeIDs(arrivals.count)
    for (place, new) in arrivals.enumerated().reversed() {
      try writer.insert(
        new.item,
        new.marks,
        id: ids[place],
        feed: feed.id,
        stored: time,
        beginning: new.beginning
      )
    }
    for (own, item) in removed { try writer.drop(item, identity: own.identity, feed: feed.id) }
    try writer.finish()
    try addTotals(
      of: feed.id,
      items: arrivals.count,
      unread: arrivals.count { !$0.beginning.isRead },
      connection
    )
    var marker = try ItemMarker(connection)
    for (key, source) in marks {
      if source.isRead { try marker.mark(key, .read) }
      if source.isStarred { try marker.mark(key, .starred) }
    }
    try marker.finish()
    report.items = arrivals.count
    report.known = marks.count - report.updated
    return report
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

/// Reads newsboat's cache.
public struct NewsboatCache: NewsboatCacheReading {
  public init() {}

  public func feeds(inNewsboatCache path: String) throws(StoreError) -> [ImportedFeed] {
    let connection = try Connection(path: path, access: .reading, patience: 2_000)
    guard
      try connection.integer("SELECT count(*) FROM sqlite_master WHERE name IN ('rss_feed', 'rss_item')") == 2
    else {
      throw StoreError(code: .badQuery, message: "\(path) is no cache of newsboat")
    }
    return try connection.snapshot { () throws(StoreError) in
      let statement = try connection.prepare("SELECT rssurl, title, url FROM rss_feed ORDER BY rowid")
      var feeds: [ImportedFeed] = []
      while try statement.step() {
        let url = statement.string(0)
        let title = statement.optionalString(1).flatMap { $0.isEmpty ? nil : $0 }
        let site = statement.optionalString(2).flatMap { $0.isEmpty ? nil : $0 }
        feeds.append(
          ImportedFeed(
            feed: NewFeed(url: url, title: title, siteURL: site),
            items: try items(of: url, connection)
          )
        )
      }
      return feeds
    }
  }

  private func items(of url: String, _ connection: Connection) throws(StoreError) -> [ImportedItem] {
    // The columns that every version since 2.10 has; older rows hold empty texts where others hold nothing.
    let row = try connection.prepare(
      """
      SELECT guid, title, author, url, pubDate, content, unread, enclosure_url, enclosure_type, flags,
        deleted
      FROM rss_item WHERE feedurl = ? ORDER BY pubDate DESC, id DESC
      """
    )
    try row.bind(1, url)
    var items: [ImportedItem] = []
    while try row.step() {
      func text(_ column: Int32) -> String? { row.optionalString(column).flatMap { $0.isEmpty ? nil : $0 } }
      var item = ParsedItem()
      item.id = text(0)
      item.title = text(1)
      if let author = text(2) { item.authors = [Author(name: author)] }
      item.url = text(3)
      item.published = row.int64(4) == 0 ? nil : row.time(4)
      item.contentHTML = text(5)
      if let enclosure = text(7) { item.enclosures = [Enclosure(url: enclosure, mimeType: text(8))] }
      let flags = text(9) ?? ""
      items.append(
        ImportedItem(
          item: item,
          isRead: !row.bool(6),
          isStarred: !flags.isEmpty,
          isRemoved: row.bool(10),
          tags: flags.map { "flag-\($0)" }
        )
      )
    }
    return items
  }
}
