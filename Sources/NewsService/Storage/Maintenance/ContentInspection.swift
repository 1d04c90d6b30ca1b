import NewsCore

/// Compares what items say with the number that was stored with them: SQLite notices damage to its own structure, but not
/// that other bytes stand in a text.
enum ContentInspection {
  /// Items that do not say what was stored, with the number for what they say now.
  private static func altered(_ connection: Connection) throws(StoreError) -> [(id: Int64, revision: Int64)] {
    let row = try connection.prepare(
      """
      SELECT i.id, i.revision, i.url, i.title, i.published, i.updated, i.language, c.summary, c.details, c.text, c.html
      FROM items AS i JOIN contents AS c ON c.id = i.id
      """
    )
    var altered: [(id: Int64, revision: Int64)] = []
    while try row.step() {
      var item = StoredItem(ParsedItem(), feedLanguage: nil)
      item.url = row.optionalString(2)
      item.title = row.string(3)
      item.published = row.time(4)
      item.updated = row.time(5)
      item.language = row.optionalString(6)
      item.summary = row.optionalString(7)
      item.details = ItemDetails(row.optionalString(8))
      item.text = row.string(9)
      item.html = row.optionalString(10)
      let stored = row.int64(1)
      let revision = item.revision(under: .guid)
      // The feed may have been told apart in another way when the item was stored.
      guard revision != stored, item.revision(under: .content) != stored else { continue }
      altered.append((row.int64(0), revision))
    }
    return altered
  }

  static func problems(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    let altered = try altered(connection)
    guard !altered.isEmpty else { return [] }
    let ids = altered.prefix(20).map { "\($0.id)" }.joined(separator: " ")
    let more = altered.count > 20 ? " …" : ""
    return [
      StoreProblem(
        kind: .reference,
        message: "\(altered.count) items do not say what was stored: \(ids)\(more)",
        isRepairable: true
      )
    ]
  }

  /// What they say now counts; where the feed still has the item, its next edit brings the right text.
  static func repair(_ connection: Connection) throws(StoreError) {
    let update = try connection.prepare("UPDATE items SET revision = ? WHERE id = ?")
    for (id, revision) in try altered(connection) {
      try update.bind(1, revision)
      try update.bind(2, id)
      try update.run()
    }
  }
}
