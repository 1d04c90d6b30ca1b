import NewsStoresShared
import CSQLite
public import NewsCore

/// Reads the cache of newsboat.
public struct NewsboatCache: Sendable {
  public init() {}

  public func feeds(inNewsboatCache path: String) throws(StoreError) -> [ImportedFeed] {
    let connection = try Connection(path: path, access: .reading, busyTimeout: 2_000)
    // Limit the work: a view or generated column in a hostile file could compute forever or produce values of any size.
    let budget = try QueryBudget(of: path, connection)
    defer { withExtendedLifetime(budget) {} }
    guard
      try connection.number(
        """
        SELECT count(*) FROM sqlite_master
        WHERE name IN ('rss_feed', 'rss_item') AND type = 'table' AND sql LIKE 'CREATE TABLE %'
        """
      ) == 2
    else {
      throw StoreError(code: .badQuery, message: "\(path) is not a cache of newsboat")
    }
    do {
      return try connection.snapshot { () throws(StoreError) in try feeds(connection) }
    } catch  where budget.isSpent || error.code == .other {
      let reason = budget.isSpent ? "reading it takes too long for its size" : error.message
      throw StoreError(code: .badQuery, message: "\(path) is not a cache of newsboat: \(reason)")
    }
  }

  private func feeds(_ connection: Connection) throws(StoreError) -> [ImportedFeed] {
    var items = try items(connection)
    let statement = try connection.prepare("SELECT rssurl, title, url FROM rss_feed ORDER BY rowid")
    var feeds: [ImportedFeed] = []
    while try statement.step() {
      let url = statement.string(0)
      let title = statement.optionalString(1).flatMap { $0.isEmpty ? nil : $0 }
      let site = statement.optionalString(2).flatMap { $0.isEmpty ? nil : $0 }
      let feed = NewFeed(url: url, title: title, siteURL: site)
      feeds.append(ImportedFeed(feed: feed, items: items.removeValue(forKey: url) ?? []))
    }
    return feeds
  }

  /// Returns all items by feed URL, newest first.
  private func items(_ connection: Connection) throws(StoreError) -> [String: [ImportedItem]] {
    // Read only columns that exist since newsboat 2.10. Older versions of newsboat stored empty text instead of NULL.
    let row = try connection.prepare(
      """
      SELECT guid, title, author, url, pubDate, content, unread, enclosure_url, enclosure_type, flags,
        deleted, feedurl
      FROM rss_item ORDER BY pubDate DESC, id DESC
      """
    )
    var items: [String: [ImportedItem]] = [:]
    while try row.step() {
      func text(_ column: Int32) -> String? { row.optionalString(column).flatMap { $0.isEmpty ? nil : $0 } }
      var item = ParsedItem()
      item.id = text(0)
      item.title = text(1)
      if let author = text(2) { item.authors = [Author(name: author)] }
      item.url = text(3)
      let published = row.int64(4)
      item.published =
        published == 0 || !ExportColumn.numbers.contains(published) ? nil : Timestamp(seconds: published)
      item.contentHTML = text(5)
      if let enclosure = text(7) { item.enclosures = [Enclosure(url: enclosure, mimeType: text(8))] }
      let flags = text(9) ?? ""
      items[row.string(11), default: []].append(
        ImportedItem(
          item: item,
          isRead: !row.bool(6),
          isStarred: !flags.isEmpty,
          isRemoved: row.bool(10),
          tags: flags.unicodeScalars.map { "flag-\($0)" }
        )
      )
    }
    return items
  }
}

/// Interrupts a statement that executes more instructions than the file size justifies, and limits the length of
/// values.
private final class QueryBudget {
  /// SQLite instructions between two calls of the progress handler.
  private static let interval: Int32 = 10_000
  private static let longestValue: Int32 = 64 << 20

  private var left: Int64
  private let connection: Connection
  var isSpent: Bool { left < 0 }

  init(of path: String, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    let pages = try connection.number("PRAGMA page_count") ?? 0
    // Allow 64 instructions per byte of the file: a row has at least ten bytes, and to read and sort it takes
    // some hundred instructions.
    left = 1000 + pages * (try connection.number("PRAGMA page_size") ?? 0) * 64 / Int64(Self.interval)
    sqlite3_limit(connection.raw, SQLITE_LIMIT_LENGTH, Self.longestValue)
    // SQLite calls the handler only while a statement of this connection runs, so no retain is needed.
    sqlite3_progress_handler(
      connection.raw,
      Self.interval,
      { context in
        guard let context else { return 1 }
        let budget = Unmanaged<QueryBudget>.fromOpaque(context).takeUnretainedValue()
        budget.left -= 1
        return budget.left < 0 ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  deinit { sqlite3_progress_handler(connection.raw, 0, nil, nil) }
}
