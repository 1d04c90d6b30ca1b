import NewsCore

/// Records which items carry which tags. Tags are compared in lower case.
///
/// An instance keeps the ids of the tags that it has used, so it must not outlive its transaction.
struct ItemTags {
  /// Maximum number of kept ids. All are dropped at this number, because a feed may invent any number of tags.
  private static let maximumIDs = 10_000

  private var ids: [String: Int64] = [:]

  /// Replaces the tags `old` of an item by `tags`.
  mutating func set(
    _ tags: [String],
    was old: [String],
    of key: ItemKey,
    _ connection: Connection
  ) throws(StoreError) {
    let new = Set(tags.map { $0.lowercased() })
    let former = Set(old.map { $0.lowercased() })
    for name in former.subtracting(new) {
      let statement = try connection.prepare(
        "DELETE FROM item_tags WHERE item = ?1 AND tag = (SELECT id FROM tags WHERE name = ?2)"
      )
      try statement.bind(1, key.rawValue)
      try statement.bind(2, name)
      try statement.run()
    }
    for name in new.subtracting(former).sorted() {
      let statement = try connection.prepare("INSERT OR IGNORE INTO item_tags (item, tag) VALUES (?, ?)")
      try statement.bind(1, key.rawValue)
      try statement.bind(2, try id(of: name, connection))
      try statement.run()
    }
  }

  /// Returns the id of a tag. Creates the tag if it is missing.
  private mutating func id(of name: String, _ connection: Connection) throws(StoreError) -> Int64? {
    if let id = ids[name] { return id }
    let create = try connection.prepare("INSERT OR IGNORE INTO tags (name) VALUES (?)")
    try create.bind(1, name)
    try create.run()
    let find = try connection.prepare("SELECT id FROM tags WHERE name = ?")
    try find.bind(1, name)
    guard try find.step() else { return nil }
    if ids.count >= Self.maximumIDs { ids = [:] }
    ids[name] = find.int64(0)
    return find.int64(0)
  }

  /// Deletes tags that no item has. Called after many items were removed.
  static func forgetUnused(_ connection: Connection) throws(StoreError) {
    try connection.execute(
      "DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM item_tags WHERE item_tags.tag = tags.id)"
    )
  }
}
