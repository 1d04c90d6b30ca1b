import NewsCore

/// Matches the fetched, ingested or imported items of one feed with the stored ones, applies the rules and stores the
/// result.
struct ItemMatcher {
  /// An item to store, with its initial state.
  struct Arrival {
    var item: StoredItem
    var initial = ItemWriter.InitialState()
    /// When another store received the item; nil means now.
    var stored: Timestamp?
    /// If true, only a tombstone is stored.
    var isRemoved = false
  }

  /// The result. Places are indexes into the given list.
  struct Outcome {
    var inserted: [NewsItem.ID] = []
    var insertedUnread = 0
    var updated: [NewsItem.ID] = []
    /// Items that were stored before, whether updated or not.
    var known: [(place: Int, id: NewsItem.ID)] = []
  }

  var feed: Feed.ID
  var policy: IdentityPolicy
  /// If true, an unknown guid may belong to a new revision of a stored item.
  var followsRevisions = true
  var time: Timestamp
  /// If true, undated items sort just before the oldest dated one of this first document instead of at the current
  /// time.
  var isFirstDocument = false
  /// Nil if there are no rules or they do not apply.
  var ruleEvaluator: RuleBook.Evaluator?
  /// Nil if no hook fires for the feed's items.
  var hooks: HookBook.Watch?
  /// True for items from another reader's archive. They do not replace stored items, and are stored even if they were
  /// removed before.
  var isArchive = false

  private struct New {
    var marks: ItemHashes
    var arrival: Arrival
    /// Index into the given list.
    var place: Int
  }

  /// Stores the items of a document, newest first. If two items have the same identity, only the first is stored;
  /// otherwise they would replace each other at every poll. `parsed` returns the item at an index for the rules to
  /// examine.
  func store(
    _ arrivals: [Arrival],
    parsed: (Int) -> ParsedItem,
    _ writer: inout ItemWriter,
    _ connection: Connection
  ) throws(StoreError) -> Outcome {
    var outcome = Outcome()
    var revisions: ItemRevisions?
    var seen: Set<Int64> = []
    var new: [New] = []
    var removed: [New] = []
    for (place, arrival) in arrivals.enumerated() {
      let marks = ItemHashes(of: arrival.item, under: policy)
      guard seen.insert(marks.identity).inserted else { continue }
      if let existing = try existing(of: arrival.item, marks, among: arrivals, &revisions, connection) {
        outcome.known.append((place, existing.id))
        guard !isArchive, existing.revision != marks.revision else { continue }
        try writer.update(existing, to: arrival.item, marks, feed: feed, at: time)
        try hooks?.updated(
          existing.id,
          parsed(place),
          tags: arrival.item.details.ruleTags,
          sequence: writer.sequence,
          connection
        )
        outcome.updated.append(existing.id)
      } else if arrival.isRemoved {
        removed.append(New(marks: marks, arrival: arrival, place: place))
      } else if try !hasTombstone(marks.identity, connection) {
        guard let kept = applyingRules(arrival, parsed(place)) else {
          try writer.drop(arrival.item, identity: marks.identity, feed: feed)
          continue
        }
        new.append(New(marks: marks, arrival: kept, place: place))
      }
    }
    let timeOfUndated = isFirstDocument ? arrivals.map(\.item).timeOfUndated(stored: time) : nil
    outcome.inserted = writer.takeIDs(new.count)
    for (place, new) in new.enumerated().reversed() {
      try writer.insert(
        new.arrival.item,
        new.marks,
        id: outcome.inserted[place],
        feed: feed,
        stored: new.arrival.stored ?? time,
        sortTime: new.arrival.item.published == nil ? timeOfUndated : nil,
        initial: new.arrival.initial
      )
      try hooks?.inserted(
        outcome.inserted[place],
        parsed(new.place),
        new.arrival.initial,
        tags: new.arrival.item.details.ruleTags,
        sequence: writer.sequence,
        connection
      )
      if !new.arrival.initial.isRead { outcome.insertedUnread += 1 }
    }
    for old in removed { try writer.drop(old.arrival.item, identity: old.marks.identity, feed: feed) }
    return outcome
  }

  /// Returns the stored item with this identity, or an earlier revision, which then receives the new guid.
  private func existing(
    of item: StoredItem,
    _ marks: ItemHashes,
    among arrivals: [Arrival],
    _ revisions: inout ItemRevisions?,
    _ connection: Connection
  ) throws(StoreError) -> ItemWriter.ExistingItem? {
    func known() throws(StoreError) -> ItemWriter.ExistingItem? {
      try ItemWriter.ExistingItem(feed: feed, identity: marks.identity, connection)
    }
    if let known = try known() { return known }
    guard followsRevisions, !isArchive, policy == .guid, let guid = item.guid, guid != item.url else {
      return nil
    }
    let finder: ItemRevisions
    if let made = revisions {
      finder = made
    } else {
      finder = try ItemRevisions(of: feed, before: arrivals.map(\.item), connection)
      revisions = finder
    }
    return try finder.rename(to: item) ? known() : nil
  }

  private func hasTombstone(_ identity: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    if isArchive { return false }
    return try Tombstone.exists(feed: feed, identity: identity, connection)
  }

  /// Returns the item with the changes made by rules; nil if a rule drops it.
  private func applyingRules(_ arrival: Arrival, _ parsed: @autoclosure () -> ParsedItem) -> Arrival? {
    guard let ruleEvaluator else { return arrival }
    var arrival = arrival
    switch ruleEvaluator.evaluate(parsed()) {
    case .drop: return nil
    case .keep(let decided, let tags):
      arrival.initial.isRead = arrival.initial.isRead || decided.isRead
      arrival.initial.isStarred = arrival.initial.isStarred || decided.isStarred
      let own = arrival.item.details.ruleTags
      arrival.item.details.ruleTags += tags.filter { !own.contains($0) }
      return arrival
    }
  }
}
