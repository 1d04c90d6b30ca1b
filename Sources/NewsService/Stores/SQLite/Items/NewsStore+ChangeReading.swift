import NewsStoresShared
package import NewsCore

extension NewsStore: ChangeReading {
  public func changes(after sequence: Int64, limit: Int, query: Query) async throws(StoreError) -> [Change] {
    // Search in portions, each in its own snapshot: if few items match, finding them takes long.
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

  /// Returns the number of the `count`th change of an item after `sequence`; nil if there are fewer changes.
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
    let removed = try connection.removals(after: sequence, limit: limit, query: query)
    var changes = ChangeMerger(removed.filter { $0.sequence <= last }, limit: limit)
    let selection = try Selection(ItemRequest(query: query), connection)
    let reader = ItemReader(connection, parts: .all)
    try selection.forEachChange(after: sequence, through: last, connection) { (key) throws(StoreError) in
      if let entry = try reader.entry(key) { changes.add(entry) }
      return !changes.isFull
    }
    return changes.merged
  }

  public func latestSequence() async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in try Counter.sequence.value(connection) }
  }
}
