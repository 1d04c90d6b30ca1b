import NewsStoresShared
package import NewsCore

extension NewsStore: StreamReading {
  public func entries(_ request: StreamRequest, limit: Int) async throws(StoreError) -> [StreamEntry] {
    try await read { (connection) throws(StoreError) in
      try StreamSelection(request, limit: limit, connection).entries(limit: limit)
    }
  }

  public func streamItems(_ ids: [NewsItem.ID]) async throws(StoreError) -> [StreamItem] {
    try await read { (connection) throws(StoreError) in
      let reader = ItemReader(connection, parts: .all)
      let labels = try connection.labels(of: ids.map(\.rawValue))
      var items: [StreamItem] = []
      for id in ids {
        guard let key = try ItemReader.key(of: id, connection), let item = try reader.item(key) else {
          continue
        }
        items.append(StreamItem(item: item, labels: labels[id.rawValue] ?? []))
      }
      return items
    }
  }

  public func itemLabels() async throws(StoreError) -> [ItemLabel] {
    try await read { (connection) throws(StoreError) in
      guard try ItemLabels.exist(connection) else { return [] }
      let row = try connection.prepare(
        """
        SELECT l.label, sum(i.is_read = 0), max(i.id), i.stored FROM item_labels AS l
        JOIN items AS i ON i.id = l.item GROUP BY l.label ORDER BY l.label
        """
      )
      var labels: [ItemLabel] = []
      while try row.step() {
        let newest = StreamEntry(
          id: NewsItem.ID(rawValue: row.int64(2)),
          stored: Timestamp(seconds: row.int64(3))
        )
        labels.append(ItemLabel(name: row.string(0), unread: row.int(1), newest: newest))
      }
      return labels
    }
  }

  /// Number of items, newest by date, that are examined for each feed. The item among them that was stored last is the
  /// feed's newest.
  private static let newestExamined = 20

  public func newestEntries() async throws(StoreError) -> [Feed.ID: StreamEntry] {
    try await read { (connection) throws(StoreError) in
      let feeds = try connection.prepare("SELECT id FROM feeds WHERE items > 0")
      let row = try connection.prepare(
        "SELECT id, stored FROM items WHERE feed = ? ORDER BY key DESC LIMIT \(Self.newestExamined)"
      )
      var newest: [Feed.ID: StreamEntry] = [:]
      while try feeds.step() {
        let feed = Feed.ID(rawValue: feeds.int64(0))
        try row.bind(1, feed.rawValue)
        while try row.step() {
          let id = NewsItem.ID(rawValue: row.int64(0))
          if let known = newest[feed], known.id > id { continue }
          newest[feed] = StreamEntry(id: id, stored: Timestamp(seconds: row.int64(1)))
        }
        row.reset()
      }
      return newest
    }
  }

  public func streamTotals() async throws(StoreError) -> StreamTotals {
    try await read { (connection) throws(StoreError) in
      StreamTotals(
        items: Int(try Counter.items.value(connection)),
        unread: Int(try Counter.unread.value(connection)),
        starred: Int(try Counter.starred.value(connection))
      )
    }
  }
}
