public import NewsCore
import NewsStorage
import NewsSyndication

extension ServiceContainer {
  /// The trust given to an imported export.
  ///
  /// - True: the export is the user's own.
  /// - Returns: The trust as the store's import takes it.
  public func importTrust(isTrusted: Bool) -> ImportTrust {
    isTrusted ? .trusted : .untrusted(ItemCleaner(), settingsCheck)
  }

  /// Reads the feeds of a newsboat cache and sanitises their HTML.
  ///
  /// - Path of newsboat's `cache.db`, which is only read.
  /// - Returns: The feeds with items and states.
  /// - Throws: When the file is not a newsboat cache.
  public func newsboatFeeds(in path: String) throws(StoreError) -> [ImportedFeed] {
    var feeds = try NewsboatCache().feeds(inNewsboatCache: path)
    for index in feeds.indices {
      feeds[index].items = sanitized(feeds[index].items, base: feeds[index].feed.url)
    }
    return feeds
  }

  /// True if `line` may be the first line of a change log.
  public func isChangeLog(_ line: [UInt8]) -> Bool { ChangeReplay.isLikely(line) }

  /// Reads the feeds of a change log and sanitises their HTML.
  ///
  /// - Output of `newsd changes --format jsonl`.
  /// - Returns: The feeds; nil if the bytes are not a change log.
  /// - Throws: When a line is not an entry of a change log.
  public func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed]? {
    guard ChangeReplay.isLikely(bytes) else { return nil }
    var feeds = try ChangeReplay().feeds(inChanges: bytes)
    for index in feeds.indices {
      let found = feeds[index].items
      feeds[index].items = sanitized(found, base: feeds[index].feed.url)
      // Keep the logged text: the feed may have given a text beside the HTML when the item was first stored.
      for place in found.indices {
        guard let text = found[place].item.contentText else { continue }
        feeds[index].items[place].item.contentText = text
      }
    }
    return feeds
  }

  /// The items of an sfeed file, which holds one feed; nil if the bytes are not such a file.
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
