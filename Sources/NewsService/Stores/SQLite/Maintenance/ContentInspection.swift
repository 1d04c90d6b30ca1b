import NewsStoresShared
import NewsCore

/// Compares the content of items with their stored hashes. SQLite detects damage to its own structures, but not changed
/// bytes within a text.
enum ContentInspection {
  /// Maximum number of items per snapshot, if a check uses several.
  private static let portion = 5000

  /// Returns the items after `last` whose content does not match the stored hash, each with the hash of its
  /// current content. Sets `last` to the last item read, or to nil at the end.
  private static func altered(
    after last: inout Int64?,
    limit: Int,
    _ connection: Connection
  ) throws(StoreError) -> [(id: Int64, revision: Int64)] {
    let start = last ?? .min
    last = nil
    var count = 0
    var altered: [(id: Int64, revision: Int64)] = []
    try connection.forEachRow(
      """
      SELECT i.id, i.revision, i.url, i.title, i.published, i.updated, i.language, c.summary, c.details,
        coalesce(a.feed_text, c.text), CASE WHEN a.feed_text IS NULL THEN c.html ELSE a.feed_html END
      FROM items AS i JOIN contents AS c ON c.id = i.id LEFT JOIN articles AS a ON a.item = i.id
      WHERE i.id > $1 ORDER BY i.id LIMIT $2
      """,
      start,
      limit
    ) { row in
      count += 1
      if count == limit { last = row.int64(0) }
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
      // The hash may be from before the feed's identity policy changed.
      guard revision != stored, item.revision(under: .content) != stored else { return }
      altered.append((row.int64(0), revision))
    }
    return altered
  }

  /// Checks all items, with one snapshot per portion.
  static func problems(
    _ store: NewsStore,
    step: (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> [StoreProblem] {
    var found: [Int64] = []
    var last: Int64? = .min
    let total = Int(
      try await store.read { (connection) throws(StoreError) in try connection.value(of: .items) }
    )
    var done = 0
    while let after = last {
      let (ids, next) = try await store.read { (connection) throws(StoreError) -> ([Int64], Int64?) in
        var last: Int64? = after
        let altered = try altered(after: &last, limit: portion, connection)
        return (altered.map(\.id), last)
      }
      found += ids
      last = next
      done += portion
      step(min(done, total), total)
    }
    return problems(of: found)
  }

  /// Checks all items in the current snapshot of `connection`.
  static func problems(_ connection: Connection) throws(StoreError) -> [StoreProblem] {
    var last: Int64? = .min
    return problems(of: try altered(after: &last, limit: .max, connection).map(\.id))
  }

  private static func problems(of altered: [Int64]) -> [StoreProblem] {
    guard !altered.isEmpty else { return [] }
    let ids = altered.prefix(20).map(String.init).joined(separator: " ")
    let more = altered.count > 20 ? " …" : ""
    return [
      StoreProblem(
        kind: .reference,
        message: "the contents of \(altered.count) items do not match their checksums: \(ids)\(more)",
        isRepairable: true
      )
    ]
  }

  /// Accepts the current content of altered items by storing its hash. If the feed still contains the item, the feed's
  /// next edit restores the text.
  static func repair(_ connection: Connection) throws(StoreError) {
    var last: Int64? = .min
    for (id, revision) in try altered(after: &last, limit: .max, connection) {
      try connection.run("UPDATE items SET revision = $1 WHERE id = $2", revision, id)
    }
  }
}
