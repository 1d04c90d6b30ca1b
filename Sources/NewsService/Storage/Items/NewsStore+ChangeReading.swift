package import NewsCore

extension NewsStore: ChangeReading {
  public func changes(after sequence: Int64, limit: Int, query: Query) async throws(StoreError) -> [Change] {
    // If few items match, finding them takes long. Therefore search in portions, each in its own snapshot.
    let portion = query == .all ? nil : options.scannedItems
    var changes: [Change] = []
    var last = sequence
    while true {
      let (after, left) = (last, limit - changes.count)
      let (part, end) = try await read { (connection) throws(StoreError) -> ([Change], Int64?) in
        var end: Int64?
        if let portion { end = try Self.sequence(ofChange: portion, after: after, connection) }
        return (try Self.changes(after: after, through: end, limit: left, query, connection), end)
      }
      changes += part
      guard let end, changes.count < limit else { return changes }
      last = end
    }
  }

  /// The number of the `count`th change of an item after `sequence`; nil if there are fewer.
  private static func sequence(
    ofChange count: Int,
    after sequence: Int64,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    try connection.integer(
      "SELECT sequence FROM items WHERE sequence > \(sequence) ORDER BY sequence LIMIT 1 OFFSET \(count - 1)"
    )
  }

  private static func changes(
    after sequence: Int64,
    through end: Int64?,
    limit: Int,
    _ query: Query,
    _ connection: Connection
  ) throws(StoreError) -> [Change] {
    let last = end ?? .max
    var removed = try removals(after: sequence, limit: limit, query: query, connection)
      .filter { $0.sequence <= last }[...]
    var changes: [Change] = []
    let selection = try Selection(ItemRequest(query: query), connection)
    let reader = ItemReader(connection, parts: .all)
    // Both lists are in ascending order; merge them while reading.
    try selection.forEachChange(after: sequence, through: last, connection) { (key) throws(StoreError) in
      guard let entry = try reader.entry(key) else { return true }
      while let first = removed.first, first.sequence < entry.item.sequence, changes.count < limit {
        changes.append(first)
        removed.removeFirst()
      }
      guard changes.count < limit else { return false }
      changes.append(
        Change(
          sequence: entry.item.sequence,
          kind: (ChangeKind(rawValue: entry.change) ?? .updated).kind,
          itemID: entry.item.id,
          feedID: entry.item.feedID,
          item: entry.item,
          firstSequence: entry.firstSequence
        )
      )
      return changes.count < limit
    }
    changes.append(contentsOf: removed.prefix(max(limit - changes.count, 0)))
    return changes
  }

  public func latestSequence() async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in try Counter.sequence.value(connection) }
  }

  /// Returns the tombstones for a query. A query for one feed gets the tombstones of that feed. Every other query gets
  /// all: only the feed of a removed item is known, and a follower of a selection must learn that an item left it.
  private static func removals(
    after sequence: Int64,
    limit: Int,
    query: Query,
    _ connection: Connection
  ) throws(StoreError) -> [Change] {
    var only: Int64?
    if case .feedID(let id) = query { only = id.rawValue }
    let statement = try connection.prepare(
      """
      SELECT sequence, id, feed, guid FROM tombstones
      WHERE sequence > ?1 AND (?2 IS NULL OR feed = ?2) ORDER BY sequence LIMIT ?3
      """
    )
    try statement.bind(1, sequence)
    try statement.bind(2, only)
    try statement.bind(3, max(limit, 0))
    var changes: [Change] = []
    while try statement.step() {
      changes.append(
        Change(
          sequence: statement.int64(0),
          kind: .deleted,
          itemID: NewsItem.ID(rawValue: statement.int64(1)),
          feedID: Feed.ID(rawValue: statement.int64(2)),
          item: nil,
          guid: statement.string(3)
        )
      )
    }
    return changes
  }
}
