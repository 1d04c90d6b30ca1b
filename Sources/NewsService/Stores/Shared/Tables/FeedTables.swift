package import NewsCore
import Glibc

// The table of feeds, and their entries in the change log.

extension StoreSession {
  package func feed(_ id: Feed.ID) throws(StoreError) -> Feed? {
    try rows("SELECT \(FeedRow.columns) FROM feeds WHERE id = $1", id) { FeedRow.feed($0) }.first
  }

  /// Returns a feed. Throws `noSuchFeed` if it does not exist.
  package func existingFeed(_ id: Feed.ID) throws(StoreError) -> Feed {
    guard let feed = try feed(id) else { throw FeedRefusal.missing(id) }
    return feed
  }

  package func feedNames() throws(StoreError) -> [FeedName] {
    try rows("SELECT id, coalesce(user_title, own_title, url), url FROM feeds ORDER BY position") {
      FeedName(id: Feed.ID(rawValue: $0.int64(0)), title: $0.string(1), url: $0.string(2))
    }
  }

  /// Inserts a feed at the end of the user's order. The caller must have checked that its URL is new.
  package func insert(_ feed: NewFeed, at time: Timestamp) throws(StoreError) -> Feed {
    let feeds = try insert([feed], at: time)
    return feeds[0]
  }

  /// Inserts feeds at the end of the user's order. The caller must have checked that their URLs are new.
  ///
  /// Takes the numbers of all feeds at once, so that the time grows with their number only: every change of a counter
  /// within one transaction leaves a version of its row that the next change must skip.
  package func insert(_ feeds: [NewFeed], at time: Timestamp) throws(StoreError) -> [Feed] {
    try refuseAboveQuota(adding: feeds.count)
    try refuseAboveQuota()
    let count = Int64(feeds.count)
    let firstID = try add(count, to: .feed) - count + 1
    let firstChange = try add(count, to: .sequence) - count + 1
    let lastPosition = Counter.clamped(try number("SELECT max(position) FROM feeds") ?? 0)
    var ofFolders: [String: FeedSettings] = [:]
    for (feed, offset) in zip(feeds, 0..<count) {
      // A page may name a longer address for its feed than a person may type.
      guard feed.url.utf8.count <= TypedAddress.longest else { throw FeedRefusal.tooLong }
      try GivenName.check(feed.title, of: "a feed")
      try GivenName.check(feed.folder, of: "a folder")
      var settings = feed.settings
      if let folder = feed.folder {
        if ofFolders[folder] == nil { ofFolders[folder] = try inherited(FeedSettings(), folder: folder) }
        settings.takeArticle(from: ofFolders[folder] ?? FeedSettings())
      }
      try run(
        """
        INSERT INTO feeds (id, url, user_title, site_url, folder, settings, added, position)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        firstID + offset,
        feed.url,
        feed.title.flatMap { $0.isEmpty ? nil : $0 },
        feed.siteURL.flatMap { $0.utf8.count <= TypedAddress.longest ? $0 : nil },
        feed.folder.flatMap(FolderPath.cleaned),
        settings.storedText,
        time,
        lastPosition + 1 + offset
      )
      try noteChange(of: Feed.ID(rawValue: firstID + offset), sequence: firstChange + offset)
    }
    try add(1, to: .feedList)
    return try rows("SELECT \(FeedRow.columns) FROM feeds WHERE id >= $1 ORDER BY id", firstID) {
      (row) throws(StoreError) in FeedRow.feed(row)
    }
  }

  /// Removes a feed that has no items any more.
  package func remove(_ feed: Feed) throws(StoreError) {
    try run("DELETE FROM feeds WHERE id = $1", feed.id)
    try noteChange(of: feed.id)
    try run("UPDATE feed_changes SET url = $1 WHERE feed = $2", feed.url, feed.id)
    for table in ["hub_subscriptions", "feed_icons"] {
      try run("DELETE FROM \(table) WHERE feed = $1", feed.id)
    }
    try run("UPDATE feeds SET position = position - 1 WHERE position > $1", feed.position)
    try add(1, to: .feedList)
  }

  /// Logs the addition, change or removal of a feed under the next sequence number.
  package func noteChange(of feed: Feed.ID) throws(StoreError) {
    try noteChange(of: feed, sequence: add(1, to: .sequence))
  }

  package func noteChange(of feed: Feed.ID, sequence: Int64) throws(StoreError) {
    try run(
      """
      INSERT INTO feed_changes (feed, sequence) VALUES ($1, $2)
      ON CONFLICT (feed) DO UPDATE SET sequence = excluded.sequence
      """,
      feed,
      sequence
    )
    try notify()
  }

  /// Stores the time of the next poll of each feed, taken from its state.
  func plan(_ plans: [(id: Feed.ID, state: FetchState)]) throws(StoreError) {
    for (id, state) in plans {
      try run(
        "UPDATE feeds SET next_due = $1, next_due_reason = $2 WHERE id = $3",
        state.nextDue,
        state.nextDueReason?.description,
        id
      )
    }
  }

  /// Returns the feeds whose next poll is outside their interval limits, each with the corrected state.
  fileprivate func plansOutside(
    _ bounds: ClosedRange<Int64>
  ) throws(StoreError) -> [(id: Feed.ID, state: FetchState)] {
    // Read all feeds that have settings, because each may have its own limits.
    try rows(
      """
      SELECT \(FeedRow.columns) FROM feeds WHERE failures = 0 AND (settings IS NOT NULL
        OR next_due < last_fetched + $1 OR next_due > last_fetched + $2)
      """,
      bounds.lowerBound,
      bounds.upperBound
    ) { (row) throws(StoreError) -> (id: Feed.ID, state: FetchState)? in
      let feed = FeedRow.feed(row)
      let state = feed.fetchState.rescheduled(within: feed.settings.intervals(bounds))
      return state == feed.fetchState ? nil : (feed.id, state)
    }.compactMap { $0 }
  }

  fileprivate func feeds(_ window: FeedWindow) throws(StoreError) -> [Feed] {
    if case .feed(let id) = window.subset { return try [feed(id)].compactMap { $0 } }
    let clauses =
      switch window.subset {
      case .all: "ORDER BY position, id"
      case .unreadOrFailing: "WHERE unread > 0 OR \(FeedRow.isFailing) ORDER BY position, id"
      case .failing: "WHERE \(FeedRow.isFailing) ORDER BY failures DESC, position, id"
      case .feed: ""
      }
    return try rows(
      "SELECT \(FeedRow.columns) FROM feeds \(clauses) LIMIT $1 OFFSET $2",
      window.places.count,
      window.places.lowerBound
    ) { FeedRow.feed($0) }
  }

  /// Throws if a saved search has this name: `--feed` accepts both, and the search would hide the feed.
  fileprivate func refuseNameOfSearch(_ title: String) throws(StoreError) {
    guard try savedQuery(title) == nil else { throw FeedRefusal.hasNameOfSearch(title) }
  }
}

extension StoreSession {
  func feeds() throws(StoreError) -> [Feed] {
    try rows("SELECT \(FeedRow.columns) FROM feeds ORDER BY position, id") { FeedRow.feed($0) }
  }

  /// Returns the feeds that exist, by id.
  func feeds(_ ids: Set<Feed.ID>) throws(StoreError) -> [Feed.ID: Feed] {
    guard !ids.isEmpty else { return [:] }
    let found = try rows(
      "SELECT \(FeedRow.columns) FROM feeds WHERE id \(Self.isOne(of: "$1"))",
      StoreValue.integers(ids.map(\.rawValue))
    ) { FeedRow.feed($0) }
    return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
  }
}

extension TableStore {
  package func feeds() async throws(StoreError) -> [Feed] {
    try await snapshot { (session) throws(StoreError) in try session.feeds() }
  }

  package func feeds(
    _ window: FeedWindow
  ) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
    try await snapshot { (session) throws(StoreError) in
      let feeds = try session.feeds(window)
      let count = Int(try session.number("SELECT count(*) FROM feeds") ?? 0)
      let matching: Int =
        switch window.subset {
        case .all: count
        case .failing: Int(try session.number("SELECT count(*) FROM feeds WHERE \(FeedRow.isFailing)") ?? 0)
        case .unreadOrFailing, .feed: feeds.count
        }
      // The number beside "Unread", which leaves out hidden feeds.
      let hidden =
        try session.number(
          "SELECT CAST(sum(unread) AS bigint) FROM feeds WHERE \(FeedSettings.hiddenCondition)"
        ) ?? 0
      let unread = Int(try session.value(of: .unread)) - Int(Counter.clamped(hidden))
      return (feeds, FeedWindow.Totals(matching: matching, feeds: count, unread: unread))
    }
  }

  package func hiddenFeeds() async throws(StoreError) -> [Feed.ID] {
    try await snapshot { (session) throws(StoreError) in
      try session.rows("SELECT id FROM feeds WHERE \(FeedSettings.hiddenCondition) ORDER BY id") {
        Feed.ID(rawValue: $0.int64(0))
      }
    }
  }

  package func itemCounts(
    since time: Timestamp
  ) async throws(StoreError) -> [Feed.ID: (items: Int, read: Int)] {
    try await snapshot { (session) throws(StoreError) in
      // Old items of a feed that was added since do not count.
      let found = try session.rows(
        """
        SELECT feed, count(*), CAST(sum(is_read) AS bigint) FROM items
        WHERE stored >= $1 AND coalesce(published, stored) >= $1 GROUP BY feed
        """,
        time
      ) { (Feed.ID(rawValue: $0.int64(0)), (items: Int($0.int64(1)), read: Int($0.int64(2)))) }
      return Dictionary(found) { first, _ in first }
    }
  }

  package func newestTimes() async throws(StoreError) -> [Feed.ID: Timestamp] {
    try await snapshot { (session) throws(StoreError) in
      let found = try session.rows(
        """
        SELECT f.id, \(Session.sortTime) FROM feeds AS f JOIN items AS i ON i.id = (
          SELECT i.id FROM items AS i WHERE i.feed = f.id ORDER BY \(Session.newestFirst) LIMIT 1)
        WHERE f.items > 0
        """
      ) { (Feed.ID(rawValue: $0.int64(0)), Timestamp(seconds: $0.int64(1))) }
      return Dictionary(found) { first, _ in first }
    }
  }

  package func folders() async throws(StoreError) -> [String] {
    try await snapshot { (session) throws(StoreError) in
      // Neither database skips along an index for DISTINCT. With 100,000 feeds, that takes 30 ms instead of 0.2 ms.
      try session.rows(
        """
        WITH RECURSIVE found (folder) AS (
          SELECT min(folder) FROM feeds
          UNION ALL
          SELECT (SELECT min(f.folder) FROM feeds AS f WHERE f.folder > found.folder) FROM found
          WHERE found.folder IS NOT NULL)
        SELECT folder FROM found WHERE folder IS NOT NULL
        """
      ) { $0.string(0) }
    }
  }

  package func feed(named name: String) async throws(StoreError) -> Feed {
    try await snapshot { (session) throws(StoreError) in
      if let number = Int64(name), let feed = try session.feed(Feed.ID(rawValue: number)) { return feed }
      if let feed = try session.feed(url: name) { return feed }
      return try session.existingFeed(FeedName.choose(name, among: session.feedNames()))
    }
  }
}

extension TableStore {
  package func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed {
    try await transaction { (session) throws(StoreError) in
      if let existing = try session.feed(url: feed.url) { throw FeedRefusal.duplicate(feed.url, existing) }
      if let title = feed.title { try session.refuseNameOfSearch(title) }
      return try session.insert(feed, at: time)
    }
  }

  package func add(
    _ feeds: [NewFeed],
    at time: Timestamp
  ) async throws(StoreError) -> (added: [Feed], duplicates: [NewFeed]) {
    try await transaction { (session) throws(StoreError) in
      // By their bytes, as in the index: addresses that only look the same are two.
      var known = Set(
        try session.rows("SELECT url FROM feeds") { (row) throws(StoreError) in Array(row.string(0).utf8) }
      )
      var new: [NewFeed] = []
      var duplicates: [NewFeed] = []
      for feed in feeds {
        if known.insert(Array(feed.url.utf8)).inserted { new.append(feed) } else { duplicates.append(feed) }
      }
      return (new.isEmpty ? [] : try session.insert(new, at: time), duplicates)
    }
  }

  package func rename(_ id: Feed.ID, to title: String) async throws(StoreError) {
    try GivenName.check(title, of: "a feed")
    try await transaction { (session) throws(StoreError) in
      _ = try session.existingFeed(id)
      try session.refuseNameOfSearch(title)
      // An empty name restores the feed's own title.
      try session.run("UPDATE feeds SET user_title = $1 WHERE id = $2", title.isEmpty ? nil : title, id)
      try session.noteChange(of: id)
    }
  }

  package func move(_ id: Feed.ID, to position: Int) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      let feed = try session.existingFeed(id)
      let last = Int(Counter.clamped(try session.number("SELECT max(position) FROM feeds") ?? 1))
      let target = min(max(position, 1), last)
      let shift =
        target < feed.position
        ? "UPDATE feeds SET position = position + 1 WHERE position >= $1 AND position < $2"
        : "UPDATE feeds SET position = position - 1 WHERE position > $2 AND position <= $1"
      try session.run(shift, target, feed.position)
      try session.run("UPDATE feeds SET position = $1 WHERE id = $2", target, id)
    }
  }

  package func arrange(_ ids: [Feed.ID]) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      let known = try session.feeds(Set(ids))
      let feeds = ids.compactMap { known[$0] }
      for (feed, position) in zip(feeds, feeds.map(\.position).sorted()) where feed.position != position {
        try session.run("UPDATE feeds SET position = $1 WHERE id = $2", position, feed.id)
      }
    }
  }

  package func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {
    try GivenName.check(folder, of: "a folder")
    try await transaction { (session) throws(StoreError) in
      let feed = try session.existingFeed(id)
      let settings = try session.inherited(feed.settings, folder: folder)
      try session.run(
        "UPDATE feeds SET folder = $1, settings = $2 WHERE id = $3",
        folder.flatMap(FolderPath.cleaned),
        settings.storedText,
        id
      )
      try session.noteChange(of: id)
    }
  }

  package func update(
    _ id: Feed.ID,
    settings: FeedSettings,
    general: ClosedRange<Int64>
  ) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      let feed = try session.existingFeed(id)
      try session.run("UPDATE feeds SET settings = $1 WHERE id = $2", settings.storedText, id)
      if feed.settings.encoding != settings.encoding {
        // The new encoding decodes the same bytes differently: drop the validators and the body hash, so that the
        // document is fetched again.
        try session.run(
          "UPDATE feeds SET etag = NULL, last_modified = NULL, validated_url = NULL, body_hash = NULL WHERE id = $1",
          id
        )
      }
      let state = feed.fetchState.rescheduled(for: settings, replacing: feed.settings, general: general)
      if state != feed.fetchState { try session.plan([(id, state)]) }
      if state != feed.fetchState || settings.credential != feed.settings.credential {
        try session.add(1, to: .feedList)
      }
    }
  }

  package func update(_ id: Feed.ID, url: String) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      let former = try session.existingFeed(id)
      if let other = try session.feed(url: url) {
        guard other.id != id else { return }
        throw FeedRefusal.duplicate(url, other)
      }
      try session.run("UPDATE feeds SET url = $1 WHERE id = $2", url, id)
      try session.noteChange(of: id)
      try session.add(1, to: .feedList)
      let hooks = try HookBook(session)
      guard !hooks.isEmpty else { return }
      let feed = try session.existingFeed(id)
      let sequence = try session.add(1, to: .sequence)
      let now = try session.currentTime()
      try hooks.report(.feedMoved, .moved(feed, from: former.url), at: now, sequence: sequence, session)
    }
  }
}

extension TableStore {
  package func feedChanges(after sequence: Int64, limit: Int) async throws(StoreError) -> [FeedChange] {
    try await snapshot { (session) throws(StoreError) in
      try session.rows(
        "SELECT feed, sequence, url FROM feed_changes WHERE sequence > $1 ORDER BY sequence LIMIT $2",
        sequence,
        max(limit, 0)
      ) { (row) throws(StoreError) in
        let id = Feed.ID(rawValue: row.int64(0))
        let feed = try session.feed(id)
        let url = feed?.url ?? row.optionalString(2) ?? ""
        return FeedChange(sequence: row.int64(1), feedID: id, url: url, feed: feed)
      }
    }
  }
}

extension TableStore {
  package func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity {
    try await snapshot { (session) throws(StoreError) in
      let chosen = try session.existingFeed(id).settings.identity
      let present =
        try session.rows("SELECT identity FROM feeds WHERE id = $1", id) { $0.optionalString(0) }.first ?? nil
      return FeedIdentity(
        policy: chosen ?? present ?? IdentityPolicy.guid.rawValue,
        isChosenByUser: chosen != nil
      )
    }
  }

  package func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError) {
    if let policy, IdentityPolicy(rawValue: policy) == nil { throw IdentityPolicy.unknown(policy) }
    try await transaction { (session) throws(StoreError) in
      var settings = try session.existingFeed(id).settings
      settings.identity = policy
      try session.run("UPDATE feeds SET settings = $1 WHERE id = $2", settings.storedText, id)
    }
  }
}

extension TableStore {
  package func rescheduleAll(within bounds: ClosedRange<Int64>) async throws(StoreError) {
    // Check with a reader first: usually no write transaction is needed.
    let isNeeded = try await snapshot { (session) throws(StoreError) in
      try !session.plansOutside(bounds).isEmpty
    }
    guard isNeeded else { return }
    try await transaction { (session) throws(StoreError) in
      try session.plan(session.plansOutside(bounds))
      try session.add(1, to: .feedList)
    }
  }
}
