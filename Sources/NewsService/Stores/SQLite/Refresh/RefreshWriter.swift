import NewsStoresShared
import NewsCore

/// Stores refresh records inside one transaction.
struct RefreshWriter {
  private var writer: ItemWriter
  private let rules: RuleBook

  init(_ connection: Connection) throws(StoreError) {
    writer = try ItemWriter(connection)
    writer.hooks = try HookBook(connection)
    rules = try connection.ruleBook()
  }

  /// Stores a refresh record. Returns nil if the feed was removed.
  mutating func store(_ record: RefreshRecord) throws(StoreError) -> RefreshChange? {
    try writer.store(record, rules: rules)
  }

  mutating func finish() throws(StoreError) {
    try writer.finish()
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

  mutating func changeFeedList() throws(StoreError) { try Counter.feedList.add(1, connection) }

  mutating func saveState(_ record: RefreshRecord, added: Int, unread: Int) throws(StoreError) {
    if let parsed = record.parsed, try changesFeed(record.feedID, parsed) {
      try connection.noteChange(of: record.feedID, sequence: takeSequence())
    }
    let next = FeedRow.stateParameters
    let statement = try connection.prepare(
      """
      UPDATE feeds SET \(FeedRow.stateAssignments), own_title = coalesce(?\(next + 1), own_title),
        site_url = coalesce(?\(next + 2), site_url), items = items + ?\(next + 3), unread = unread + ?\(next + 4)
      WHERE id = ?\(next + 5)
      """
    )
    for (place, value) in FeedRow.values(of: record.state).enumerated() {
      try statement.bind(Int32(place + 1), value)
    }
    try statement.bind(next + 1, record.parsed?.title.flatMap { $0.isEmpty ? nil : $0 })
    try statement.bind(next + 2, record.parsed?.homePageURL)
    try statement.bind(next + 3, added)
    try statement.bind(next + 4, unread)
    try statement.bind(next + 5, record.feedID.rawValue)
    try statement.run()
  }

  /// Returns true if the document changes the feed's displayed title or its site URL.
  private func changesFeed(_ feed: Feed.ID, _ parsed: ParsedFeed) throws(StoreError) -> Bool {
    let statement = try connection.prepare(
      """
      SELECT (user_title IS NULL AND ?2 IS NOT NULL AND own_title IS NOT ?2)
        OR (?3 IS NOT NULL AND site_url IS NOT ?3)
      FROM feeds WHERE id = ?1
      """
    )
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, parsed.title.flatMap { $0.isEmpty ? nil : $0 })
    try statement.bind(3, parsed.homePageURL)
    return try statement.step() && statement.bool(0)
  }
}
