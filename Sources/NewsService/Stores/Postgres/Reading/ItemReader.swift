import NewsStoresShared
import NewsCore

/// Reads items by their ids, many with one statement.
struct ItemReader {
  private let connection: Connection
  private let parts: ItemParts

  init(_ connection: Connection, parts: ItemParts) throws(StoreError) {
    self.connection = connection
    self.parts = parts
  }

  private static let columns = """
    i.id, i.feed, i.guid, i.url, i.title, i.published, i.updated, i.stored, i.language, i.is_read, i.is_starred, \
    i.sequence, i.cluster, i.change, i.first_sequence, i.identity, \
    coalesce(f.user_title, f.own_title, f.url, ''), coalesce(f.url, ''), f.identity
    """

  func item(_ id: NewsItem.ID) throws(StoreError) -> NewsItem? {
    try entries([id.rawValue])[id.rawValue]?.item
  }

  /// The items that exist, by id.
  func entries(_ ids: [Int64]) throws(StoreError) -> [Int64: ItemEntry] {
    guard !ids.isEmpty else { return [:] }
    let needsContents = !parts.isDisjoint(with: [.contentText, .contentHTML, .details, .excerpt])
    let needsTitles = parts.contains(.headlineText)
    let needsArticles = parts.contains(.article)
    var columns = Self.columns
    if needsContents {
      columns += ", c.summary, c.details, c.text, c.html"
    } else if needsTitles {
      columns += ", CASE WHEN i.title = '' THEN c.summary END, NULL::text, "
      columns += "CASE WHEN i.title = '' THEN left(c.text, \(ItemEntry.standInLength)) END, NULL::text"
    } else {
      columns += ", NULL::text, NULL::text, NULL::text, NULL::text"
    }
    if needsArticles { columns += ", a.state, a.reason, a.fetched, a.feed_text, a.feed_html" }
    columns += ", i.sort"
    let sortColumn: Int32 = needsArticles ? 28 : 23
    let rows = try connection.query(
      """
      SELECT \(columns) FROM items AS i LEFT JOIN feeds AS f ON f.id = i.feed
      \(needsContents || needsTitles ? "LEFT JOIN contents AS c ON c.id = i.id" : "")
      \(needsArticles ? "LEFT JOIN articles AS a ON a.item = i.id" : "")
      WHERE i.id = ANY($1::bigint[])
      """,
      Parameter.array(ids)
    )
    var entries: [Int64: ItemEntry] = [:]
    for row in rows {
      var item = Self.item(row)
      if let sort = row.time(sortColumn), item.published == nil, sort < item.stored { item.position = sort }
      if needsContents {
        item.add(
          parts,
          (row.optionalString(19), row.optionalString(20), row.string(21), row.optionalString(22))
        )
      }
      if needsTitles, item.title.isEmpty {
        item.summary = row.optionalString(19)
        if item.contentText.isEmpty {
          item.contentText = row.string(21).prefix(scalars: ItemEntry.standInLength)
        }
      }
      if needsArticles, let state = ItemArticle.State(rawValue: row.string(23)) {
        item.article = ItemArticle(
          state: state,
          reason: row.optionalString(24),
          fetched: row.time(25),
          feedText: row.optionalString(26),
          feedHTML: row.optionalString(27)
        )
      }
      entries[item.id.rawValue] = ItemEntry(
        item: item,
        change: row.int64(13),
        firstSequence: row.int64(14)
      )
    }
    return entries
  }

  private static func item(_ row: Row) -> NewsItem {
    let url = row.optionalString(3)
    let names = ItemEntry.names(
      guid: row.optionalString(2),
      url: url,
      identity: row.int64(15),
      policy: row.optionalString(18)
    )
    return NewsItem(
      id: NewsItem.ID(rawValue: row.int64(0)),
      feedID: Feed.ID(rawValue: row.int64(1)),
      // Redact the URL: only the fetcher may see a password.
      feedTitle: WebAddress.redacted(row.string(16)),
      feedURL: WebAddress.redacted(row.string(17)),
      guid: names.guid,
      derivedID: names.derivedID,
      title: row.string(4),
      url: url,
      published: row.time(5),
      updated: row.time(6),
      stored: row.time(7) ?? Timestamp(seconds: 0),
      language: row.optionalString(8),
      isRead: row.bool(9),
      isStarred: row.bool(10),
      sequence: row.int64(11),
      cluster: row.optionalInt64(12)
    )
  }

  /// The folders of feeds, by id.
  func folders() throws(StoreError) -> [Int64: String] {
    var folders: [Int64: String] = [:]
    for row in try connection.query("SELECT id, folder FROM feeds WHERE folder IS NOT NULL") {
      folders[row.int64(0)] = row.string(1)
    }
    return folders
  }
}
