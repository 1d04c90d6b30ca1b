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
