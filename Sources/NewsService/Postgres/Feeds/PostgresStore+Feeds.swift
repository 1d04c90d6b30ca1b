import Glibc
public import NewsCore

extension PostgresStore: FeedReading {
  public func feeds() async throws(StoreError) -> [Feed] {
    try await read { (connection) throws(StoreError) in
      try connection.query("SELECT \(FeedRow.columns) FROM feeds ORDER BY position, id").map {
        FeedRow.feed($0)
      }
    }
  }

  public func feed(named name: String) async throws(StoreError) -> Feed {
    try await read { (connection) throws(StoreError) in
      if let number = Int64(name), let feed = try connection.feed(Feed.ID(rawValue: number)) { return feed }
      if let feed = try connection.feed(url: name) { return feed }
      return try connection.existingFeed(FeedName.choose(name, among: connection.feedNames()))
    }
  }
}

extension PostgresStore: FeedEditing {
  public func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed {
    try await write { (connection) throws(StoreError) in
      if let existing = try connection.feed(url: feed.url) { throw FeedRefusal.duplicate(feed.url, existing) }
      if let title = feed.title { try Self.refuseNameOfSearch(title, connection) }
      return try Self.insert(feed, at: time, connection)
    }
  }

  public func add(
    _ feeds: [NewFeed],
    at time: Timestamp
  ) async throws(StoreError) -> (added: [Feed], duplicates: [NewFeed]) {
    try await write { (connection) throws(StoreError) in
      var added: [Feed] = []
      var duplicates: [NewFeed] = []
      for feed in feeds {
        if try connection.feed(url: feed.url) != nil {
          duplicates.append(feed)
        } else {
          added.append(try Self.insert(feed, at: time, connection))
        }
      }
      return (added, duplicates)
    }
  }

  public func remove(_ id: Feed.ID) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try connection.existingFeed(id)
      let items = try connection.query("SELECT id FROM items WHERE feed = $1 ORDER BY sort, id", id.rawValue)
      var remover = try ItemRemover(connection)
      try remover.remove(items.map { $0.int64(0) })
      try remover.finish()
      try connection.query("DELETE FROM feeds WHERE id = $1", id.rawValue)
      try connection.noteChange(of: id)
      try connection.query("UPDATE feed_changes SET url = $1 WHERE feed = $2", feed.url, id.rawValue)
      try connection.query("DELETE FROM hub_subscriptions WHERE feed = $1", id.rawValue)
      try connection.query("UPDATE feeds SET position = position - 1 WHERE position > $1", feed.position)
      try connection.add(1, to: .feedList)
    }
  }

  public func rename(_ id: Feed.ID, to title: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      _ = try connection.existingFeed(id)
      try Self.refuseNameOfSearch(title, connection)
      // An empty name restores the feed's own title.
      try connection.query(
        "UPDATE feeds SET user_title = $1 WHERE id = $2",
        title.isEmpty ? nil : title,
        id.rawValue
      )
      try connection.noteChange(of: id)
    }
  }

  public func move(_ id: Feed.ID, to position: Int) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try connection.existingFeed(id)
      let last = Int(try connection.integer("SELECT max(position) FROM feeds") ?? 1)
      let target = min(max(position, 1), last)
      if target < feed.position {
        try connection.query(
          "UPDATE feeds SET position = position + 1 WHERE position >= $1 AND position < $2",
          target,
          feed.position
        )
      } else {
        try connection.query(
          "UPDATE feeds SET position = position - 1 WHERE position > $2 AND position <= $1",
          target,
          feed.position
        )
      }
      try connection.query("UPDATE feeds SET position = $1 WHERE id = $2", target, id.rawValue)
    }
  }

  public func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try connection.existingFeed(id)
      let settings = try connection.inherited(feed.settings, folder: folder)
      try connection.query(
        "UPDATE feeds SET folder = $1, settings = $2 WHERE id = $3",
        folder.flatMap(FolderPath.cleaned),
        settings.storedText,
        id.rawValue
      )
      try connection.noteChange(of: id)
    }
  }

  public func update(
    _ id: Feed.ID,
    settings: FeedSettings,
    general: ClosedRange<Int64>
  ) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try connection.existingFeed(id)
      try connection.query("UPDATE feeds SET settings = $1 WHERE id = $2", settings.storedText, id.rawValue)
      if feed.settings.encoding != settings.encoding {
        // The new encoding gives other text for the same bytes: drop the validators and the body hash to force a fetch.
        try connection.query(
          """
          UPDATE feeds SET etag = NULL, last_modified = NULL, validated_url = NULL, body_hash = NULL WHERE id = $1
          """,
          id.rawValue
        )
      }
      let state = feed.fetchState.rescheduled(for: settings, replacing: feed.settings, general: general)
      if state != feed.fetchState { try connection.plan([(id, state)]) }
      if state != feed.fetchState || settings.credential != feed.settings.credential {
        try connection.add(1, to: .feedList)
      }
    }
  }

  public func update(_ id: Feed.ID, url: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let former = try connection.existingFeed(id)
      if let other = try connection.feed(url: url) {
        guard other.id != id else { return }
        throw FeedRefusal.duplicate(url, other)
      }
      try connection.query("UPDATE feeds SET url = $1 WHERE id = $2", url, id.rawValue)
      try connection.noteChange(of: id)
      try connection.add(1, to: .feedList)
      let hooks = try HookBook(connection)
      guard !hooks.isEmpty else { return }
      try hooks.report(
        .feedMoved,
        .moved(connection.existingFeed(id), from: former.url),
        at: Timestamp(seconds: Int64(time(nil))),
        sequence: connection.add(1, to: .sequence),
        connection
      )
    }
  }

  /// Inserts a feed at the end of the user's order. The caller has checked that its URL is new.
  static func insert(
    _ feed: NewFeed,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) -> Feed {
    let id = Feed.ID(rawValue: try connection.add(1, to: .feed))
    try connection.query(
      """
      INSERT INTO feeds (id, url, user_title, site_url, folder, settings, added, position)
      VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT coalesce(max(position), 0) + 1 FROM feeds))
      """,
      id.rawValue,
      feed.url,
      feed.title.flatMap { $0.isEmpty ? nil : $0 },
      feed.siteURL,
      feed.folder.flatMap(FolderPath.cleaned),
      try connection.inherited(feed.settings, folder: feed.folder).storedText,
      time
    )
    try connection.noteChange(of: id)
    try connection.add(1, to: .feedList)
    return try connection.existingFeed(id)
  }

  /// Throws if a saved search has this name: `--feed` accepts both, and the search would hide the feed.
  private static func refuseNameOfSearch(_ title: String, _ connection: Connection) throws(StoreError) {
    guard try connection.savedQuery(title) == nil else { throw FeedRefusal.hasNameOfSearch(title) }
  }
}

extension PostgresStore: FeedChangeReading {
  public func feedChanges(after sequence: Int64, limit: Int) async throws(StoreError) -> [FeedChange] {
    try await read { (connection) throws(StoreError) in
      let rows = try connection.query(
        "SELECT feed, sequence, url FROM feed_changes WHERE sequence > $1 ORDER BY sequence LIMIT $2",
        sequence,
        max(limit, 0)
      )
      var changes: [FeedChange] = []
      for row in rows {
        let id = Feed.ID(rawValue: row.int64(0))
        let feed = try connection.feed(id)
        let url = feed?.url ?? row.optionalString(2) ?? ""
        changes.append(FeedChange(sequence: row.int64(1), feedID: id, url: url, feed: feed))
      }
      return changes
    }
  }
}

extension PostgresStore: FeedIdentityKeeping {
  public func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity {
    try await read { (connection) throws(StoreError) in
      let chosen = try connection.existingFeed(id).settings.identity
      let present = try connection.query("SELECT identity FROM feeds WHERE id = $1", id.rawValue).first?
        .optionalString(0)
      return FeedIdentity(
        policy: chosen ?? present ?? IdentityPolicy.guid.rawValue,
        isChosenByUser: chosen != nil
      )
    }
  }

  public func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError) {
    if let policy, IdentityPolicy(rawValue: policy) == nil { throw IdentityPolicy.unknown(policy) }
    try await write { (connection) throws(StoreError) in
      var settings = try connection.existingFeed(id).settings
      settings.identity = policy
      try connection.query("UPDATE feeds SET settings = $1 WHERE id = $2", settings.storedText, id.rawValue)
    }
  }
}

extension PostgresStore: PollPlanKeeping {
  public func rescheduleAll(within bounds: ClosedRange<Int64>) async throws(StoreError) {
    // Check with a reader first: usually no write transaction is needed.
    let isNeeded = try await read { (connection) throws(StoreError) in
      try !Self.plansOutside(bounds, connection).isEmpty
    }
    guard isNeeded else { return }
    try await write { (connection) throws(StoreError) in
      try connection.plan(Self.plansOutside(bounds, connection))
      try connection.add(1, to: .feedList)
    }
  }

  /// Returns the feeds whose next poll is outside their interval limits, with the corrected state.
  private static func plansOutside(
    _ bounds: ClosedRange<Int64>,
    _ connection: Connection
  ) throws(StoreError) -> [(id: Feed.ID, state: FetchState)] {
    // Read every feed with settings, because it may have its own limits.
    let rows = try connection.query(
      """
      SELECT \(FeedRow.columns) FROM feeds WHERE failures = 0 AND (settings IS NOT NULL
        OR next_due < last_fetched + $1::bigint OR next_due > last_fetched + $2::bigint)
      """,
      bounds.lowerBound,
      bounds.upperBound
    )
    var plans: [(id: Feed.ID, state: FetchState)] = []
    for row in rows {
      let feed = FeedRow.feed(row)
      let state = feed.fetchState.rescheduled(within: feed.settings.intervals(bounds))
      if state != feed.fetchState { plans.append((feed.id, state)) }
    }
    return plans
  }
}
