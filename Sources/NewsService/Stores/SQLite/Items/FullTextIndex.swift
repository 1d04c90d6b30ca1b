import NewsStoresShared
import NewsCore

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
