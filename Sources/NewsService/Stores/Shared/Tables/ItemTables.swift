package import NewsCore

// Reading items by their ids.

extension TableStore {
  package func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem {
    guard let item = try await items([id], parts: .all)[id] else { throw StoreError.noSuchItem(id) }
    return item
  }

  package func items(
    _ ids: [NewsItem.ID],
    parts: ItemParts
  ) async throws(StoreError) -> [NewsItem.ID: NewsItem] {
    guard !ids.isEmpty else { return [:] }
    let entries = try await snapshot { (session) throws(StoreError) in
      try session.items(ids.map(\.rawValue), parts: parts)
    }
    return Dictionary(entries.values.map { ($0.item.id, $0.item) }) { first, _ in first }
  }

  package func textSizes(of ids: [NewsItem.ID], within bytes: Int) async throws(StoreError) -> [Int] {
    guard !ids.isEmpty else { return [] }
    return try await snapshot { (session) throws(StoreError) in
      try session.textSizes(of: ids.map(\.rawValue), within: bytes)
    }
  }
}

extension TableStore {
  package func itemsOfStory(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem] {
    guard let story = try await item(id).story else { return [] }
    return try await snapshot { (session) throws(StoreError) in
      let ids = try session.rows(
        "SELECT id FROM items AS i WHERE cluster = $1 AND id <> $2 ORDER BY \(Session.newestFirst) LIMIT $3",
        story,
        id,
        max(limit, 0)
      ) { $0.int64(0) }
      let entries = try session.items(ids, parts: [.headlineText])
      return ids.compactMap { entries[$0]?.item }
    }
  }
}

extension TableStore {
  package func latestSequence() async throws(StoreError) -> Int64 {
    try await snapshot { (session) throws(StoreError) in try session.value(of: .sequence) }
  }
}
