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
    \(ItemEntry.columns), coalesce(f.user_title, f.own_title, f.url, ''), coalesce(f.url, ''), f.identity
    """

  /// The items that exist, by id.
  func entries(_ ids: [Int64]) throws(StoreError) -> [Int64: ItemEntry] {
    guard !ids.isEmpty else { return [:] }
    let needsContents = !parts.isDisjoint(with: [.contentText, .contentHTML, .details, .excerpt])
    let needsBeginnings = !parts.isDisjoint(with: [.headlineText, .preview])
    let selected = parts.contains(.preview) ? "true" : "i.title = ''"
    let needsArticles = parts.contains(.article)
    var columns = Self.columns
    if needsContents {
      columns += ", c.summary, c.details, c.text, c.html"
    } else if needsBeginnings {
      let showsPicture = parts.contains(.preview)
      let details = "CASE WHEN octet_length(c.details) <= \(ItemEntry.searchedDetails) THEN c.details END"
      columns += ", CASE WHEN \(selected) THEN left(c.summary, \(ItemEntry.standInLength)) END, "
      columns += "\(showsPicture ? details : "NULL::text"), "
      columns += "CASE WHEN \(selected) THEN left(c.text, \(ItemEntry.standInLength)) END, "
      columns += showsPicture ? "left(c.html, \(PictureInText.searchedBytes))" : "NULL::text"
    } else {
      columns += ", NULL::text, NULL::text, NULL::text, NULL::text"
    }
    if needsArticles { columns += ", a.state, a.reason, a.fetched, a.feed_text, a.feed_html" }
    columns += ", i.sort"
    let sortColumn: Int32 = needsArticles ? 28 : 23
    let rows = try connection.query(
      """
      SELECT \(columns) FROM items AS i LEFT JOIN feeds AS f ON f.id = i.feed
      \(needsContents || needsBeginnings ? "LEFT JOIN contents AS c ON c.id = i.id" : "")
      \(needsArticles ? "LEFT JOIN articles AS a ON a.item = i.id" : "")
      WHERE i.id = ANY($1::bigint[])
      """,
      StoreValue.array(ids)
    )
    let needsLabels = !parts.isDisjoint(with: [.details, .headlineText])
    let labels = needsLabels ? try connection.labels(of: ids) : [:]
    var entries: [Int64: ItemEntry] = [:]
    for row in rows {
      let feed = ItemFeed(title: row.string(16), url: row.string(17), policy: row.optionalString(18))
      var entry = ItemEntry.read(row, of: feed, sortTime: Timestamp(seconds: row.int64(sortColumn)))
      if needsContents {
        entry.item.add(
          parts,
          (row.optionalString(19), row.optionalString(20), row.string(21), row.optionalString(22))
        )
      }
      if needsBeginnings, parts.contains(.preview) || entry.item.title.isEmpty {
        entry.item.addPreview(
          summary: row.optionalString(19),
          text: row.string(21).prefix(scalars: ItemEntry.standInLength),
          details: row.optionalString(20),
          html: row.optionalString(22)
        )
      }
      entry.item.labels = labels[entry.item.id.rawValue] ?? []
      if needsArticles { entry.item.article = ItemArticle(row, from: 23) }
      entries[entry.item.id.rawValue] = entry
    }
    return entries
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
