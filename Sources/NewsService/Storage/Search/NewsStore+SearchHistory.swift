import Glibc
public import NewsCore

extension NewsStore: SearchHistoryKeeping {
  public func recentSearches(limit: Int) async throws(StoreError) -> [String] {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare("SELECT query FROM searches ORDER BY number DESC LIMIT ?")
      try statement.bind(1, max(limit, 0))
      var searches: [String] = []
      while try statement.step() { searches.append(statement.string(0)) }
      return searches
    }
  }

  public func remember(search query: String, at time: Timestamp) async {
    guard query.contains(where: { !$0.isWhitespace }) else { return }
    closeIdleReaders()
    do {
      try prepareFile()
      if access(path, F_OK) != 0 { try await write { _ in } }
      // Use a separate connection, so that a search waits neither for other writers nor for fsync.
      let connection = try Connection(path: path, access: .writing, busyTimeout: 4)
      try connection.deferSync(unlessLogExceeds: 1 << 19)
      try connection.transaction { () throws(StoreError) in
        let remove = try connection.prepare("DELETE FROM searches WHERE query = ?")
        try remove.bind(1, query)
        try remove.run()
        let insert = try connection.prepare(
          """
          INSERT INTO searches (number, query, time)
          VALUES ((SELECT coalesce(max(number), 0) + 1 FROM searches), ?, ?)
          """
        )
        try insert.bind(1, query)
        try insert.bind(2, time)
        try insert.run()
        // Keep the newest 500.
        try connection.execute(
          "DELETE FROM searches WHERE number <= (SELECT max(number) FROM searches) - 500"
        )
        try connection.countCommit()
      }
    } catch {
      // Ignore a failure to record the search: it has already been answered.
    }
  }
}
