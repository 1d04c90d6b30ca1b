import NewsCore
import NewsStoresShared

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
      try connection.run(
        "DELETE FROM item_tags WHERE item = $1 AND tag = (SELECT id FROM tags WHERE name = $2)",
        key,
        name
      )
    }
    for name in new.subtracting(former).sorted() {
      let id = try id(of: name, connection)
      try connection.run("INSERT OR IGNORE INTO item_tags (item, tag) VALUES ($1, $2)", key, id)
    }
  }

  /// Returns the id of a tag. Creates the tag if it is missing.
  private mutating func id(of name: String, _ connection: Connection) throws(StoreError) -> Int64? {
    if let id = ids[name] { return id }
    try connection.run("INSERT OR IGNORE INTO tags (name) VALUES ($1)", name)
    let id = try connection.number("SELECT id FROM tags WHERE name = $1", name)
    if ids.count >= Self.maximumIDs { ids = [:] }
    ids[name] = id
    return id
  }

  /// Deletes tags that no item has, because items were removed or feeds have changed their tags.
  static func forgetUnused(_ connection: Connection) throws(StoreError) {
    try connection.execute(
      "DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM item_tags WHERE item_tags.tag = tags.id)"
    )
  }
}

/// The full-text index. It stores no text, so a removal must pass the same tokens as the insertion did.
enum FullTextIndex {
  static func insert(_ key: ItemKey, _ tokens: ItemTokens, _ connection: Connection) throws(StoreError) {
    try run("INSERT INTO search (rowid, title, author, text) VALUES (?, ?, ?, ?)", key, tokens, connection)
  }

  static func remove(_ key: ItemKey, _ tokens: ItemTokens, _ connection: Connection) throws(StoreError) {
    try run(
      "INSERT INTO search (search, rowid, title, author, text) VALUES ('delete', ?, ?, ?, ?)",
      key,
      tokens,
      connection
    )
  }

  /// Pages that a part of a merge writes, of some 4 KB.
  private static let mergedPages = 500

  /// Merges a part of the index. Words of removed items and the marks of their removal take room until they are merged with the
  /// oldest segment. Returns false if nothing is left to merge.
  static func merge(_ connection: Connection) throws(StoreError) -> Bool {
    guard try isDivided(connection) else { return false }
    // A negative number merges all segments, also if there are few.
    try connection.execute("INSERT INTO search (search, rank) VALUES ('merge', -\(mergedPages))")
    return true
  }

  /// True if there are several segments. Statements that merge nothing count as changes.
  private static func isDivided(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.number(
      "SELECT (SELECT min(segid) FROM search_idx) <> (SELECT max(segid) FROM search_idx)"
    ) == 1
  }

  private static func run(
    _ sql: String,
    _ key: ItemKey,
    _ tokens: ItemTokens,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(sql)
    try statement.bind(1, key.rawValue)
    try statement.bind(2, tokens.title)
    try statement.bind(3, tokens.author)
    try statement.run(borrowing: tokens.text, at: 4)
  }
}
