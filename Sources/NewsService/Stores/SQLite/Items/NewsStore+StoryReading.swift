package import NewsCore

extension NewsStore: StoryReading {
  public func itemsOfStory(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem] {
    let cluster = try await item(id).cluster
    guard let cluster else { return [] }
    return try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare(
        "SELECT key FROM items WHERE cluster = ?1 AND id <> ?2 ORDER BY key DESC LIMIT ?3"
      )
      try statement.bind(1, cluster)
      try statement.bind(2, id.rawValue)
      try statement.bind(3, Int64(limit))
      var keys: [ItemKey] = []
      while try statement.step() { keys.append(ItemKey(rawValue: statement.int64(0))) }
      let reader = ItemReader(connection, parts: [.headlineText])
      var items: [NewsItem] = []
      for key in keys {
        if let item = try reader.item(key) { items.append(item) }
      }
      return items
    }
  }
}
