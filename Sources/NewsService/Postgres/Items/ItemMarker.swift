package import NewsCore

extension PostgresStore: ItemMarking {
  /// Maximum number of items marked in one transaction, so that other writers wait less than a second.
  private static let portion = 1000

  public func mark(_ ids: [NewsItem.ID], _ mark: ItemMark) async throws(StoreError) -> [NewsItem.ID] {
    var missing: [NewsItem.ID] = []
    var start = 0
    while start < ids.count {
      let part = Array(ids[start..<min(start + Self.portion, ids.count)])
      missing += try await write { (connection) throws(StoreError) in
        let list = Parameter.array(part.map(\.rawValue))
        let known = Set(
          try connection.query("SELECT id FROM items WHERE id = ANY($1::bigint[])", list).map { $0.int64(0) }
        )
        var marker = try ItemMarker(connection)
        for id in part where known.contains(id.rawValue) {
          try marker.mark(id.rawValue, mark)
          // Marking an item as read also marks the other items of its story.
          if mark == .read { try marker.markStory(of: id.rawValue) }
        }
        try marker.finish()
        return part.filter { !known.contains($0.rawValue) }
      }
      start += part.count
    }
    return missing
  }
}

/// Changes item states inside a transaction and maintains the totals.
struct ItemMarker {
  private let connection: Connection
  private var sequence: Int64
  private let firstSequence: Int64
  private var unread: [Int64: Int64] = [:]
  private var starred: Int64 = 0

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    firstSequence = try connection.value(of: .sequence)
    sequence = firstSequence
  }

  mutating func mark(_ id: Int64, _ mark: ItemMark) throws(StoreError) {
    let column = mark == .read || mark == .unread ? "is_read" : "is_starred"
    let value = mark == .read || mark == .starred ? 1 : 0
    let feed = try connection.integer(
      """
      UPDATE items SET \(column) = \(value), sequence = $1, change = \(ChangeKind.state.rawValue)
      WHERE id = $2 AND \(column) <> \(value) RETURNING feed
      """,
      sequence + 1,
      id
    )
    guard let feed else { return }
    sequence += 1
    switch mark {
    case .read: unread[feed, default: 0] -= 1
    case .unread: unread[feed, default: 0] += 1
    case .starred: starred += 1
    case .unstarred: starred -= 1
    }
  }

  /// Logs a change of the item's labels.
  mutating func note(_ id: Int64) throws(StoreError) {
    sequence += 1
    try connection.query(
      "UPDATE items SET sequence = $1, change = \(ChangeKind.state.rawValue) WHERE id = $2",
      sequence,
      id
    )
  }

  /// Marks the other items of the item's cluster as read.
  mutating func markStory(of id: Int64) throws(StoreError) {
    let others = try connection.query(
      """
      SELECT id FROM items WHERE cluster = (SELECT cluster FROM items WHERE id = $1) AND id <> $1 ORDER BY sort, id
      """,
      id
    )
    for other in others { try mark(other.int64(0), .read) }
  }

  /// Updates the totals. They are wrong until this is called.
  mutating func finish() throws(StoreError) {
    var total: Int64 = 0
    for (feed, change) in unread.sorted(by: { $0.key < $1.key }) where change != 0 {
      try connection.query("UPDATE feeds SET unread = unread + $1::bigint WHERE id = $2", change, feed)
      total += change
    }
    guard sequence != firstSequence else { return }
    try connection.query(
      """
      UPDATE store SET unread = unread + $1::bigint, starred = starred + $2::bigint, sequence = sequence + $3::bigint
      """,
      total,
      starred,
      sequence - firstSequence
    )
    try connection.notify()
  }
}
