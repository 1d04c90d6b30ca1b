public import NewsCore

extension PostgresStore: SavedSearchKeeping {
  public func savedSearches() async throws(StoreError) -> [SavedSearch] {
    try await read { (connection) throws(StoreError) in
      try connection.query("SELECT name, query FROM saved_searches ORDER BY number").map {
        SavedSearch(name: $0.string(0), query: $0.string(1))
      }
    }
  }

  public func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        "SELECT name, query FROM saved_searches WHERE lower(name) = lower($1 COLLATE \"C\")",
        name
      ).first.map { SavedSearch(name: $0.string(0), query: $0.string(1)) }
    }
  }

  public func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) {
    guard !search.name.isEmpty else {
      throw StoreError(code: .badQuery, message: "a saved search needs a name")
    }
    let query = try QueryExpansion.read(search.query, now: time)
    try await write { (connection) throws(StoreError) in
      let folded = search.name.lowercased()
      let feed = try connection.feedNames().first {
        $0.folded == folded || $0.url == search.name || String($0.id.rawValue) == search.name
      }
      if let feed { throw SearchRefusal.hasNameOfFeed(search.name, feed) }
      try connection.query(
        """
        INSERT INTO saved_searches (number, name, query)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM saved_searches), $1, $2)
        ON CONFLICT (lower(name)) DO UPDATE SET name = excluded.name, query = excluded.query
        """,
        search.name,
        search.query
      )
      // Throws for unknown names and for circular references; the error rolls the change back.
      _ = try QueryExpansion.expand(query) { (name) throws(StoreError) in try connection.savedQuery(name) }
    }
  }

  public func removeSavedSearch(named name: String) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      let users = try connection.query(
        """
        SELECT 'rule ' || number, query FROM rules
        UNION ALL SELECT 'the search "' || name || '"', query FROM saved_searches
          WHERE lower(name) <> lower($1 COLLATE "C")
        """,
        name
      )
      for user in users {
        guard let query = try? QueryExpansion.read(user.string(1)), query.names(search: name) else {
          continue
        }
        throw SearchRefusal.isNamed(name, by: user.string(0))
      }
      return try !connection.query(
        "DELETE FROM saved_searches WHERE lower(name) = lower($1 COLLATE \"C\") RETURNING 1",
        name
      ).isEmpty
    }
  }
}

extension PostgresStore: SearchHistoryKeeping {
  public func recentSearches(limit: Int) async throws(StoreError) -> [String] {
    try await read { (connection) throws(StoreError) in
      try connection.query("SELECT query FROM searches ORDER BY number DESC LIMIT $1", max(limit, 0)).map {
        $0.string(0)
      }
    }
  }

  public func remember(search query: String, at time: Timestamp) async {
    guard query.contains(where: { !$0.isWhitespace }) else { return }
    // Ignore a failure to record the search: it has already been answered.
    try? await maintain { (connection) throws(StoreError) in
      try connection.execute("BEGIN; SET LOCAL lock_timeout = '4ms'; SET LOCAL synchronous_commit = off")
      do throws(StoreError) {
        try connection.execute("LOCK TABLE searches IN SHARE ROW EXCLUSIVE MODE")
        try connection.query("DELETE FROM searches WHERE query = $1", query)
        try connection.query(
          """
          INSERT INTO searches (number, query, time)
          VALUES ((SELECT coalesce(max(number), 0) + 1 FROM searches), $1, $2)
          """,
          query,
          time
        )
        // Keep the newest 500.
        try connection.execute(
          "DELETE FROM searches WHERE number <= (SELECT max(number) FROM searches) - 500"
        )
        try connection.execute("COMMIT")
      } catch {
        if connection.isAlive { try? connection.execute("ROLLBACK") }
        throw error
      }
    }
  }
}

extension PostgresStore: RuleKeeping {
  public func rules() async throws(StoreError) -> [Rule] {
    try await read { (connection) throws(StoreError) in
      try connection.query("SELECT number, query, action FROM rules ORDER BY number").compactMap { row in
        [RuleAction](stored: row.string(2)).map {
          Rule(number: row.int(0), query: row.string(1), actions: $0)
        }
      }
    }
  }

  public func addRule(
    _ query: String,
    do actions: [RuleAction],
    at time: Timestamp
  ) async throws(StoreError) -> Rule {
    let parsed = try RuleCheck.read(query, at: time)
    return try await write { (connection) throws(StoreError) in
      try RuleCheck.compile(parsed) { (name) throws(StoreError) in try connection.savedQuery(name) }
      let number = try connection.integer(
        """
        INSERT INTO rules (number, query, action)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM rules), $1, $2) RETURNING number
        """,
        query,
        actions.storedText
      )
      return Rule(number: Int(number ?? 0), query: query, actions: actions)
    }
  }

  public func removeRule(_ number: Int) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      let removed = try connection.query("DELETE FROM rules WHERE number = $1 RETURNING 1", number)
      guard !removed.isEmpty else { return false }
      // Renumber through negative values: a direct update would violate the primary key.
      try connection.query("UPDATE rules SET number = -number + 1 WHERE number > $1", number)
      try connection.execute("UPDATE rules SET number = -number WHERE number < 0")
      return true
    }
  }
}
