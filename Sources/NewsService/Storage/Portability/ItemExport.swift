import NewsCore
import NewsToolbox

/// Writes items as lines of an export. Times are seconds since 1970, so that all times round-trip.
enum ItemExport {
  /// The item's sort time, exported if it does not follow from the item's dates.
  private static let time = "((i.key >> \(ItemKey.placeBits)) - \(ItemKey.epoch))"
  private static let head = """
    i.id, i.feed, i.sequence, i.first_sequence, i.change, i.is_read, i.is_starred, i.cluster, i.published,
      i.updated, i.stored, i.language, i.guid, i.url, i.title,
      CASE WHEN i.published IS NULL AND \(time) < i.stored THEN \(time) END
    """

  /// Returns the item without its texts.
  static func headLine(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> JSONValue? {
    let row = try connection.prepare("SELECT \(head) FROM items AS i WHERE i.key = ?")
    try row.bind(1, key.rawValue)
    guard try row.step() else { return nil }
    return ExportLine.head(row)
  }

  /// Returns the items with ids after `after`, with their versions, in the order of ids. `last` is the last id read, or
  /// nil at the end.
  static func page(
    after: Int64,
    through highest: Int64,
    limit: Int,
    _ connection: Connection
  ) throws(StoreError) -> (lines: [JSONValue], last: Int64?) {
    let items = try connection.prepare(
      "SELECT key, id FROM items WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"
    )
    try items.bind(1, after)
    try items.bind(2, highest)
    try items.bind(3, limit)
    var lines: [JSONValue] = []
    var last: Int64?
    var count = 0
    while try items.step() {
      count += 1
      if count == limit { last = items.int64(1) }
      guard let line = try line(ItemKey(rawValue: items.int64(0)), connection) else { continue }
      lines.append(try withVersions(line, connection))
    }
    return (lines, last)
  }

  /// Returns the item without its versions.
  static func line(
    _ key: ItemKey,
    withLabels: Bool = true,
    _ connection: Connection
  ) throws(StoreError) -> JSONValue? {
    let row = try connection.prepare(
      """
      SELECT \(head), c.summary, c.details, c.text, c.html
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.key = ?
      """
    )
    try row.bind(1, key.rawValue)
    guard try row.step() else { return nil }
    let id = row.int64(0)
    return ExportLine.item(
      row,
      article: try ExportedArticle(of: id, connection),
      labels: withLabels ? try ItemLabels.exported(of: id, connection) : []
    )
  }

  /// Adds the item's versions to its line.
  static func withVersions(_ line: JSONValue, _ connection: Connection) throws(StoreError) -> JSONValue {
    guard let id = line["id"]?.integer, let text = line["text"]?.string else { return line }
    let versions = try ItemVersions.all(of: NewsItem.ID(rawValue: id), text: text, connection)
    return ExportLine.with(versions, line)
  }
}
