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
      let names = try FeedName.all(connection)
      let wanted = name.lowercased()
      var found = names.filter { $0.folded == wanted }
      // Do not search for a number within titles: it is probably the id of a feed that was just removed.
      if found.isEmpty, !wanted.isEmpty, Int64(name) == nil {
        found = names.filter { $0.folded.contains(wanted) }
      }
      if found.count == 1, let feed = try Self.feed(found[0].id, connection) { return feed }
      guard found.isEmpty else {
        let list = found.prefix(5).map { "\($0.id.rawValue) (\($0.title))" }.joined(separator: ", ")
        let rest = found.count > 5 ? " and \(found.count - 5) more" : ""
        throw StoreError(
          code: .ambiguousFeed,
          message: "\(found.count) feeds fit \"\(name)\": \(list)\(rest)"
        )
      }
      let near = FeedName.nearest(to: wanted, in: names)
      let hint =
        near.isEmpty
        ? "" : "; near: " + near.map { "\($0.id.rawValue) (\($0.title))" }.joined(separator: ", ")
      throw StoreError(code: .noSuchFeed, message: "no feed is called \"\(name)\"\(hint)")
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
    guard let feed = try feed(id, connection) else {
      throw StoreError(code: .noSuchFeed, message: "there is no feed \(id.rawValue)")
    }
    return feed
  }
}

/// The names by which commands accept a feed.
struct FeedName {
  var id: Feed.ID
  var title: String
  var url: String
  /// The title in lower case.
  var folded: String

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
          url: statement.string(2),
          folded: title.lowercased()
        )
      )
    }
    return names
  }

  /// Returns up to three feeds whose titles share the most byte pairs with `wanted`.
  static func nearest(to wanted: String, in names: [FeedName]) -> [FeedName] {
    func pairs(_ text: String) -> Set<UInt16> {
      let bytes = Array(text.utf8)
      return Set(zip(bytes, bytes.dropFirst()).map { UInt16($0) << 8 | UInt16($1) })
    }
    let target = pairs(wanted.lowercased())
    guard !target.isEmpty else { return [] }
    return names.map { name -> (name: FeedName, score: Double) in
      let own = pairs(name.folded)
      let shared = Double(own.intersection(target).count)
      let whole = 2 * shared / Double(own.count + target.count)
      // Also matches one misspelt word of a longer title.
      let part = target.count < 3 ? 0 : shared / Double(target.count) - 0.3
      return (name, max(whole, part))
    }
    .filter { $0.score >= 0.4 }.sorted { $0.score > $1.score }.prefix(3).map(\.name)
  }
}
