import Glibc
public import NewsCore

extension NewsStore: FeedEditing {
  public func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed {
    try await write { (connection) throws(StoreError) in
      if let existing = try Self.feed(url: feed.url, connection) {
        throw FeedRefusal.duplicate(feed.url, existing)
      }
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
        if try Self.feed(url: feed.url, connection) != nil {
          duplicates.append(feed)
        } else {
          added.append(try Self.insert(feed, at: time, connection))
        }
      }
      return (added, duplicates)
    }
  }

  /// Maximum number of items of a removed feed that one transaction removes.
  private static let removedItems: Int64 = 500

  public func remove(_ id: Feed.ID) async throws(StoreError) {
    while try await items(of: id) > Self.removedItems {
      try await write { (connection) throws(StoreError) in
        var remover = try ItemRemover(connection)
        try remover.removeOldest(Int(Self.removedItems), of: id)
        try remover.finish()
      }
      // Other processes retry the lock every few milliseconds. Without a pause, they would always find it held.
      usleep(20_000)
    }
    try await write { (connection) throws(StoreError) in
      let feed = try Self.existingFeed(id, connection)
      var remover = try ItemRemover(connection)
      try remover.removeAll(of: id)
      try remover.finish()
      let remove = try connection.prepare("DELETE FROM feeds WHERE id = ?")
      try remove.bind(1, id.rawValue)
      try remove.run()
      try FeedLog.noteRemoval(of: feed, connection)
      try ItemTags.forgetUnused(connection)
      let hub = try connection.prepare("DELETE FROM hub_subscriptions WHERE feed = ?")
      try hub.bind(1, id.rawValue)
      try hub.run()
      let others = try connection.prepare("UPDATE feeds SET position = position - 1 WHERE position > ?")
      try others.bind(1, feed.position)
      try others.run()
      try Counter.feedList.add(1, connection)
    }
  }

  private func items(of id: Feed.ID) async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in
      try connection.integer("SELECT items FROM feeds WHERE id = \(id.rawValue)") ?? 0
    }
  }

  public func rename(_ id: Feed.ID, to title: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      _ = try Self.existingFeed(id, connection)
      try Self.refuseNameOfSearch(title, connection)
      let statement = try connection.prepare("UPDATE feeds SET user_title = ? WHERE id = ?")
      // An empty name restores the feed's own title.
      try statement.bind(1, title.isEmpty ? nil : title)
      try statement.bind(2, id.rawValue)
      try statement.run()
      try FeedLog.note(id, connection)
    }
  }

  public func move(_ id: Feed.ID, to position: Int) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try Self.existingFeed(id, connection)
      let last = Int(try connection.integer("SELECT max(position) FROM feeds") ?? 1)
      let target = min(max(position, 1), last)
      let shift =
        target < feed.position
        ? "UPDATE feeds SET position = position + 1 WHERE position >= ?1 AND position < ?2"
        : "UPDATE feeds SET position = position - 1 WHERE position > ?2 AND position <= ?1"
      let others = try connection.prepare(shift)
      try others.bind(1, target)
      try others.bind(2, feed.position)
      try others.run()
      let own = try connection.prepare("UPDATE feeds SET position = ? WHERE id = ?")
      try own.bind(1, target)
      try own.bind(2, id.rawValue)
      try own.run()
    }
  }

  public func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try Self.existingFeed(id, connection)
      let settings = try Self.inherited(feed.settings, folder: folder, connection)
      let statement = try connection.prepare("UPDATE feeds SET folder = ?, settings = ? WHERE id = ?")
      try statement.bind(1, folder.flatMap(FolderPath.cleaned))
      try statement.bind(2, settings.storedText)
      try statement.bind(3, id.rawValue)
      try statement.run()
      try FeedLog.note(id, connection)
    }
  }

  public func update(
    _ id: Feed.ID,
    settings: FeedSettings,
    general: ClosedRange<Int64>
  ) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try Self.existingFeed(id, connection)
      let statement = try connection.prepare("UPDATE feeds SET settings = ? WHERE id = ?")
      try statement.bind(1, settings.storedText)
      try statement.bind(2, id.rawValue)
      try statement.run()
      if feed.settings.encoding != settings.encoding {
        // The new encoding gives other text for the same bytes: drop the validators and the body hash to force a fetch.
        let forget = try connection.prepare(
          "UPDATE feeds SET etag = NULL, last_modified = NULL, validated_url = NULL, body_hash = NULL WHERE id = ?"
        )
        try forget.bind(1, id.rawValue)
        try forget.run()
      }
      let state = feed.fetchState.rescheduled(for: settings, replacing: feed.settings, general: general)
      if state != feed.fetchState { try Self.plan([(id, state)], connection) }
      if state != feed.fetchState || settings.credential != feed.settings.credential {
        try Counter.feedList.add(1, connection)
      }
    }
  }

  public func update(_ id: Feed.ID, url: String) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let former = try Self.existingFeed(id, connection)
      if let other = try Self.feed(url: url, connection) {
        guard other.id != id else { return }
        throw FeedRefusal.duplicate(url, other)
      }
      let statement = try connection.prepare("UPDATE feeds SET url = ? WHERE id = ?")
      try statement.bind(1, url)
      try statement.bind(2, id.rawValue)
      try statement.run()
      try FeedLog.note(id, connection)
      try Counter.feedList.add(1, connection)
      let hooks = try HookBook(connection)
      guard !hooks.isEmpty else { return }
      let feed = try Self.existingFeed(id, connection)
      let sequence = try Counter.sequence.add(1, connection)
      let now = Timestamp(seconds: Int64(time(nil)))
      try hooks.report(.feedMoved, .moved(feed, from: former.url), at: now, sequence: sequence, connection)
    }
  }

  /// Inserts a feed at the end of the user's order. The caller has checked that its URL is new.
  static func insert(
    _ feed: NewFeed,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) -> Feed {
    let id = try Counter.feed.add(1, connection)
    let statement = try connection.prepare(
      """
      INSERT INTO feeds (id, url, user_title, site_url, folder, settings, added, position)
      VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM feeds))
      """
    )
    try statement.bind(1, id)
    try statement.bind(2, feed.url)
    try statement.bind(3, feed.title.flatMap { $0.isEmpty ? nil : $0 })
    try statement.bind(4, feed.siteURL)
    try statement.bind(5, feed.folder.flatMap(FolderPath.cleaned))
    try statement.bind(6, try inherited(feed.settings, folder: feed.folder, connection).storedText)
    try statement.bind(7, time)
    try statement.run()
    try FeedLog.note(Feed.ID(rawValue: id), connection)
    try Counter.feedList.add(1, connection)
    return try existingFeed(Feed.ID(rawValue: id), connection)
  }

  /// Throws if a saved search has this name: `--feed` accepts both, and the search would hide the feed.
  private static func refuseNameOfSearch(_ title: String, _ connection: Connection) throws(StoreError) {
    let search = try connection.prepare("SELECT name FROM saved_searches WHERE name = ?")
    try search.bind(1, title)
    guard try search.step() else { return }
    throw FeedRefusal.hasNameOfSearch(title)
  }
}
