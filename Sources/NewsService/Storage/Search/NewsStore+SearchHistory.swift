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
      if access(path, F_OK) != 0 { try await write { _ in } }
      // A connection of its own: what a search changes must neither wait for others nor for the disk.
      let connection = try Connection(path: path, access: .writing, patience: 4)
      try connection.hurry(unlessLogExceeds: 1 << 19)
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
        // A list for people: what fell off it is of no use.
        try connection.execute(
          "DELETE FROM searches WHERE number <= (SELECT max(number) FROM searches) - 500"
        )
      }
    } catch {
      // A search has been answered already; its place in the history is not worth a word.
    }
  }
}
