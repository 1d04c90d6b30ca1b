import NewsStoresShared
import NewsCore
import NewsToolbox

/// How a reader's database is read.
struct ReaderFormat: Sendable {
  var reader: String
  /// The tables by which a database is recognized.
  var tables: Set<String>
  /// Returns the feeds with their items, newest first.
  var read: @Sendable (ReaderTables) throws(StoreError) -> [ImportedFeed]

  static let all = [newsboat, freshRSS, yarr, netNewsWire, liferea]

  /// newsboat's `cache.db`. Only columns that exist since newsboat 2.10.
  private static let newsboat = ReaderFormat(
    reader: "newsboat",
    tables: ["rss_feed", "rss_item"]
  ) { (tables) throws(StoreError) in
    var items = ReaderItems()
    try tables.rows(of: "rss_item") { (row) throws(StoreError) in
      var entry = ImportedItem(item: ParsedItem())
      entry.item.setAddress(try row.text("url"), guid: try row.text("guid"))
      entry.item.title = try row.text("title")
      entry.item.authors = try row.text("author").map { [Author(name: $0)] } ?? []
      entry.item.contentHTML = try row.text("content")
      if let url = try row.text("enclosure_url") {
        entry.item.enclosures = [Enclosure(url: url, mimeType: try row.text("enclosure_type"))]
      }
      entry.isRead = try !row.bool("unread")
      entry.isRemoved = try row.bool("deleted")
      // The flags are letters, each once; a hostile file may have others.
      var flags: [UInt8] = []
      for byte in try (row.text("flags") ?? "").utf8 where ASCII.isLetter(byte) && !flags.contains(byte) {
        flags.append(byte)
      }
      entry.isStarred = try row.text("flags") != nil
      entry.tags = flags.map { "flag-\(UnicodeScalar($0))" }
      items.add(entry, to: try row.key("feedurl"), published: try row.number("pubdate"))
    }
    var feeds: [ImportedFeed] = []
    try tables.rows(of: "rss_feed") { (row) throws(StoreError) in
      let url = try row.key("rssurl")
      let feed = NewFeed(url: url, title: try row.text("title"), siteURL: try row.text("url"))
      feeds.append(ImportedFeed(feed: feed, items: items.take(of: url)))
    }
    return feeds
  }

  /// FreshRSS's export of a user as SQLite, and the database of a user of an installation with SQLite.
  private static let freshRSS = ReaderFormat(
    reader: "FreshRSS",
    tables: ["feed", "entry", "category", "tag", "entrytag"]
  ) { (tables) throws(StoreError) in
    let categories = try tables.texts("name", of: "category").mapValues(unescaped)
    let labels = try tables.texts("name", of: "tag").mapValues(unescaped)
    var labelled: [String: [String]] = [:]
    try tables.rows(of: "entrytag") { (row) throws(StoreError) in
      if let label = labels[try row.key("id_tag")] {
        labelled[try row.key("id_entry"), default: []].append(label)
      }
    }
    var items = ReaderItems()
    try tables.rows(of: "entry") { (row) throws(StoreError) in
      var entry = ImportedItem(item: ParsedItem())
      entry.item.setAddress(try row.text("link").map(unescaped), guid: try row.text("guid"))
      entry.item.title = try row.text("title").map(unescaped)
      let author = try trimmed(unescaped(row.text("author") ?? ""))
      if !author.isEmpty { entry.item.authors = [Author(name: author)] }
      entry.item.contentHTML = try row.text("content")
      entry.isRead = try row.bool("is_read")
      entry.isStarred = try row.bool("is_favorite")
      let id = try row.number("id")
      entry.stored = ReaderItems.time(id / 1_000_000)
      entry.labels = Array((labelled.removeValue(forKey: String(id)) ?? []).prefix(ParsedItem.longestList))
      let names = tags(try unescaped(row.text("tags") ?? ""))
      entry.item.tags = names.map { Category(term: $0) }
      try tables.takeNames(entry.labels + names)
      items.add(entry, to: try row.key("id_feed"), published: try row.number("date"), order: id)
    }
    var feeds: [ImportedFeed] = []
    try tables.rows(of: "feed") { (row) throws(StoreError) in
      // The first category has the feeds without one.
      let folder = try row.number("category") > 1 ? categories[row.key("category")] : nil
      let feed = NewFeed(
        url: try unescaped(row.key("url")),
        title: try row.text("name").map(unescaped),
        siteURL: try row.text("website").map(unescaped),
        folder: folder
      )
      feeds.append(ImportedFeed(feed: feed, items: items.take(of: try row.key("id"))))
    }
    return feeds
  }

  /// yarr's `storage.db`; status 2 is starred, and starred items are read.
  private static let yarr = ReaderFormat(
    reader: "yarr",
    tables: ["feeds", "items", "folders"]
  ) { (tables) throws(StoreError) in
    let folders = try tables.texts("title", of: "folders")
    var items = ReaderItems()
    try tables.rows(of: "items") { (row) throws(StoreError) in
      var entry = ImportedItem(item: ParsedItem())
      entry.item.setAddress(try row.text("link"), guid: try row.text("guid"))
      entry.item.title = try row.text("title")
      entry.item.contentHTML = try row.text("content")
      let status = try row.number("status")
      (entry.isRead, entry.isStarred) = (status != 0, status == 2)
      entry.stored = ReaderItems.time(try tables.seconds(row.text("date_arrived")))
      items.add(entry, to: try row.key("feed_id"), published: try tables.seconds(row.text("date")))
    }
    var feeds: [ImportedFeed] = []
    try tables.rows(of: "feeds") { (row) throws(StoreError) in
      let feed = NewFeed(
        url: try row.key("feed_link"),
        title: try row.text("title"),
        siteURL: try row.text("link"),
        folder: folders[try row.key("folder_id")]
      )
      feeds.append(ImportedFeed(feed: feed, items: items.take(of: try row.key("id"))))
    }
    return feeds
  }

  /// NetNewsWire's `DB.sqlite3`, which names feeds by their URLs and has no titles.
  private static let netNewsWire = ReaderFormat(
    reader: "NetNewsWire",
    tables: ["articles", "statuses"]
  ) { (tables) throws(StoreError) in
    var statuses: [String: (isRead: Bool, isStarred: Bool, arrived: Int64)] = [:]
    try tables.rows(of: "statuses") { (row) throws(StoreError) in
      statuses[try row.key("articleid")] = (
        try row.bool("read"), try row.bool("starred"), try row.number("datearrived")
      )
    }
    var items = ReaderItems()
    try tables.rows(of: "articles") { (row) throws(StoreError) in
      var entry = ImportedItem(item: ParsedItem())
      // An id that NetNewsWire computed is a hash of 32 digits.
      let id = try row.text("uniqueid").flatMap { isHash($0) ? nil : $0 }
      let (url, otherURL) = (try row.text("url"), try row.text("externalurl"))
      entry.item.setAddress(url ?? otherURL, guid: id)
      entry.item.title = try row.text("title")
      entry.item.contentHTML = try row.text("contenthtml")
      entry.item.contentText = try row.text("contenttext")
      if let status = statuses[try row.key("articleid")] {
        (entry.isRead, entry.isStarred) = (status.isRead, status.isStarred)
        entry.stored = ReaderItems.time(status.arrived)
      }
      items.add(entry, to: try row.key("feedid"), published: try row.number("datepublished"))
    }
    return items.feeds.sorted().map { ImportedFeed(feed: NewFeed(url: $0), items: items.take(of: $0)) }
  }

  /// Liferea's `liferea.db`.
  private static let liferea = ReaderFormat(
    reader: "Liferea",
    tables: ["items", "node", "subscription", "metadata"]
  ) { (tables) throws(StoreError) in
    var authors: [String: String] = [:]
    try tables.rows(of: "metadata") { (row) throws(StoreError) in
      let item = try row.key("item_id")
      if try row.key("key") == "author", authors[item] == nil { authors[item] = try row.text("value") }
    }
    var items = ReaderItems()
    try tables.rows(of: "items") { (row) throws(StoreError) in
      guard try !row.bool("comment") else { return }
      var entry = ImportedItem(item: ParsedItem())
      entry.item.setAddress(
        try row.text("source"),
        guid: try row.bool("valid_guid") ? row.text("source_id") : nil
      )
      entry.item.title = try row.text("title")
      // Liferea has one row of an id; a hostile file may have others, which must not multiply the text.
      entry.item.authors =
        authors.removeValue(forKey: try row.key("item_id")).map { [Author(name: $0)] } ?? []
      entry.item.contentHTML = try row.text("description")
      (entry.isRead, entry.isStarred) = (try row.bool("read"), try row.bool("marked"))
      items.add(entry, to: try row.key("node_id"), published: try row.number("date"))
    }
    var nodes: [String: (title: String?, parent: String)] = [:]
    try tables.rows(of: "node") { (row) throws(StoreError) in
      nodes[try row.key("node_id")] = (try row.text("title"), try row.key("parent_id"))
    }
    var feeds: [ImportedFeed] = []
    try tables.rows(of: "subscription") { (row) throws(StoreError) in
      let key = try row.key("node_id")
      let node = nodes[key]
      let feed = NewFeed(
        url: try row.key("source"),
        title: node?.title,
        folder: node.flatMap { nodes[$0.parent]?.title }
      )
      feeds.append(ImportedFeed(feed: feed, items: items.take(of: key)))
    }
    return feeds
  }

  // MARK: Texts

  /// FreshRSS stores these texts escaped for HTML (htmlspecialchars).
  private static func unescaped(_ text: String) -> String {
    let references: [(StaticString, UInt8)] = [
      ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&quot;", UInt8(ascii: "\"")),
      ("&#039;", UInt8(ascii: "'")), ("&amp;", UInt8(ascii: "&")),
    ]
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      let reference =
        byte == UInt8(ascii: "&")
        ? references.first { name, _ in
          rest.starts(with: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        } : nil
      result.append(reference?.1 ?? byte)
      rest = rest.dropFirst(reference?.0.utf8CodeUnitCount ?? 1)
    }
    return String(streamSafe: result)
  }

  /// FreshRSS's authors without the separators around them.
  private static func trimmed(_ text: String) -> String {
    let isSeparator = { (byte: UInt8) in byte == UInt8(ascii: ";") || byte == UInt8(ascii: " ") }
    var rest = text[...].utf8
    while let first = rest.first, isSeparator(first) { rest.removeFirst() }
    while let last = rest.last, isSeparator(last) { rest.removeLast() }
    return String(Substring(rest))
  }

  /// FreshRSS's tags: `#one #two words`.
  private static func tags(_ text: String) -> [String] {
    // What is before the first sign may be empty.
    let names = text.split(ascii: "#", atMost: ParsedItem.longestList + 1).map { String($0.trimmingBlanks) }
    return Array(names.filter { !$0.isEmpty }.prefix(ParsedItem.longestList))
  }

  private static func isHash(_ text: String) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
    return text.utf8.count == 32 && text.utf8.allSatisfy { digits.contains($0) || letters.contains($0) }
  }
}

extension ReaderTables {
  /// Returns a column of a table by the column `id`.
  fileprivate func texts(_ name: String, of table: String) throws(StoreError) -> [String: String] {
    var texts: [String: String] = [:]
    try rows(of: table) { (row) throws(StoreError) in texts[try row.key("id")] = try row.text(name) }
    return texts
  }
}

extension ParsedItem {
  /// Readers store the link as the guid of an item that has none.
  fileprivate mutating func setAddress(_ url: String?, guid: String?) {
    self.url = url
    id = guid == url ? nil : guid
  }
}

/// The items of a database by the keys of their feeds.
private struct ReaderItems {
  private typealias Entry = (item: ImportedItem, published: Int64, order: Int64)

  private var entries: [String: [Entry]] = [:]
  private var count: Int64 = 0

  var feeds: [String] { Array(entries.keys) }

  /// Adds an item. Of items with the same time, the one with the highest `order` is the newest; without one, the last.
  mutating func add(_ item: ImportedItem, to feed: String, published: Int64, order: Int64? = nil) {
    var item = item
    item.item.published = Self.time(published)
    count += 1
    entries[feed, default: []].append((item, published, order ?? count))
  }

  /// Removes and returns the items of a feed, newest first.
  mutating func take(of feed: String) -> [ImportedItem] {
    let found = entries.removeValue(forKey: feed) ?? []
    return found.sorted { ($0.published, $0.order) > ($1.published, $1.order) }.map(\.item)
  }

  static func time(_ seconds: Int64) -> Timestamp? {
    seconds <= 0 || !ExportColumn.numbers.contains(seconds) ? nil : Timestamp(seconds: seconds)
  }
}
