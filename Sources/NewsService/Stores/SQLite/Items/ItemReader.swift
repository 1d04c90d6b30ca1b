import NewsStoresShared
import NewsCore

/// Reads items by key, and caches their feeds.
final class ItemReader {
  private let connection: Connection
  private let parts: ItemParts
  private var feeds: [Int64: (title: String, url: String, policy: String?)] = [:]
  /// False if no item of the snapshot has an article; look-ups are then skipped. Nil until this is known.
  private var hasArticles: Bool?

  init(_ connection: Connection, parts: ItemParts) {
    self.connection = connection
    self.parts = parts
  }

  private static let columns = """
    i.id, i.feed, i.guid, i.url, i.title, i.published, i.updated, i.stored, i.language, i.is_read, i.is_starred, \
    i.sequence, i.cluster, i.change, i.first_sequence, i.identity
    """
  private static let narrow = "SELECT \(columns) FROM items AS i WHERE i.key = ?"
  private static let wide = """
    SELECT \(columns), c.summary, c.details, c.text, c.html
    FROM items AS i LEFT JOIN contents AS c ON c.id = i.id WHERE i.key = ?
    """

  func entry(_ key: ItemKey) throws(StoreError) -> ItemEntry? {
    let needsContents = !parts.isDisjoint(with: [.contentText, .contentHTML, .details, .excerpt])
    let row = try connection.prepare(needsContents ? Self.wide : Self.narrow)
    try row.bind(1, key.rawValue)
    guard try row.step() else { return nil }
    let feed = try feed(row.int64(1))
    let url = row.optionalString(3)
    let names = ItemEntry.names(
      guid: row.optionalString(2),
      url: url,
      identity: row.int64(15),
      policy: feed.policy
    )
    var item = NewsItem(
      id: NewsItem.ID(rawValue: row.int64(0)),
      feedID: Feed.ID(rawValue: row.int64(1)),
      feedTitle: feed.title,
      feedURL: feed.url,
      guid: names.guid,
      derivedID: names.derivedID,
      title: row.string(4),
      url: url,
      published: row.time(5),
      updated: row.time(6),
      stored: row.time(7) ?? key.sortTime,
      language: row.optionalString(8),
      isRead: row.bool(9),
      isStarred: row.bool(10),
      sequence: row.int64(11),
      cluster: row.optionalInt64(12)
    )
    if item.published == nil, key.sortTime < item.stored { item.position = key.sortTime }
    if needsContents {
      item.add(
        parts,
        (row.optionalString(16), row.optionalString(17), row.string(18), row.optionalString(19))
      )
    }
    if parts.contains(.article), try looksUpArticles() {
      item.article = try ItemArticles.read(item.id, connection)
    }
    if parts.contains(.headlineText), item.title.isEmpty { try readTitleReplacement(for: &item) }
    return ItemEntry(item: item, change: row.int64(13), firstSequence: row.int64(14))
  }

  private func looksUpArticles() throws(StoreError) -> Bool {
    if let hasArticles { return hasArticles }
    let found = try connection.integer("SELECT EXISTS (SELECT 1 FROM articles)") == 1
    hasArticles = found
    return found
  }

  func item(_ key: ItemKey) throws(StoreError) -> NewsItem? {
    try entry(key)?.item
  }

  private func readTitleReplacement(for item: inout NewsItem) throws(StoreError) {
    let row = try connection.prepare(
      "SELECT summary, substr(text, 1, \(ItemEntry.standInLength)) FROM contents WHERE id = ?"
    )
    try row.bind(1, item.id.rawValue)
    guard try row.step() else { return }
    item.summary = row.optionalString(0)
    if item.contentText.isEmpty { item.contentText = row.string(1) }
  }

  private func feed(_ id: Int64) throws(StoreError) -> (title: String, url: String, policy: String?) {
    if let known = feeds[id] { return known }
    let statement = try connection.prepare(
      "SELECT coalesce(user_title, own_title, url), url, identity FROM feeds WHERE id = ?"
    )
    try statement.bind(1, id)
    guard try statement.step() else { return ("", "", nil) }
    // Redact the URL: only the fetcher may read a password.
    let feed = (
      title: WebAddress.redacted(statement.string(0)), url: WebAddress.redacted(statement.string(1)),
      policy: statement.optionalString(2)
    )
    feeds[id] = feed
    return feed
  }

  /// Returns the key of an item; nil if no item has this id.
  static func key(of id: NewsItem.ID, _ connection: Connection) throws(StoreError) -> ItemKey? {
    let statement = try connection.prepare("SELECT key FROM items WHERE id = ?")
    try statement.bind(1, id.rawValue)
    return try statement.step() ? ItemKey(rawValue: statement.int64(0)) : nil
  }
}
