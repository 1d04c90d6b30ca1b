import NewsStoresShared
package import NewsCore

extension PostgresStore: StreamReading {
  public func entries(_ request: StreamRequest, limit: Int) async throws(StoreError) -> [StreamEntry] {
    // Stop below ids that are still in progress: a client that has seen an id does not ask for lower ones again.
    let settled = request.isOldestFirst ? try await settledID() : nil
    return try await read { (connection) throws(StoreError) in
      try StreamSelection(request, settled: settled).entries(limit: limit, connection)
    }
  }

  public func streamItems(_ ids: [NewsItem.ID]) async throws(StoreError) -> [StreamItem] {
    try await read { (connection) throws(StoreError) in
      let entries = try ItemReader(connection, parts: .all).entries(ids.map(\.rawValue))
      let labels = try connection.labels(of: ids.map(\.rawValue))
      return ids.compactMap { id in
        entries[id.rawValue].map { StreamItem(item: $0.item, labels: labels[id.rawValue] ?? []) }
      }
    }
  }

  public func itemLabels() async throws(StoreError) -> [ItemLabel] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        """
        SELECT g.label, g.unread, g.newest, i.stored FROM (
          SELECT l.label, count(*) FILTER (WHERE i.is_read = 0) AS unread, max(i.id) AS newest
          FROM item_labels AS l JOIN items AS i ON i.id = l.item GROUP BY l.label) AS g
        JOIN items AS i ON i.id = g.newest ORDER BY g.label
        """
      ).map {
        ItemLabel(
          name: $0.string(0),
          unread: $0.int(1),
          newest: StreamEntry(
            id: NewsItem.ID(rawValue: $0.int64(2)),
            stored: Timestamp(seconds: $0.int64(3))
          )
        )
      }
    }
  }

  /// How many of a feed's newest items by date are examined. The one among them that was stored last is the feed's
  /// newest entry.
  private static let newestExamined = 20

  public func newestEntries() async throws(StoreError) -> [Feed.ID: StreamEntry] {
    try await read { (connection) throws(StoreError) in
      var newest: [Feed.ID: StreamEntry] = [:]
      for row in try connection.query(
        """
        SELECT f.id, i.id, i.stored FROM feeds AS f CROSS JOIN LATERAL (
          SELECT id, stored FROM items WHERE feed = f.id ORDER BY sort DESC, id DESC LIMIT \(Self.newestExamined)) AS i
        WHERE f.items > 0
        """
      ) {
        let feed = Feed.ID(rawValue: row.int64(0))
        let entry = StreamEntry(
          id: NewsItem.ID(rawValue: row.int64(1)),
          stored: Timestamp(seconds: row.int64(2))
        )
        if let known = newest[feed], known.id > entry.id { continue }
        newest[feed] = entry
      }
      return newest
    }
  }

  public func streamTotals() async throws(StoreError) -> StreamTotals {
    try await read { (connection) throws(StoreError) in
      let row = try connection.query("SELECT items, unread, starred FROM store").first
      return StreamTotals(items: row?.int(0) ?? 0, unread: row?.int(1) ?? 0, starred: row?.int(2) ?? 0)
    }
  }
}

extension PostgresStore: StreamEditing {
  public func markRead(_ request: StreamRequest) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let ids = try StreamSelection(request).unread(connection)
      var marker = BatchItemMarker(connection)
      for id in ids { marker.markStory(of: NewsItem.ID(rawValue: id), .read) }
      try marker.finish()
      return ids.count
    }
  }
}

extension PostgresStore: StoryReading {
  public func itemsOfStory(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem] {
    guard let cluster = try await item(id).cluster else { return [] }
    return try await read { (connection) throws(StoreError) in
      let ids = try connection.query(
        "SELECT id FROM items WHERE cluster = $1 AND id <> $2 ORDER BY sort DESC, id DESC LIMIT $3",
        cluster,
        id.rawValue,
        max(limit, 0)
      ).map { $0.int64(0) }
      let entries = try ItemReader(connection, parts: [.headlineText]).entries(ids)
      return ids.compactMap { entries[$0]?.item }
    }
  }
}
