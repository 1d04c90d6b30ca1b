public import NewsCore
import NewsStorage
import NewsSyndication

extension ServiceContainer {
  /// How an export is read.
  ///
  /// - Parameter isTrusted: True: it is the user's own.
  /// - Returns: What the store's import needs.
  public func importTrust(isTrusted: Bool) -> ImportTrust {
    isTrusted ? .trusted : .untrusted(ItemCleaner(), settingsCheck)
  }

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

  /// True when this may be the first line of a change log.
  public func isChangeLog(_ line: [UInt8]) -> Bool { ChangeReplay.isLikely(line) }

  /// The feeds of a change log, their HTML sanitised.
  ///
  /// - Parameter bytes: What `newsd changes --format jsonl` printed.
  /// - Returns: Nil when it is something else.
  /// - Throws: When a line is no entry.
  public func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed]? {
    guard ChangeReplay.isLikely(bytes) else { return nil }
    var feeds = try ChangeReplay().feeds(inChanges: bytes)
    for index in feeds.indices {
      let found = feeds[index].items
      feeds[index].items = sanitized(found, base: feeds[index].feed.url)
      // The text was made when the item was first stored, perhaps with another text beside the HTML.
      for place in found.indices {
        guard let text = found[place].item.contentText else { continue }
        feeds[index].items[place].item.contentText = text
      }
    }
    return feeds
  }

  /// The items of a file in which sfeed keeps a feed; nil when it is none.
  public func items(inTable bytes: [UInt8]) -> [ImportedItem]? {
    let first = bytes.prefix { $0 != 0x0A }
    let time = first.prefix { $0 != 0x09 }
    guard time.count < first.count, time.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x2D }) else { return nil }
    let items = sanitized(SfeedTable.items(bytes), base: nil)
    return items.isEmpty ? nil : items
  }

  private func sanitized(_ items: [ImportedItem], base: String?) -> [ImportedItem] {
    let cleaner = ItemCleaner()
    return items.map { imported in
      var imported = imported
      imported.item = cleaner.cleanedWithText(imported.item, base: base)
      return imported
    }
  }
}
