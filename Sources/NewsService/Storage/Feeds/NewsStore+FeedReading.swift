public import NewsCore

extension NewsStore: FeedReading {
  public func feeds() async throws(StoreError) -> [Feed] {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare("SELECT \(FeedRow.columns) FROM feeds ORDER BY position, id")
      var feeds: [Feed] = []
      while try statement.step() { feeds.append(FeedRow.feed(statement)) }
      return feeds
    }
  }

  public func feed(named name: String) async throws(StoreError) -> Feed {
    try await read { (connection) throws(StoreError) in
      if let number = Int64(name), let feed = try Self.feed(Feed.ID(rawValue: number), connection) {
        return feed
      }
      if let feed = try Self.feed(url: name, connection) { return feed }
      let id = try FeedName.choose(name, among: FeedName.all(connection))
      return try Self.existingFeed(id, connection)
    }
  }

  static func feed(_ id: Feed.ID, _ connection: Connection) throws(StoreError) -> Feed? {
    let statement = try connection.prepare("SELECT \(FeedRow.columns) FROM feeds WHERE id = ?")
    try statement.bind(1, id.rawValue)
    return try statement.step() ? FeedRow.feed(statement) : nil
  }

  static func feed(url: String, _ connection: Connection) throws(StoreError) -> Feed? {
    let statement = try connection.prepare("SELECT \(FeedRow.columns) FROM feeds WHERE url = ?")
    try statement.bind(1, url)
    return try statement.step() ? FeedRow.feed(statement) : nil
  }

  /// Throws `noSuchFeed` if the feed does not exist.
  static func existingFeed(_ id: Feed.ID, _ connection: Connection) throws(StoreError) -> Feed {
    guard let feed = try feed(id, connection) else { throw FeedRefusal.missing(id) }
    return feed
  }
}

extension FeedName {
  static func all(_ connection: Connection) throws(StoreError) -> [FeedName] {
    let statement = try connection.prepare(
      "SELECT id, coalesce(user_title, own_title, url), url FROM feeds ORDER BY position"
    )
    var names: [FeedName] = []
    while try statement.step() {
      let title = statement.string(1)
      names.append(
        FeedName(
          id: Feed.ID(rawValue: statement.int64(0)),
          title: title,
          url: statement.string(2)
        )
      )
    }
    return names
  }
}
