import NewsCore
import NewsSearch
import NewsStoresShared

/// Reads items by key, and caches their feeds.
final class ItemReader {
  private let connection: Connection
  private let parts: ItemParts
  private var feeds: [Int64: ItemFeed] = [:]
  /// False if no item of the snapshot has an article; look-ups are then skipped. Nil until this is known.
  private var hasArticles: Bool?
  /// False if no item of the snapshot has a label.
  private var hasLabels: Bool?

  init(_ connection: Connection, parts: ItemParts) {
    self.connection = connection
    self.parts = parts
  }

  private static let narrow = "SELECT \(ItemEntry.columns) FROM items AS i WHERE i.key = $1"
  private static let wide = """
    SELECT \(ItemEntry.columns), c.summary, c.details, c.text, c.html
    FROM items AS i LEFT JOIN contents AS c ON c.id = i.id WHERE i.key = $1
    """

  func entry(_ key: ItemKey) throws(StoreError) -> ItemEntry? {
    let needsContents = !parts.isDisjoint(with: [.contentText, .contentHTML, .details, .excerpt])
    // Bound by number: a list of all items reads millions of rows, one by one.
    let statement = try connection.prepare(needsContents ? Self.wide : Self.narrow)
    try statement.bind(1, key.rawValue)
    guard try statement.step() else { return nil }
    let row = statement.row
    let entry = ItemEntry.read(row, of: try feed(row.int64(1)), sortTime: key.sortTime)
    var needsMore = needsContents || parts.contains(.article) || showsBeginning(of: entry.item)
    if !needsMore, parts.contains(.headlineText) { needsMore = try looksUpLabels() }
    return needsMore ? try complete(entry, from: row, needsContents: needsContents) : entry
  }

  /// Adds what `entry` lacks of the requested parts.
  private func complete(
    _ entry: ItemEntry,
    from row: CurrentRow,
    needsContents: Bool
  ) throws(StoreError) -> ItemEntry {
    var entry = entry
    if needsContents {
      entry.item.add(
        parts,
        (row.optionalString(16), row.optionalString(17), row.string(18), row.optionalString(19))
      )
    }
    if !parts.isDisjoint(with: [.details, .headlineText]), try looksUpLabels() {
      let id = entry.item.id.rawValue
      entry.item.labels = try connection.labels(of: [id])[id] ?? []
    }
    if parts.contains(.article), try looksUpArticles() {
      entry.item.article = try article(of: entry.item.id)
    }
    if showsBeginning(of: entry.item) { try readBeginning(of: &entry.item) }
    return entry
  }

  /// True: the list shows the beginning of the item's text.
  private func showsBeginning(of item: NewsItem) -> Bool {
    parts.contains(.preview) || (parts.contains(.headlineText) && item.title.isEmpty)
  }

  private func looksUpArticles() throws(StoreError) -> Bool {
    if let hasArticles { return hasArticles }
    let found = try connection.number("SELECT EXISTS (SELECT 1 FROM articles)") == 1
    hasArticles = found
    return found
  }

  private func looksUpLabels() throws(StoreError) -> Bool {
    if let hasLabels { return hasLabels }
    let found = try connection.hasLabels()
    hasLabels = found
    return found
  }

  func item(_ key: ItemKey) throws(StoreError) -> NewsItem? {
    try entry(key)?.item
  }

  private func readBeginning(of item: inout NewsItem) throws(StoreError) {
    let showsPicture = parts.contains(.preview)
    let searched = """
      CASE WHEN \(Connection.byteCount(of: "details")) <= \(ItemEntry.searchedDetails) THEN details END,
        substr(html, 1, \(PictureInText.searchedBytes))
      """
    let beginnings = ["summary", "text"].map { "substr(\($0), 1, \(ItemEntry.standInLength))" }
    let texts = try connection.first(
      """
      SELECT \(beginnings.joined(separator: ", ")), \(showsPicture ? searched : "NULL, NULL")
      FROM contents WHERE id = $1
      """,
      item.id
    ) {
      (
        summary: $0.optionalString(0), text: $0.string(1), details: $0.optionalString(2),
        html: $0.optionalString(3)
      )
    }
    guard let texts else { return }
    item.addPreview(summary: texts.summary, text: texts.text, details: texts.details, html: texts.html)
  }

  private func article(of id: NewsItem.ID) throws(StoreError) -> ItemArticle? {
    try connection.first(
      "SELECT state, reason, fetched, feed_text, feed_html FROM articles WHERE item = $1",
      id
    ) { ItemArticle($0, from: 0) } ?? nil
  }

  private func feed(_ id: Int64) throws(StoreError) -> ItemFeed {
    if let known = feeds[id] { return known }
    let feed = try connection.first(
      "SELECT coalesce(user_title, own_title, url), url, identity FROM feeds WHERE id = $1",
      id
    ) { ItemFeed(title: $0.string(0), url: $0.string(1), policy: $0.optionalString(2)) }
    if let feed { feeds[id] = feed }
    return feed ?? ItemFeed(title: "", url: "", policy: nil)
  }

  /// Returns the key of an item; nil if no item has this id.
  static func key(of id: NewsItem.ID, _ connection: Connection) throws(StoreError) -> ItemKey? {
    try connection.first("SELECT key FROM items WHERE id = $1", id) { ItemKey($0) }
  }
}

/// Reads the items of a selection, with excerpts if requested.
struct MatchReader {
  private let request: ItemRequest
  private let reader: ItemReader
  private let highlighter: MatchHighlighter?

  init(_ selection: Selection, _ connection: Connection) {
    request = selection.request
    reader = ItemReader(connection, parts: request.parts)
    highlighter = request.parts.contains(.excerpt) ? MatchHighlighter(request.query) : nil
  }

  /// Returns the item with this key. Returns nil if the item was removed since the key was read, or if the store is
  /// damaged.
  func match(_ key: ItemKey, _ folded: Int) throws(StoreError) -> ItemMatch? {
    guard let item = try reader.item(key) else { return nil }
    return .of(item, folded: folded, highlighter, request.parts)
  }
}
