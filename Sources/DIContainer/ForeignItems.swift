import NewsCore
import NewsSQLite
import NewsSyndication

/// Reads the files of other programs and the change logs of newsd, with the sanitizer of the feed parser.
struct ForeignItems: ForeignItemReading {
  private let cleaner = ItemCleaner()

  func feeds(inNewsboatCache path: String) throws(StoreError) -> [ImportedFeed] {
    var feeds = try NewsboatCache().feeds(inNewsboatCache: path)
    for index in feeds.indices {
      feeds[index].items = sanitized(feeds[index].items, base: feeds[index].feed.url)
    }
    return feeds
  }

  func isChangeLog(_ line: [UInt8]) -> Bool { ChangeReplay.isLikely(line) }

  func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed] {
    var feeds = try ChangeReplay().feeds(inChanges: bytes)
    for index in feeds.indices {
      let found = feeds[index].items
      feeds[index].items = sanitized(found, base: feeds[index].feed.url)
      // Keep the log's text: `sanitized` derives the text from the HTML again, but a JSON Feed may have given a plain
      // text beside its HTML.
      for place in found.indices {
        guard let text = found[place].item.contentText else { continue }
        feeds[index].items[place].item.contentText = text
      }
    }
    return feeds
  }

  func items(inTable bytes: [UInt8]) -> [ImportedItem]? {
    let tab = UInt8(ascii: "\t")
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let time = first.prefix { $0 != tab }
    let isTime = time.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard time.count < first.count, isTime else { return nil }
    let items = sanitized(SfeedTable.items(bytes), base: nil)
    return items.isEmpty ? nil : items
  }

  private func sanitized(_ items: [ImportedItem], base: String?) -> [ImportedItem] {
    items.map { imported in
      var imported = imported
      imported.item = cleaner.cleanedWithText(imported.item, base: base)
      return imported
    }
  }
}
