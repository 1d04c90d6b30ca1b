package import NewsCore
import NewsToolbox

/// Earlier texts of items. Numbers ascend with time; each version is stored as a delta from the next one.
enum ItemVersions {
  /// Stores the old text if the edit is significant.
  static func keep(
    of id: NewsItem.ID,
    title: String,
    text: String,
    newTitle: String,
    newText: String,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) {
    let change = try VersionChange(title: title, text: text, newTitle: newTitle, newText: newText) {
      () throws(StoreError) in try latest(of: id, connection)
    }
    switch change {
    case .none: break
    case .add(let number, let delta):
      try insert(of: id, number: number, at: time, title: title, delta, connection)
      try forget(upTo: number - VersionChange.maximumCount, of: id, connection)
    case .rebase(let number, let delta):
      let statement = try connection.prepare("UPDATE versions SET delta = ? WHERE item = ? AND number = ?")
      try statement.bind(1, blob: delta.bytes)
      try statement.bind(2, id.rawValue)
      try statement.bind(3, number)
      try statement.run()
    }
  }

  static func insert(
    of id: NewsItem.ID,
    number: Int64,
    at time: Timestamp,
    title: String,
    _ delta: TextDelta,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT INTO versions (item, number, time, title, delta) VALUES (?, ?, ?, ?, ?)"
    )
    try statement.bind(1, id.rawValue)
    try statement.bind(2, number)
    try statement.bind(3, time)
    try statement.bind(4, title)
    try statement.bind(5, blob: delta.bytes)
    try statement.run()
  }

  /// Deletes the oldest versions. No other version depends on them, because each is a delta from the next one.
  private static func forget(
    upTo number: Int64,
    of id: NewsItem.ID,
    _ connection: Connection
  ) throws(StoreError) {
    guard number > 0 else { return }
    let statement = try connection.prepare("DELETE FROM versions WHERE item = ? AND number <= ?")
    try statement.bind(1, id.rawValue)
    try statement.bind(2, number)
    try statement.run()
  }

  static func remove(of id: NewsItem.ID, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare("DELETE FROM versions WHERE item = ?")
    try statement.bind(1, id.rawValue)
    try statement.run()
  }

  private static func latest(
    of id: NewsItem.ID,
    _ connection: Connection
  ) throws(StoreError) -> (number: Int64, delta: TextDelta)? {
    let statement = try connection.prepare(
      "SELECT number, delta FROM versions WHERE item = ? ORDER BY number DESC LIMIT 1"
    )
    try statement.bind(1, id.rawValue)
    guard try statement.step() else { return nil }
    return (statement.int64(0), TextDelta(bytes: statement.withBytes(1) { Array($0) }))
  }

  /// Returns all versions, oldest first, without the current text.
  static func all(
    of id: NewsItem.ID,
    text: String,
    _ connection: Connection
  ) throws(StoreError) -> [ItemVersion] {
    let statement = try connection.prepare(
      "SELECT number, time, title, delta FROM versions WHERE item = ? ORDER BY number DESC"
    )
    try statement.bind(1, id.rawValue)
    var versions: [ItemVersion] = []
    var text = text
    while try statement.step() {
      guard let earlier = TextDelta(bytes: statement.withBytes(3) { Array($0) }).applied(to: text) else {
        break
      }
      text = earlier
      versions.append(
        ItemVersion(
          number: statement.int(0),
          replaced: statement.time(1) ?? Timestamp(seconds: 0),
          title: statement.string(2),
          text: text
        )
      )
    }
    return versions.reversed()
  }
}

extension NewsStore: ItemVersionReading {
  public func versions(of id: NewsItem.ID) async throws(StoreError) -> [ItemVersion] {
    try await read { (connection) throws(StoreError) in
      guard let key = try ItemReader.key(of: id, connection),
        let item = try ItemReader(connection, parts: .contentText).item(key)
      else { throw Self.noSuchItem(id) }
      return try ItemVersions.all(of: id, text: item.contentText, connection)
    }
  }
}
