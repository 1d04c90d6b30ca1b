public import NewsCore

/// Reads newsboat's cache.
public struct NewsboatCache: NewsboatCacheReading {
  public init() {}

  public func feeds(inNewsboatCache path: String) throws(StoreError) -> [ImportedFeed] {
    let connection = try Connection(path: path, access: .reading, patience: 2_000)
    guard
      try connection.integer("SELECT count(*) FROM sqlite_master WHERE name IN ('rss_feed', 'rss_item')") == 2
    else {
      throw StoreError(code: .badQuery, message: "\(path) is no cache of newsboat")
    }
    return try connection.snapshot { () throws(StoreError) in
      let statement = try connection.prepare("SELECT rssurl, title, url FROM rss_feed ORDER BY rowid")
      var feeds: [ImportedFeed] = []
      while try statement.step() {
        let url = statement.string(0)
        let title = statement.optionalString(1).flatMap { $0.isEmpty ? nil : $0 }
        let site = statement.optionalString(2).flatMap { $0.isEmpty ? nil : $0 }
        feeds.append(
          ImportedFeed(
            feed: NewFeed(url: url, title: title, siteURL: site),
            items: try items(of: url, connection)
          )
        )
      }
      return feeds
    }
  }

  private func items(of url: String, _ connection: Connection) throws(StoreError) -> [ImportedItem] {
    // The columns that every version since 2.10 has; older rows hold empty texts where others hold nothing.
    let row = try connection.prepare(
      """
      SELECT guid, title, author, url, pubDate, content, unread, enclosure_url, enclosure_type, flags,
        deleted
      FROM rss_item WHERE feedurl = ? ORDER BY pubDate DESC, id DESC
      """
    )
    try row.bind(1, url)
    var items: [ImportedItem] = []
    while try row.step() {
      func text(_ column: Int32) -> String? { row.optionalString(column).flatMap { $0.isEmpty ? nil : $0 } }
      var item = ParsedItem()
      item.id = text(0)
      item.title = text(1)
      if let author = text(2) { item.authors = [Author(name: author)] }
      item.url = text(3)
      item.published = row.int64(4) == 0 ? nil : row.time(4)
      item.contentHTML = text(5)
      if let enclosure = text(7) { item.enclosures = [Enclosure(url: enclosure, mimeType: text(8))] }
      let flags = text(9) ?? ""
      items.append(
        ImportedItem(
          item: item,
          isRead: !row.bool(6),
          isStarred: !flags.isEmpty,
          isRemoved: row.bool(10),
          tags: flags.map { "flag-\($0)" }
        )
      )
    }
    return items
  }
}
