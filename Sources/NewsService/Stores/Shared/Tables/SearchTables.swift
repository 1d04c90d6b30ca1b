package import NewsCore
import NewsToolbox

// Saved searches and the history of searches.

extension StoreSession {
  /// Returns the text of a saved search; nil if there is none.
  package func savedQuery(_ name: String) throws(StoreError) -> String? {
    try savedSearch(named: name)?.query
  }

  func savedSearches() throws(StoreError) -> [SavedSearch] {
    try rows("SELECT name, query FROM saved_searches ORDER BY number") {
      SavedSearch(name: $0.string(0), query: $0.string(1))
    }
  }

  fileprivate func savedSearch(named name: String) throws(StoreError) -> SavedSearch? {
    try rows("SELECT name, query FROM saved_searches WHERE lower(name) = $1", name.asciiLowercased) {
      SavedSearch(name: $0.string(0), query: $0.string(1))
    }.first
  }

  /// Adds a search to the history, which keeps the newest 500 searches.
  package func remember(search query: String, at time: Timestamp) throws(StoreError) {
    try run("DELETE FROM searches WHERE query = $1", query)
    try run(
      """
      INSERT INTO searches (number, query, time)
      VALUES ((SELECT coalesce(max(number), 0) + 1 FROM searches), $1, $2)
      """,
      query,
      time
    )
    try run("DELETE FROM searches WHERE number <= (SELECT max(number) FROM searches) - 500")
  }
}

extension TableStore {
  package func savedSearches() async throws(StoreError) -> [SavedSearch] {
    try await snapshot { (session) throws(StoreError) in try session.savedSearches() }
  }

  package func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? {
    try await snapshot { (session) throws(StoreError) in try session.savedSearch(named: name) }
  }

  package func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) {
    guard !search.name.isEmpty else {
      throw StoreError(code: .badQuery, message: "a saved search needs a name")
    }
    try GivenName.check(search.name, of: "a saved search")
    let query = try QueryExpansion.read(search.query, now: time)
    try await transaction { (session) throws(StoreError) in
      try session.refuseAboveQuota()
      let folded = search.name.lowercased()
      let feed = try session.feedNames().first {
        $0.folded == folded || $0.url == search.name || String($0.id.rawValue) == search.name
      }
      if let feed { throw SearchRefusal.hasNameOfFeed(search.name, feed) }
      let former = try session.size(of: .savedSearches)
      let replaced = try session.count(
        "UPDATE saved_searches SET name = $1, query = $2 WHERE lower(name) = $3 RETURNING 1",
        search.name,
        search.query,
        search.name.asciiLowercased
      )
      if replaced == 0 {
        try session.run(
          """
          INSERT INTO saved_searches (number, name, query)
          VALUES ((SELECT coalesce(max(number), 0) + 1 FROM saved_searches), $1, $2)
          """,
          search.name,
          search.query
        )
      }
      try session.refuseExcess(of: .savedSearches, from: former)
      // Expand the query to detect unknown names and circular references; the error rolls the change back.
      _ = try QueryExpansion.expand(query) { (name) throws(StoreError) in try session.savedQuery(name) }
    }
  }

  package func removeSavedSearch(named name: String) async throws(StoreError) -> Bool {
    let folded = name.asciiLowercased
    return try await transaction { (session) throws(StoreError) in
      // Refuse to delete a search that is in use: a rule or another search that names it would match nothing.
      let users = try session.rows(
        """
        SELECT 'rule ' || number, query FROM rules
        UNION ALL SELECT 'the search "' || name || '"', query FROM saved_searches WHERE lower(name) <> $1
        """,
        folded
      ) { (name: $0.string(0), query: $0.string(1)) }
      for user in users {
        guard let query = try? QueryExpansion.read(user.query), query.names(search: name) else { continue }
        throw SearchRefusal.isNamed(name, by: user.name)
      }
      return try session.count("DELETE FROM saved_searches WHERE lower(name) = $1 RETURNING 1", folded) > 0
    }
  }
}

extension TableStore {
  package func recentSearches(limit: Int) async throws(StoreError) -> [String] {
    try await snapshot { (session) throws(StoreError) in
      try session.rows("SELECT query FROM searches ORDER BY number DESC LIMIT $1", max(limit, 0)) {
        $0.string(0)
      }
    }
  }
}
