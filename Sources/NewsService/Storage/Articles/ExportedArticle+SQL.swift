import NewsCore

extension ExportedArticle {
  /// Returns nil if the item has no article.
  init?(of id: Int64, _ connection: Connection) throws(StoreError) {
    let row = try connection.prepare("SELECT \(Self.columns) FROM articles WHERE item = ?")
    try row.bind(1, id)
    guard try row.step() else { return nil }
    self.init(row: row)
  }

  func insert(of id: Int64, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT INTO articles (item, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    try statement.bind(1, id)
    for (place, value) in values.enumerated() { try statement.bind(Int32(place + 2), value) }
    try statement.run()
  }
}
