package import NewsStoresShared
package import NewsCore
import NewsToolbox

/// Writes items as lines of an export. Times are seconds since 1970, so that all times round-trip.
enum ItemExport {
  /// The item's sort time is exported if it does not follow from the item's dates.
  private static let time = Connection.sortTime
  private static let head = """
    i.id, i.feed, i.sequence, i.first_sequence, i.change, i.is_read, i.is_starred, i.cluster, i.published,
      i.updated, i.stored, i.language, i.guid, i.url, i.title,
      CASE WHEN i.published IS NULL AND \(time) < i.stored THEN \(time) END
    """

  /// Returns the item without its texts.
  static func headLine(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> JSONValue? {
    try connection.first("SELECT \(head) FROM items AS i WHERE i.key = $1", key) { ExportLine.head($0) }
  }

  /// Returns the item without its versions. `labels` are the labels of all items by id; if nil, the item's labels are
  /// looked up.
  static func line(
    _ key: ItemKey,
    labels: [Int64: [String]]?,
    _ connection: Connection
  ) throws(StoreError) -> JSONValue? {
    try connection.first(
      """
      SELECT \(head), c.summary, c.details, c.text, c.html
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.key = $1
      """,
      key
    ) { (row) throws(StoreError) in
      let id = row.int64(0)
      let known = if let labels { labels } else { try connection.labels(of: [id]) }
      return ExportLine.item(row, article: try connection.exportedArticle(of: id), labels: known[id] ?? [])
    }
  }

  /// Adds the item's versions to its line.
  static func withVersions(_ line: JSONValue, _ connection: Connection) throws(StoreError) -> JSONValue {
    guard let id = line["id"]?.integer, let text = line["text"]?.string else { return line }
    return try connection.addVersions(of: NewsItem.ID(rawValue: id), text: text, to: line)
  }
}

extension Connection {
  package func exportedItems(
    after: Int64,
    through last: Int64,
    limit: Int
  ) throws(StoreError) -> ExportPage {
    let items = try rows(
      "SELECT key, id FROM items WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3",
      after,
      last,
      limit
    ) { (key: ItemKey(rawValue: $0.int64(0)), id: $0.int64(1)) }
    let labels = try labels(of: items.map(\.id))
    var page = ExportPage()
    var bytes = 0
    for item in items {
      guard let line = try ItemExport.line(item.key, labels: labels, self) else { continue }
      let whole = try ItemExport.withVersions(line, self)
      page.lines.append(whole)
      bytes += whole.textBytes
      guard bytes < ExportPage.mostBytes else {
        page.last = item.id
        return page
      }
    }
    page.last = items.count == limit ? items.last?.id : nil
    return page
  }
}
