public import NewsService

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
      // Names that are not saved, and circles, show here; then nothing is kept.
      _ = try QueryExpansion.expand(query, connection)
    }
  }

  public func removeSavedSearch(named name: String) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      let statement = try connection.prepare("DELETE FROM saved_searches WHERE name = ? RETURNING 1")
      try statement.bind(1, name)
      return try statement.step()
    }
  }
}
