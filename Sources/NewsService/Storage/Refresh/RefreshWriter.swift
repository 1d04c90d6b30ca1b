import NewsCore

/// Stores refresh records inside one transaction.
struct RefreshWriter {
  private let connection: Connection
  private var writer: ItemWriter
  private let rules: RuleBook
  private let hooks: HookBook

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    writer = try ItemWriter(connection)
    rules = try RuleBook(connection)
    hooks = try HookBook(connection)
  }

  /// Stores a record. Returns nil if the feed was removed.
  mutating func store(_ record: RefreshRecord) throws(StoreError) -> RefreshChange? {
    guard var identity = try FeedIdentityState(record.feedID, connection) else { return nil }
    var change = RefreshChange(feedID: record.feedID)
    var unread = 0
    if let parsed = record.parsed {
      let found =
        (record.preparation as? PreparedItems)?.items
        ?? parsed.items.map { StoredItem($0, feedLanguage: parsed.language) }
      let items = found.usingEnclosuresAsGuids()
      try identity.review(items, connection)
      let outcome = try storeItems(items, of: parsed, record, identity)
      change.inserted = outcome.inserted
      change.updated = outcome.updated
      unread = outcome.insertedUnread
      try ItemArticles.request(
        change.inserted,
        of: record.feedID,
        identity.settings,
        at: record.time,
        connection
      )
    }
    if !hooks.isEmpty { try reportChanges(record) }
    let isOutdated = record.isOutdated(by: identity.settings)
    let latest = isOutdated ? record.rescheduled(for: identity.settings) : record
    try storeState(latest, added: change.inserted.count, unread: unread)
    // Report the new due time to the scheduler.
    if isOutdated || record.notifiesOtherProcesses { try Counter.feedList.add(1, connection) }
    return change
  }

  mutating func finish() throws(StoreError) {
    try writer.finish()
  }

  /// Reports to hooks what the refresh shows of the feed itself.
  private mutating func reportChanges(_ record: RefreshRecord) throws(StoreError) {
    guard let former = try hooks.formerFeed(record.feedID, connection) else { return }
    var writer = writer
    try hooks.compare(
      former,
      with: record.state,
      at: record.time,
      sequence: { writer.takeSequence() },
      connection
    )
    self.writer = writer
  }

  private mutating func storeState(
    _ record: RefreshRecord,
    added: Int,
    unread: Int
  ) throws(StoreError) {
    if let parsed = record.parsed, try changesFeed(record.feedID, parsed) {
      try FeedLog.note(record.feedID, sequence: writer.takeSequence(), connection)
    }
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

  private mutating func storeItems(
    _ items: [StoredItem],
    of parsed: ParsedFeed,
    _ record: RefreshRecord,
    _ identity: FeedIdentityState
  ) throws(StoreError) -> ItemMatcher.Outcome {
    let ruleEvaluator = try rules.evaluator(
      of: record.feedID,
      title: parsed.title,
      language: parsed.language,
      at: record.time,
      connection
    )
    let watch =
      hooks.isEmpty
      ? nil
      : try hooks.watch(
        of: record.feedID,
        title: parsed.title,
        language: parsed.language,
        isBacklog: identity.isNew,
        at: record.time,
        connection
      )
    let arrivals = ItemMatcher(
      feed: record.feedID,
      policy: identity.policy,
      followsRevisions: !identity.isSetByUser,
      time: record.time,
      isFirstDocument: identity.isNew,
      ruleEvaluator: ruleEvaluator,
      hooks: watch
    )
    return try arrivals.store(
      items.map { ItemMatcher.Arrival(item: $0) },
      parsed: { parsed.items[$0] },
      &writer,
      connection
    )
  }
}
