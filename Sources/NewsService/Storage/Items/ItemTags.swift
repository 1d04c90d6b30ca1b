import NewsCore

/// Records which items carry which tags. Tags are compared in lower case.
enum ItemTags {
  static func set(
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
      let create = try connection.prepare("INSERT OR IGNORE INTO tags (name) VALUES (?)")
      try create.bind(1, name)
      try create.run()
      let statement = try connection.prepare(
        "INSERT OR IGNORE INTO item_tags (item, tag) SELECT ?1, id FROM tags WHERE name = ?2"
      )
      try statement.bind(1, key.rawValue)
      try statement.bind(2, name)
      try statement.run()
    }
  }

  /// Deletes tags that no item carries; called after many items were removed.
  static func forgetUnused(_ connection: Connection) throws(StoreError) {
    try connection.execute(
      "DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM item_tags WHERE item_tags.tag = tags.id)"
    )
  }
}
