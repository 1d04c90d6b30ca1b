package import NewsCore

/// Matches the fetched, ingested or imported items of one feed with stored items, applies the rules and stores the
/// result.
package struct ItemMatcher {
  /// An item to store, with its initial state.
  package struct Arrival {
    package var item: StoredItem
    package var initial = InitialState()
    /// The time when another store received the item; nil for the current time.
    package var stored: Timestamp?
    /// If true, only a tombstone is stored.
    package var isRemoved = false

    package init(_ item: StoredItem) { self.item = item }

    package init(_ imported: ImportedItem) {
      item = StoredItem(imported.item, feedLanguage: nil)
      item.details.ruleTags = TagLimit.cut(imported.tags)
      initial = InitialState(isRead: imported.isRead, isStarred: imported.isStarred)
      stored = imported.stored
      isRemoved = imported.isRemoved
    }
  }

  /// The result. A `place` is an index into the list of items.
  package struct Outcome {
    package var inserted: [NewsItem.ID] = []
    /// The places of the inserted items.
    package var insertedPlaces: [Int] = []
    package var insertedUnread = 0
    package var updated: [NewsItem.ID] = []
    /// Items that were stored before, whether updated or not.
    package var known: [(place: Int, id: NewsItem.ID)] = []
    /// How many new items each rule matched, by the rule's number.
    package var hits: [Int: Int] = [:]
  }

  package var feed: Feed.ID
  package var policy: IdentityPolicy
  /// If true, an item with an unknown guid may be a new revision of a stored item.
  package var followsRevisions = true
  package var time: Timestamp
  /// True for a feed's first document. Undated items of this document sort just before its oldest dated item instead of
  /// at the current time.
  package var isFirstDocument = false
  /// True for the first poll of a feed whose items were imported. Its changes are no edits: other readers give other
  /// texts.
  package var isFirstPoll = false
  /// True if the feed has neither stored items nor tombstones; look-ups are then skipped.
  package var isUntouched = false
  /// The rules of the feed; nil if there are none or they do not apply.
  package var ruleEvaluator: RuleBook.Evaluator?
  /// True for items from another reader's archive. Such items do not replace stored items, and are stored even if they
  /// were removed before.
  package var isArchive = false

  private struct New {
    var marks: ItemHashes
    var arrival: Arrival
    /// Index into the list of items.
    var place: Int
  }

  /// Stores the items of a document, newest first.
  ///
  /// If two items have the same identity, only the first is stored; otherwise they would replace each other at every
  /// poll. `parsed` returns the item at an index, for the rules.
  package func store(
    _ arrivals: [Arrival],
    parsed: (Int) -> ParsedItem,
    in session: inout some ItemSession
  ) throws(StoreError) -> Outcome {
    var outcome = Outcome()
    var revisions: ItemRevisions?
    var seen: Set<Int64> = []
    var new: [New] = []
    var removed: [New] = []
    var learned: [LearnedItem] = []
    for (place, arrival) in arrivals.enumerated() {
      let marks = ItemHashes(of: arrival.item, under: policy)
      guard seen.insert(marks.identity).inserted else { continue }
      if !isUntouched,
        let existing = try existing(of: arrival.item, marks, among: arrivals, &revisions, &session)
      {
        outcome.known.append((place, existing.id))
        guard !isArchive, existing.revision != marks.revision else {
          if !isArchive, let new = LearnedItem(existing.id, arrival.item) { learned.append(new) }
          continue
        }
        try session.update(existing, to: arrival.item, marks, feed: feed, at: time)
        if session.isObserved, !isFirstPoll {
          try session.noteUpdated(existing.id, parsed(place), tags: arrival.item.details.ruleTags)
        }
        outcome.updated.append(existing.id)
      } else if arrival.isRemoved {
        removed.append(New(marks: marks, arrival: arrival, place: place))
      } else if try !hasTombstone(marks.identity, session) {
        guard let kept = applyingRules(arrival, parsed(place), counting: &outcome.hits) else {
          try session.drop(arrival.item, identity: marks.identity, feed: feed)
          continue
        }
        new.append(New(marks: marks, arrival: kept, place: place))
      }
    }
    try session.connection.learn(learned)
    let timeOfUndated = isFirstDocument ? arrivals.map(\.item).timeOfUndated(stored: time) : nil
    outcome.inserted = try session.takeIDs(new.count)
    outcome.insertedPlaces = new.map(\.place)
    for (place, new) in new.enumerated().reversed() {
      let stored = new.arrival.stored ?? time
      let undated = new.arrival.item.published == nil ? timeOfUndated : nil
      try session.insert(
        NewItem(
          item: new.arrival.item,
          marks: new.marks,
          id: outcome.inserted[place],
          feed: feed,
          stored: stored,
          sortTime: undated ?? new.arrival.item.sortTime(stored: stored),
          initial: new.arrival.initial
        )
      )
      if session.isObserved {
        let tags = new.arrival.item.details.ruleTags
        try session.noteInserted(outcome.inserted[place], parsed(new.place), new.arrival.initial, tags: tags)
      }
      if !new.arrival.initial.isRead { outcome.insertedUnread += 1 }
    }
    for old in removed { try session.drop(old.arrival.item, identity: old.marks.identity, feed: feed) }
    return outcome
  }

  /// Returns the stored item with this identity, or an earlier revision, which then receives the new guid.
  private func existing(
    of item: StoredItem,
    _ marks: ItemHashes,
    among arrivals: [Arrival],
    _ revisions: inout ItemRevisions?,
    _ session: inout some ItemSession
  ) throws(StoreError) -> ExistingItem? {
    if let known = try session.existing(marks.identity, in: feed) { return known }
    guard followsRevisions, !isArchive, policy == .guid, let guid = item.guid, guid != item.url else {
      return nil
    }
    let finder: ItemRevisions
    if let made = revisions {
      finder = made
    } else {
      finder = try ItemRevisions(of: feed, before: arrivals.map(\.item), in: session)
      revisions = finder
    }
    return try finder.rename(to: item, in: &session) ? session.existing(marks.identity, in: feed) : nil
  }

  private func hasTombstone(_ identity: Int64, _ session: some ItemSession) throws(StoreError) -> Bool {
    if isArchive || isUntouched { return false }
    return try session.hasTombstone(identity, in: feed)
  }

  /// Returns the item with the changes made by rules; nil if a rule drops it.
  private func applyingRules(
    _ arrival: Arrival,
    _ parsed: @autoclosure () -> ParsedItem,
    counting hits: inout [Int: Int]
  ) -> Arrival? {
    guard let ruleEvaluator else { return arrival }
    var arrival = arrival
    switch ruleEvaluator.evaluate(parsed(), counting: &hits) {
    case .drop: return nil
    case .keep(let decided, let tags):
      arrival.initial.isRead = arrival.initial.isRead || decided.isRead
      arrival.initial.isStarred = arrival.initial.isStarred || decided.isStarred
      arrival.initial.labels = decided.labels
      let own = arrival.item.details.ruleTags
      arrival.item.details.ruleTags += tags.filter { !own.contains($0) }
      return arrival
    }
  }
}
