import NewsService

/// The full-text index keeps no texts: what is taken out must be said as it was put in.
enum FullTextIndex {
  static func insert(
    _ key: ItemKey,
    title: String,
    author: String,
    text: String,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT INTO search (rowid, title, author, text) VALUES (?, ?, ?, ?)"
    )
    try bind(statement, key, title, author, text)
    try statement.run()
  }

  static func remove(
    _ key: ItemKey,
    title: String,
    author: String,
    text: String,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT INTO search (search, rowid, title, author, text) VALUES ('delete', ?, ?, ?, ?)"
    )
    try bind(statement, key, title, author, text)
    try statement.run()
  }

  private static func bind(
    _ statement: borrowing Statement,
    _ key: ItemKey,
    _ title: String,
    _ author: String,
    _ text: String
  ) throws(StoreError) {
    try statement.bind(1, key.rawValue)
    try statement.bind(2, title)
    try statement.bind(3, author)
    try statement.bind(4, text)
  }
}
