public import NewsService
import NewsStorage
import NewsSyndication

extension ServiceContainer {
  /// The feeds of a newsboat cache, their HTML sanitised.
  ///
  /// - Parameter path: Of `cache.db`; it is not changed.
  /// - Returns: Feeds with items and states.
  /// - Throws: When the file is none.
  public func newsboatFeeds(in path: String) throws(StoreError) -> [ImportedFeed] {
    var feeds = try NewsboatCache().feeds(inNewsboatCache: path)
    for index in feeds.indices {
      feeds[index].items = sanitized(feeds[index].items, base: feeds[index].feed.url)
    }
    return feeds
  }

  /// Items from standard input: a feed document, one JSON Feed item a line, or sfeed's table.
  ///
  /// - Parameter bytes: Told apart by content.
  /// - Returns: The items, their HTML sanitised.
  /// - Throws: When it is none of them.
  public func items(fromInput bytes: [UInt8]) throws(FeedParseError) -> [ImportedItem] {
    let failure: FeedParseError
    do {
      return try parser.parse(FeedDocument(bytes: bytes)).items.map { ImportedItem(item: $0) }
    } catch {
      failure = error
    }
    switch bytes.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"):
      let lines = bytes.split(separator: 0x0A).filter { line in line.contains { $0 > 0x20 } }
      let head = #"{"version":"https://jsonfeed.org/version/1.1","title":"","items":["#
      let document = Array(head.utf8) + lines.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
      return try parser.parse(FeedDocument(bytes: document)).items.map { ImportedItem(item: $0) }
    default:
      let items = sanitized(SfeedTable.items(bytes), base: nil)
      guard bytes.contains(0x09), !items.isEmpty else { throw failure }
      return items
    }
  }

  private func sanitized(_ items: [ImportedItem], base: String?) -> [ImportedItem] {
    var sanitizer = HTMLSanitizer()
    return items.map { imported in
      guard let html = imported.item.contentHTML else { return imported }
      var imported = imported
      let (clean, text) = sanitizer.sanitize(html, base: imported.item.url ?? base)
      imported.item.contentHTML = clean
      imported.item.contentText = text
      return imported
    }
  }
}
