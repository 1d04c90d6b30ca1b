public import NewsCore

extension NewsStore: SavedSearchKeeping {
  public func savedSearches() async throws(StoreError) -> [SavedSearch] {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare("SELECT name, query FROM saved_searches ORDER BY number")
      var searches: [SavedSearch] = []
      while try statement.step() {
        searches.append(SavedSearch(name: statement.string(0), query: statement.string(1)))
      }
      return searches
    }
  }

  public func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare("SELECT name, query FROM saved_searches WHERE name = ?")
      try statement.bind(1, name)
      return try statement.step() ? SavedSearch(name: statement.string(0), query: statement.string(1)) : nil
    }
  }

  public func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) {
    guard !search.name.isEmpty else {
      throw StoreError(code: .badQuery, message: "a saved search needs a name")
    }
    let query = try QueryExpansion.read(search.query, now: time)
    try await write { (connection) throws(StoreError) in
      try Self.refuseNameOfFeed(search.name, connection)
      let statement = try connection.prepare(
        """
        INSERT INTO saved_searches (number, name, query)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM saved_searches), ?1, ?2)
        ON CONFLICT (name) DO UPDATE SET name = ?1, query = ?2
        """
      )
      try statement.bind(1, search.name)
      try statement.bind(2, search.query)
      try statement.run()
      // Throws for unknown names and for circular references; the error rolls the change back.
      _ = try QueryExpansion.expand(query, saved: connection.savedQuery)
    }
  }

  /// Throws if a feed has this name: `--feed` accepts feeds and saved searches, and the name would be ambiguous.
  private static func refuseNameOfFeed(_ name: String, _ connection: Connection) throws(StoreError) {
    let folded = name.lowercased()
    let feed = try FeedName.all(connection).first {
      $0.folded == folded || $0.url == name || String($0.id.rawValue) == name
    }
    guard let feed else { return }
    throw SearchRefusal.hasNameOfFeed(name, feed)
  }

  /// Throws if a rule or another search refers to `name`; it would match nothing after the removal.
  private static func refuseIfNamed(_ name: String, _ connection: Connection) throws(StoreError) {
    let users = try connection.prepare(
      """
      SELECT 'rule ' || number, query FROM rules
      UNION ALL SELECT 'the search "' || name || '"', query FROM saved_searches WHERE name <> ?
      """
    )
    try users.bind(1, name)
    while try users.step() {
      guard let query = try? QueryExpansion.read(users.string(1)), query.names(search: name) else { continue }
      throw SearchRefusal.isNamed(name, by: users.string(0))
    }
  }

  public func removeSavedSearch(named name: String) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      try Self.refuseIfNamed(name, connection)
      let statement = try connection.prepare("DELETE FROM saved_searches WHERE name = ? RETURNING 1")
      try statement.bind(1, name)
      return try statement.step()
    }
  }
}
