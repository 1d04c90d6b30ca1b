import NewsStoresShared
import CSQLite
public import NewsCore
import NewsToolbox

/// Reads the databases of other readers: newsboat, FreshRSS, yarr, NetNewsWire and Liferea.
public struct ReaderDatabase: Sendable {
  public init() {}

  public func feeds(inDatabase path: String) throws(StoreError) -> [ImportedFeed] {
    try feeds(try Connection(path: path, access: .reading, busyTimeout: 2_000), name: path)
  }

  /// Reads a database in memory. `name` is for messages.
  public func feeds(inBytes bytes: [UInt8], name: String) throws(StoreError) -> [ImportedFeed] {
    let connection = try Connection(path: ":memory:", access: .creating, busyTimeout: 0)
    guard bytes.count >= 100, let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: it is truncated")
    }
    bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: bytes.count) }
    let content = copy.assumingMemoryBound(to: UInt8.self)
    // The versions of the format for writing and reading: SQLite opens no database in memory that declares a WAL.
    (content[18], content[19]) = (1, 1)
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    let size = Int64(bytes.count)
    // SQLite frees the copy, also if this fails.
    guard sqlite3_deserialize(connection.raw, "main", content, size, size, flags) == SQLITE_OK else {
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: SQLite cannot read it")
    }
    do throws(StoreError) { return try feeds(connection, name: name) } catch {
      guard error.code != .badQuery else { throw error }
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: \(error.message)")
    }
  }

  private func feeds(_ connection: Connection, name: String) throws(StoreError) -> [ImportedFeed] {
    // Limit the work: a view or generated column in a hostile file could compute forever or produce values of any size.
    let budget = try QueryBudget(of: name, connection)
    defer { withExtendedLifetime(budget) {} }
    do throws(StoreError) {
      // Only real tables: a view, a virtual table or a generated column could compute anything.
      let tables = try connection.rows(
        """
        SELECT name FROM sqlite_master AS t WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
          AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) WHERE hidden > 1) LIMIT 1000
        """
      ) { $0.string(0) }
      guard let format = ReaderDatabaseFormat.all.first(where: { $0.tables.isSubset(of: tables) }) else {
        let known = ReaderDatabaseFormat.all.map(\.reader).joined(separator: ", ")
        throw StoreError(
          code: .badQuery,
          message: "\(name) is a database of no reader that newsd can import from: \(known)"
        )
      }
      return try connection.snapshot { () throws(StoreError) in try feeds(format, connection, budget) }
    } catch  where budget.isSpent || error.code == .other {
      let reason = budget.isSpent ? "reading it takes too long for its size" : error.message
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: \(reason)")
    }
  }

  private func feeds(
    _ format: ReaderDatabaseFormat,
    _ connection: Connection,
    _ budget: QueryBudget
  ) throws(StoreError) -> [ImportedFeed] {
    var items = try items(format, connection, budget)
    let row = try connection.prepare(format.feeds)
    var feeds: [ImportedFeed] = []
    while try row.step() {
      func text(_ column: Int32) -> String? { row.optionalString(column).flatMap { $0.isEmpty ? nil : $0 } }
      let feed = NewFeed(url: row.string(1), title: text(2), siteURL: text(3), folder: text(4))
      feeds.append(ImportedFeed(feed: feed, items: items.removeValue(forKey: row.string(0)) ?? []))
      try budget.take([feed.url, feed.title, feed.siteURL, feed.folder])
    }
    return feeds
  }

  /// Returns all items by the key of their feed, newest first.
  private func items(
    _ format: ReaderDatabaseFormat,
    _ connection: Connection,
    _ budget: QueryBudget
  ) throws(StoreError) -> [String: [ImportedItem]] {
    let row = try connection.prepare(format.items)
    var items: [String: [ImportedItem]] = [:]
    while try row.step() {
      // Old versions of newsboat stored empty text instead of NULL.
      func text(_ column: Int32) -> String? { row.optionalString(column).flatMap { $0.isEmpty ? nil : $0 } }
      func names(_ column: Int32) -> [String] {
        (text(column) ?? "").split(separator: ReaderDatabaseFormat.separator).map(String.init)
      }
      func time(_ column: Int32) -> Timestamp? {
        let seconds = row.int64(column)
        return seconds <= 0 || !ExportColumn.numbers.contains(seconds) ? nil : Timestamp(seconds: seconds)
      }
      // Count the texts before anything is made of them.
      try budget.takeRow(
        ReaderDatabaseFormat.texts.map { row.optionalString($0) },
        names: ReaderDatabaseFormat.names.compactMap { text($0) }
      )
      // newsboat's flags are letters, each once; a hostile file may have others.
      var flags: [UInt8] = []
      for byte in (text(13) ?? "").utf8 where ASCII.isLetter(byte) && !flags.contains(byte) {
        flags.append(byte)
      }
      var item = ParsedItem()
      item.url = text(4)
      // Readers store the link as the guid of an item that has none.
      item.id = text(1).flatMap { $0 == item.url ? nil : $0 }
      item.title = text(2)
      if let author = text(3) { item.authors = [Author(name: author)] }
      item.published = time(5)
      item.contentHTML = text(6)
      item.contentText = text(7)
      if let enclosure = text(8) { item.enclosures = [Enclosure(url: enclosure, mimeType: text(9))] }
      var imported = ImportedItem(
        item: item,
        isRead: row.bool(10),
        isStarred: row.bool(11),
        isRemoved: row.bool(12),
        tags: flags.map { "flag-\(UnicodeScalar($0))" },
        stored: time(16)
      )
      imported.labels = names(14)
      imported.item.tags = names(15).map { Category(term: $0) }
      items[row.string(0), default: []].append(imported)
    }
    return items
  }
}

/// Where a reader's database has what newsd imports.
struct ReaderDatabaseFormat {
  var reader: String
  /// The tables by which a database is recognized.
  var tables: Set<String>
  /// Selects the feeds: key, URL, title, site, folder.
  var feeds: String
  /// Selects the items, newest first: key of the feed, guid, title, author, link, time of publication in seconds since
  /// 1970, HTML, plain text, URL and type of an enclosure, read, starred, removed, newsboat's flags, labels, tags, time
  /// of storing.
  var items: String

  /// Separates names in a column: no name contains it.
  static let separator: Character = "\u{1F}"
  /// The columns of items that have text.
  static let texts: [Int32] = [0, 1, 2, 3, 4, 6, 7, 8, 9, 13, 14, 15]
  /// Those with names.
  static let names: [Int32] = [14, 15]

  static let all = [newsboat, freshRSS, yarr, netNewsWire, liferea]

  /// newsboat's `cache.db`. Only columns that exist since newsboat 2.10.
  private static let newsboat = ReaderDatabaseFormat(
    reader: "newsboat",
    tables: ["rss_feed", "rss_item"],
    feeds: "SELECT rssurl, rssurl, title, url, NULL FROM rss_feed ORDER BY rowid",
    items: """
      SELECT feedurl, guid, title, author, url, pubDate, content, NULL, enclosure_url, enclosure_type,
        NOT unread, coalesce(flags, '') <> '', deleted, flags, NULL, NULL, NULL
      FROM rss_item ORDER BY pubDate DESC, id DESC
      """
  )

  /// FreshRSS's export of a user as SQLite, and the database of a user of an installation with SQLite.
  private static let freshRSS = ReaderDatabaseFormat(
    reader: "FreshRSS",
    tables: ["feed", "entry", "category", "tag", "entrytag"],
    feeds: """
      SELECT f.id, \(unescaped("f.url")), \(unescaped("f.name")), \(unescaped("f.website")),
        CASE WHEN c.id > 1 THEN \(unescaped("c.name")) END
      FROM feed AS f LEFT JOIN category AS c ON c.id = f.category ORDER BY f.id
      """,
    items: """
      SELECT id_feed, guid, \(unescaped("title")), trim(\(unescaped("author")), '; '), \(unescaped("link")), date,
        content, NULL, NULL, NULL, is_read, is_favorite, 0, NULL,
        (SELECT group_concat(\(unescaped("t.name")), char(31)) FROM entrytag AS l JOIN tag AS t ON t.id = l.id_tag
          WHERE l.id_entry = e.id),
        replace(replace(\(unescaped("tags")), ' #', char(31)), '#', ''), id / 1000000
      FROM entry AS e ORDER BY date DESC, id DESC
      """
  )

  /// yarr's `storage.db`; status 2 is starred, and starred items are read.
  private static let yarr = ReaderDatabaseFormat(
    reader: "yarr",
    tables: ["feeds", "items", "folders"],
    feeds: """
      SELECT f.id, f.feed_link, f.title, f.link, d.title
      FROM feeds AS f LEFT JOIN folders AS d ON d.id = f.folder_id ORDER BY f.id
      """,
    items: """
      SELECT feed_id, guid, title, NULL, link, CAST(strftime('%s', date) AS INTEGER) AS seconds, content, NULL, NULL,
        NULL, status <> 0, status = 2, 0, NULL, NULL, NULL, CAST(strftime('%s', date_arrived) AS INTEGER)
      FROM items ORDER BY seconds DESC, id DESC
      """
  )

  /// NetNewsWire's `DB.sqlite3`, which names feeds by their URLs and has no titles. An id that NetNewsWire computed is a
  /// hash of 32 digits.
  private static let netNewsWire = ReaderDatabaseFormat(
    reader: "NetNewsWire",
    tables: ["articles", "statuses"],
    feeds: "SELECT feedID, feedID, NULL, NULL, NULL FROM articles GROUP BY feedID",
    items: """
      SELECT a.feedID,
        CASE WHEN length(a.uniqueID) <> 32 OR a.uniqueID GLOB '*[^0-9a-f]*' THEN a.uniqueID END,
        a.title, NULL, coalesce(nullif(a.url, ''), a.externalURL), CAST(a.datePublished AS INTEGER) AS seconds,
        a.contentHTML, a.contentText, NULL, NULL, coalesce(s.read, 0), coalesce(s.starred, 0), 0, NULL, NULL, NULL,
        CAST(s.dateArrived AS INTEGER)
      FROM articles AS a LEFT JOIN statuses AS s ON s.articleID = a.articleID ORDER BY seconds DESC, a.rowid DESC
      """
  )

  /// Liferea's `liferea.db`.
  private static let liferea = ReaderDatabaseFormat(
    reader: "Liferea",
    tables: ["items", "node", "subscription", "metadata"],
    feeds: """
      SELECT s.node_id, s.source, n.title, NULL, p.title
      FROM subscription AS s LEFT JOIN node AS n ON n.node_id = s.node_id
        LEFT JOIN node AS p ON p.node_id = n.parent_id ORDER BY s.rowid
      """,
    items: """
      SELECT i.node_id, CASE WHEN i.valid_guid THEN i.source_id END, i.title,
        (SELECT m.value FROM metadata AS m WHERE m.item_id = i.item_id AND m.key = 'author' LIMIT 1),
        i.source, i.date, i.description, NULL, NULL, NULL, i.read, i.marked, 0, NULL, NULL, NULL, NULL
      FROM items AS i WHERE coalesce(i.comment, 0) = 0 ORDER BY i.date DESC, i.item_id DESC
      """
  )

  /// FreshRSS stores these texts escaped for HTML (htmlspecialchars).
  private static func unescaped(_ column: String) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "''"), ("&amp;", "&")]
    return pairs.reduce(column) { "replace(\($0), '\($1.0)', '\($1.1)')" }
  }
}

/// Interrupts a statement that executes more instructions than the file size justifies, and limits the length of
/// values, alone and together.
private final class QueryBudget {
  /// SQLite instructions between two calls of the progress handler.
  private static let interval: Int32 = 10_000
  private static let longestValue: Int32 = 64 << 20
  /// What an item and a name count besides their texts: in memory they take more than in the file. Items of readers have
  /// longer texts.
  private static let itemBytes: Int64 = 64
  private static let nameBytes: Int64 = 16

  private var left: Int64
  /// Bytes of text that may still be read. More than the file has can only be computed.
  private var bytesLeft: Int64
  private let connection: Connection
  private let name: String
  var isSpent: Bool { left < 0 }

  init(of name: String, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    self.name = name
    let pages = try connection.number("PRAGMA page_count") ?? 0
    // Allow 64 instructions per byte of the file: a row has at least ten bytes, and to read and sort it takes
    // some hundred instructions.
    let size = pages * (try connection.number("PRAGMA page_size") ?? 0)
    left = 1000 + size * 64 / Int64(Self.interval)
    bytesLeft = 2 * size
    // FreshRSS's texts are stored escaped and read unescaped, so that no value grows.
    sqlite3_limit(
      connection.raw,
      SQLITE_LIMIT_LENGTH,
      Int32(min(max(size, 1 << 20), Int64(Self.longestValue)))
    )
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

  /// Counts an item. `names` are those of its texts that have several names.
  func takeRow(_ texts: [String?], names: [String]) throws(StoreError) {
    bytesLeft -= Self.itemBytes
    let separator = ReaderDatabaseFormat.separator.asciiValue
    for text in names { for byte in text.utf8 where byte == separator { bytesLeft -= Self.nameBytes } }
    try take(texts)
  }

  func take(_ texts: [String?]) throws(StoreError) {
    for case let text? in texts { bytesLeft -= Int64(text.utf8.count) }
    guard bytesLeft >= 0 else {
      throw StoreError(
        code: .badQuery,
        message: "\(name) cannot be imported: it has more texts than its size allows"
      )
    }
  }

  deinit { sqlite3_progress_handler(connection.raw, 0, nil, nil) }
}
