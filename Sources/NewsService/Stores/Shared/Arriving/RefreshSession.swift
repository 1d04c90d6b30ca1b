package import NewsCore

/// A writing transaction that stores the results of refreshes.
package protocol RefreshSession: ItemSession {
  /// Queues the pages of new items for fetching if the feed's settings ask for articles.
  mutating func requestArticles(
    of items: [NewsItem.ID],
    in feed: Feed.ID,
    _ settings: FeedSettings,
    at time: Timestamp
  ) throws(StoreError)
  /// Saves the feed's state and adds to its totals.
  mutating func saveState(_ record: RefreshRecord, added: Int, unread: Int) throws(StoreError)
  /// Notifies schedulers that they must reload the list of feeds.
  mutating func changeFeedList() throws(StoreError)
  /// Compiles the stored rules.
  func ruleBook() throws(StoreError) -> RuleBook
  /// Writes the collected items and the totals.
  mutating func finish() throws(StoreError)
}

extension RefreshSession {
  package func ruleBook() throws(StoreError) -> RuleBook { try connection.ruleBook() }

  /// Prepares the hooks that fire for a feed's items. `isBacklog` is true for the items of a newly added feed.
  private mutating func observe(
    _ feed: Feed.ID,
    title: String?,
    language: String?,
    isBacklog: Bool,
    at time: Timestamp
  ) throws(StoreError) {
    guard let hooks, !hooks.isEmpty else { return }
    watch = try hooks.watch(
      of: feed,
      title: title,
      language: language,
      isBacklog: isBacklog,
      at: time,
      hookSession
    )
  }

  /// Evaluates the hooks for events of the feed itself (failing, gone), before the new state is saved.
  private mutating func noteState(_ record: RefreshRecord) throws(StoreError) {
    guard let hooks, !hooks.isEmpty, let former = try hooks.formerFeed(record.feedID, hookSession) else {
      return
    }
    var session = self
    try hooks.compare(
      former,
      with: record.state,
      at: record.time,
      sequence: { session.takeSequence() },
      hookSession
    )
    self = session
  }
}

extension RefreshSession {
  /// Stores records, without those of feeds that were removed, and ends the writing.
  package mutating func store(
    _ records: [RefreshRecord],
    rules: RuleBook
  ) throws(StoreError) -> [RefreshChange] {
    var changes: [RefreshChange] = []
    if records.contains(where: { $0.parsed != nil }) { try connection.refuseAboveQuota() }
    for record in records {
      if let change = try store(record, rules: rules) { changes.append(change) }
    }
    try finish()
    return changes
  }

  /// Stores a record. Returns nil if the feed was removed, or if this process lost its claim on it.
  private mutating func store(
    _ record: RefreshRecord,
    rules: RuleBook
  ) throws(StoreError) -> RefreshChange? {
    guard var review = try FeedIdentityReview(record.feedID, in: &self) else { return nil }
    var change = RefreshChange(feedID: record.feedID)
    var unread = 0
    if let parsed = record.parsed {
      let items = record.storedItems.usingEnclosuresAsGuids()
      if review.isFirstPoll, review.policy == .guid {
        try ImportedItems.adopt(items, of: record.feedID, in: &self)
      }
      try review.review(items, in: &self)
      var matcher = ItemMatcher(feed: record.feedID, policy: review.policy, time: record.time)
      matcher.isFirstPoll = review.isFirstPoll
      matcher.followsRevisions = !review.isSetByUser
      matcher.isFirstDocument = review.isNew
      matcher.isUntouched = review.isUntouched
      if !rules.isEmpty {
        matcher.ruleEvaluator = rules.evaluator(
          of: try hookSession.feed(record.feedID),
          title: parsed.title,
          language: parsed.language,
          at: record.time
        )
      }
      try observe(
        record.feedID,
        title: parsed.title,
        language: parsed.language,
        isBacklog: review.isNew || review.isFirstPoll,
        at: record.time
      )
      let outcome = try matcher.store(
        items.map { ItemMatcher.Arrival($0) },
        parsed: { parsed.items[$0] },
        in: &self
      )
      change.inserted = outcome.inserted
      change.updated = outcome.updated
      unread = outcome.insertedUnread
      try connection.count(hits: outcome.hits)
      try requestArticles(of: change.inserted, in: record.feedID, review.settings, at: record.time)
    }
    try noteState(record)
    let isOutdated = record.isOutdated(by: review.settings)
    let latest = isOutdated ? record.rescheduled(for: review.settings) : record
    try saveState(latest, added: change.inserted.count, unread: unread)
    if let icon = record.parsed?.iconAddress { try connection.noteIcon(icon, of: record.feedID) }
    // Report the new due time to the scheduler.
    if isOutdated || record.notifiesOtherProcesses { try changeFeedList() }
    return change
  }

  /// Stores the items of an imported feed. Returns nil if there is nothing to store. Without `rules`, imported items do
  /// not replace stored items.
  package mutating func store(
    _ imported: ImportedFeed,
    in feed: Feed,
    rules: RuleBook?,
    at time: Timestamp
  ) throws(StoreError) -> ItemMatcher.Outcome? {
    guard !imported.items.isEmpty, var review = try FeedIdentityReview(feed.id, in: &self) else { return nil }
    var imported = imported
    if rules == nil, review.policy == .guid {
      imported.items = try ImportedItems.recognized(imported.items, of: feed.id, in: self)
    }
    let arrivals = imported.items.map { ItemMatcher.Arrival($0) }
    var matcher = ItemMatcher(feed: feed.id, policy: review.policy, time: time)
    matcher.isArchive = rules == nil
    if let rules {
      try review.review(arrivals.map(\.item), in: &self)
      matcher.policy = review.policy
      matcher.followsRevisions = !review.isSetByUser
      matcher.ruleEvaluator = rules.evaluator(of: feed, at: time)
      // Items of a program are no backlog: a program writes an item when something has happened.
      try observe(feed.id, title: nil, language: nil, isBacklog: false, at: time)
    }
    let outcome = try matcher.store(arrivals, parsed: { imported.items[$0].item }, in: &self)
    try connection.count(hits: outcome.hits)
    return outcome
  }
}

extension RefreshRecord {
  /// The items in the form in which they are stored. They are computed now, unless `withPreparation` has computed them.
  package var storedItems: [StoredItem] {
    if let preparation = preparation as? PreparedItems { return preparation.items }
    guard let parsed else { return [] }
    return parsed.items.map { StoredItem($0, feedLanguage: parsed.language) }
  }

  /// Returns the record with the derived data of its items computed.
  package var withPreparation: RefreshRecord {
    guard let parsed else { return self }
    var record = self
    record.preparation = PreparedItems(
      items: parsed.items.map { StoredItem($0, feedLanguage: parsed.language).prepared }
    )
    return record
  }
}

private struct PreparedItems: RefreshPreparation {
  var items: [StoredItem]
}

extension RefreshRecord {
  /// Returns true if the feed's settings changed during the fetch in a way that affects its state.
  package func isOutdated(by settings: FeedSettings) -> Bool {
    guard let planned = self.settings else { return false }
    return planned.minimumInterval != settings.minimumInterval
      || planned.maximumInterval != settings.maximumInterval || planned.encoding != settings.encoding
  }

  /// Returns the record with its state recomputed from the feed's current settings.
  package func rescheduled(for settings: FeedSettings) -> RefreshRecord {
    guard let planned = self.settings else { return self }
    var record = self
    if planned.encoding != settings.encoding {
      // The new encoding decodes the same bytes differently: drop the validators, so that the document is fetched
      // again.
      record.state.validators = nil
      record.state.bodyHash = nil
    }
    record.state = record.state.rescheduled(for: settings, replacing: planned, general: intervals)
    return record
  }
}
