package import NewsCore
import NewsToolbox

extension PostgresStore: StreamReading {
  public func entries(_ request: StreamRequest, limit: Int) async throws(StoreError) -> [StreamEntry] {
    try await read { (connection) throws(StoreError) in
      try StreamSelection(request).entries(limit: limit, connection)
    }
  }

  public func streamItems(_ ids: [NewsItem.ID]) async throws(StoreError) -> [StreamItem] {
    try await read { (connection) throws(StoreError) in
      let entries = try ItemReader(connection, parts: .all).entries(ids.map(\.rawValue))
      let labels = try ItemLabels.read(ids.map(\.rawValue), connection)
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

  /// For each feed, this many items, newest by date, are examined; the last stored of them is the feed's
  /// newest.
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
  public func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let list = Parameter.array(ids.map(\.rawValue))
      let known = Set(
        try connection.query("SELECT id FROM items WHERE id = ANY($1::bigint[])", list).map { $0.int64(0) }
      )
      var marker = try ItemMarker(connection)
      for id in ids.map(\.rawValue) where known.contains(id) {
        for mark in edit.marks {
          try marker.mark(id, mark)
          if mark == .read { try marker.markStory(of: id) }
        }
        var isChanged = false
        for label in edit.addedLabels where try ItemLabels.add(label, to: id, connection) { isChanged = true }
        for label in edit.removedLabels where try ItemLabels.remove(label, from: id, connection) {
          isChanged = true
        }
        if isChanged { try marker.note(id) }
      }
      try marker.finish()
    }
  }

  public func markRead(_ request: StreamRequest) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let ids = try StreamSelection(request).unread(connection)
      var marker = try ItemMarker(connection)
      for id in ids {
        try marker.mark(id, .read)
        try marker.markStory(of: id)
      }
      try marker.finish()
      return ids.count
    }
  }

  public func relabel(_ label: String, to name: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let items = try connection.query("SELECT item FROM item_labels WHERE label = $1 ORDER BY item", label)
      var marker = try ItemMarker(connection)
      for item in items.map({ $0.int64(0) }) {
        _ = try ItemLabels.remove(label, from: item, connection)
        if let name { _ = try ItemLabels.add(name, to: item, connection) }
        try marker.note(item)
      }
      try marker.finish()
    }
  }

  public func moveFolder(_ folder: String, to name: String?) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      for row in try connection.query("SELECT id, folder FROM feeds WHERE folder IS NOT NULL ORDER BY id") {
        let own = row.string(1)
        var target = name.flatMap(FolderPath.cleaned)
        if own != folder {
          guard let name, own.hasPrefix(bytesOf: folder + "/") else { continue }
          target = FolderPath.cleaned(name + own.slice(folder.utf8.count...))
        }
        try connection.query("UPDATE feeds SET folder = $1 WHERE id = $2", target, row.int64(0))
        try connection.noteChange(of: Feed.ID(rawValue: row.int64(0)))
      }
    }
  }
}

/// The labels that the user gives to items.
enum ItemLabels {
  /// The labels of items, by name.
  static func read(_ ids: [Int64], _ connection: Connection) throws(StoreError) -> [Int64: [String]] {
    var labels: [Int64: [String]] = [:]
    for row in try connection.query(
      "SELECT item, label FROM item_labels WHERE item = ANY($1::bigint[]) ORDER BY label",
      Parameter.array(ids)
    ) { labels[row.int64(0), default: []].append(row.string(1)) }
    return labels
  }

  /// Returns true if the item did not have the label.
  static func add(_ label: String, to id: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    try connection.integer(
      "INSERT INTO item_labels (label, item) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
      label,
      id
    ) != nil
  }

  /// Returns true if the item had the label.
  static func remove(_ label: String, from id: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    try connection.integer("DELETE FROM item_labels WHERE label = $1 AND item = $2 RETURNING 1", label, id)
      != nil
  }
}

extension PostgresStore: StoryReading {
  public func tellings(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem] {
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
