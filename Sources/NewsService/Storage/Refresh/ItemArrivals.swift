import NewsCore

/// Items that come to one feed in one transaction, fetched, ingested or imported: which are known, which are new, and
/// what the rules make of them.
struct ItemArrivals {
  /// An item with the state that it brings along.
  struct Arrival {
    var item: StoredItem
    var beginning = ItemWriter.Beginning()
    /// When another store stored it; nil: now.
    var stored: Timestamp?
    /// It is not to be stored, and not to come back.
    var isRemoved = false
  }

  /// What became of them; places are those in the list that was given.
  struct Outcome {
    var inserted: [NewsItem.ID] = []
    var insertedUnread = 0
    var updated: [NewsItem.ID] = []
    /// Items that were there, whether they say something else now or not.
    var known: [(place: Int, id: NewsItem.ID)] = []
  }

  var feed: Feed.ID
  var policy: IdentityPolicy
  /// A guid that is not known may be that of a new edition.
  var followsEditions = true
  var time: Timestamp
  /// Nil: there are no rules, or they do not apply.
  var judge: RuleBook.Judge?
  /// What another reader kept: it may be older than what is here, and comes back even if it was removed here.
  var isArchive = false

  private struct New {
    var marks: ItemMarks
    var arrival: Arrival
  }

  /// Stores the items; the first one of a document is the newest. Of two with one identity the first counts, or they
  /// would replace each other at every poll. `parsed` gives an item, by its place, as the rules see it.
  func store(
    _ arrivals: [Arrival],
    parsed: (Int) -> ParsedItem,
    _ writer: inout ItemWriter,
    _ connection: Connection
  ) throws(StoreError) -> Outcome {
    var outcome = Outcome()
    var editions: ItemEditions?
    var seen: Set<Int64> = []
    var new: [New] = []
    var removed: [New] = []
    for (place, arrival) in arrivals.enumerated() {
      let marks = ItemMarks(of: arrival.item, under: policy)
      guard seen.insert(marks.identity).inserted else { continue }
      if let former = try former(of: arrival.item, marks, among: arrivals, &editions, connection) {
        outcome.known.append((place, former.id))
        guard !isArchive, former.revision != marks.revision else { continue }
        try writer.update(former, to: arrival.item, marks, feed: feed, at: time)
        outcome.updated.append(former.id)
      } else if arrival.isRemoved {
        removed.append(New(marks: marks, arrival: arrival))
      } else if try !isBarred(marks.identity, connection) {
        guard let kept = judged(arrival, parsed(place)) else {
          try writer.drop(arrival.item, identity: marks.identity, feed: feed)
          continue
        }
        new.append(New(marks: marks, arrival: kept))
      }
    }
    outcome.inserted = writer.takeIDs(new.count)
    for (place, new) in new.enumerated().reversed() {
      try writer.insert(
        new.arrival.item,
        new.marks,
        id: outcome.inserted[place],
        feed: feed,
        stored: new.arrival.stored ?? time,
        beginning: new.arrival.beginning
      )
      if !new.arrival.beginning.isRead { outcome.insertedUnread += 1 }
    }
    for old in removed { try writer.drop(old.arrival.item, identity: old.marks.identity, feed: feed) }
    return outcome
  }

  /// The stored item; also one that is an earlier edition, and is called so from now on.
  private func former(
    of item: StoredItem,
    _ marks: ItemMarks,
    among arrivals: [Arrival],
    _ editions: inout ItemEditions?,
    _ connection: Connection
  ) throws(StoreError) -> ItemWriter.Former? {
    func known() throws(StoreError) -> ItemWriter.Former? {
      try ItemWriter.Former(feed: feed, identity: marks.identity, connection)
    }
    if let known = try known() { return known }
    guard followsEditions, !isArchive, policy == .guid, let guid = item.guid, guid != item.url else {
      return nil
    }
    let finder: ItemEditions
    if let made = editions {
      finder = made
    } else {
      finder = try ItemEditions(of: feed, before: arrivals.map(\.item), connection)
      editions = finder
    }
    return try finder.rename(to: item) ? known() : nil
  }

  private func isBarred(_ identity: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    if isArchive { return false }
    return try Tombstone.exists(feed: feed, identity: identity, connection)
  }

  /// With what the rules add; nil: they drop it.
  private func judged(_ arrival: Arrival, _ parsed: @autoclosure () -> ParsedItem) -> Arrival? {
    guard let judge else { return arrival }
    var arrival = arrival
    switch judge.verdict(on: parsed()) {
    case .drop: return nil
    case .keep(let decided, let tags):
      arrival.beginning.isRead = arrival.beginning.isRead || decided.isRead
      arrival.beginning.isStarred = arrival.beginning.isStarred || decided.isStarred
      let own = arrival.item.details.ownTags
      arrival.item.details.ownTags += tags.filter { !own.contains($0) }
      return arrival
    }
  }
}
