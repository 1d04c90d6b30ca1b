import Glibc
package import NewsCore

extension NewsStore: ItemMarking {
  /// Maximum number of items marked in one transaction, so that other writers wait less than a second.
  private static let portion = 1000

  public func mark(_ ids: [NewsItem.ID], _ mark: ItemMark) async throws(StoreError) -> [NewsItem.ID] {
    var missing: [NewsItem.ID] = []
    var start = 0
    while start < ids.count {
      let end = min(start + Self.portion, ids.count)
      missing += try await self.mark(ids[start..<end], mark)
      start = end
      // Other processes retry the lock every few milliseconds. Without a pause, they would always find it held.
      if start < ids.count { usleep(20_000) }
    }
    return missing
  }

  private func mark(_ ids: ArraySlice<NewsItem.ID>, _ mark: ItemMark) async throws(StoreError) -> [NewsItem
    .ID]
  {
    try await write { (connection) throws(StoreError) in
      var missing: [NewsItem.ID] = []
      var marker = try ItemMarker(connection)
      for id in ids {
        guard let key = try ItemReader.key(of: id, connection) else {
          missing.append(id)
          continue
        }
        try marker.mark(key, mark)
        // Marking an item as read also marks the other items of its story.
        if mark == .read { try marker.markStory(of: key) }
      }
      try marker.finish()
      return missing
    }
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
    firstSequence = try Counter.sequence.value(connection)
    sequence = firstSequence
  }

  /// Returns true if the state changed.
  @discardableResult
  mutating func mark(_ key: ItemKey, _ mark: ItemMark) throws(StoreError) -> Bool {
    let column = mark == .read || mark == .unread ? "is_read" : "is_starred"
    let value = mark == .read || mark == .starred
    let statement = try connection.prepare(
      """
      UPDATE items SET \(column) = ?1, sequence = ?2, change = \(ChangeKind.state.rawValue)
      WHERE key = ?3 AND \(column) <> ?1 RETURNING feed
      """
    )
    try statement.bind(1, value)
    try statement.bind(2, sequence + 1)
    try statement.bind(3, key.rawValue)
    guard try statement.step() else { return false }
    sequence += 1
    switch mark {
    case .read: unread[statement.int64(0), default: 0] -= 1
    case .unread: unread[statement.int64(0), default: 0] += 1
    case .starred: starred += 1
    case .unstarred: starred -= 1
    }
    return true
  }

  /// Logs a change of an item that is not a mark.
  mutating func note(_ key: ItemKey) throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE items SET sequence = ?, change = \(ChangeKind.state.rawValue) WHERE key = ?"
    )
    try statement.bind(1, sequence + 1)
    try statement.bind(2, key.rawValue)
    try statement.run()
    sequence += 1
  }

  /// Marks the other items of the item's cluster as read.
  mutating func markStory(of key: ItemKey) throws(StoreError) {
    let statement = try connection.prepare(
      "SELECT key FROM items WHERE cluster = (SELECT cluster FROM items WHERE key = ?1) AND key <> ?1"
    )
    try statement.bind(1, key.rawValue)
    var others: [ItemKey] = []
    while try statement.step() { others.append(ItemKey(rawValue: statement.int64(0))) }
    for other in others { try mark(other, .read) }
  }

  /// Updates the totals. They are wrong until this is called.
  mutating func finish() throws(StoreError) {
    let statement = try connection.prepare("UPDATE feeds SET unread = unread + ? WHERE id = ?")
    var total: Int64 = 0
    for (feed, change) in unread where change != 0 {
      try statement.bind(1, change)
      try statement.bind(2, feed)
      try statement.run()
      total += change
    }
    try Counter.unread.add(total, connection)
    try Counter.starred.add(starred, connection)
    try Counter.sequence.add(sequence - firstSequence, connection)
  }
}
