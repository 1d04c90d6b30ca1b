import Modules
import NewsCore
import NewsFiles
import NewsSQLite
import NewsSyndication
import NewsToolbox

/// Reads the files of other programs and the change logs of newsd, with the sanitizer of the feed parser.
struct ForeignItems: ForeignItemReading {
  private let cleaner = ItemCleaner()
  /// Maximum size in bytes of a document, unpacked. JSON takes some five times as much memory.
  var longestDocument = 256 << 20

  func feeds(inDatabase path: String) throws(StoreError) -> [ImportedFeed] {
    try ReaderDatabase().feeds(inDatabase: path).map(sanitized)
  }

  func feeds(inDatabaseBytes bytes: [UInt8], name: String) throws(StoreError) -> [ImportedFeed] {
    try ReaderDatabase().feeds(inBytes: bytes, name: name).map(sanitized)
  }

  private func sanitized(_ feed: ImportedFeed) -> ImportedFeed {
    ImportedFeed(feed: feed.feed, items: sanitized(feed.items, base: feed.feed.url))
  }

  func documents(in bytes: [UInt8]) throws(FileError) -> ForeignDocuments? {
    guard ZipArchive.isLikely(bytes) else {
      return try document(bytes).map { document in ForeignDocuments(count: 1) { _ in document } }
    }
    let archive = try ZipArchive(bytes)
    let files = archive.entries.filter { entry in
      [".json", ".xml", ".opml"].contains { entry.name.hasSuffix(bytesOf: $0) }
    }
    guard !files.isEmpty else {
      throw FileError(code: .badData, message: "the ZIP archive has no file that newsd can import")
    }
    // Lists of subscriptions first: they have the folders.
    let isList = { (entry: ZipArchive.Entry) in !entry.name.hasSuffix(bytesOf: ".json") }
    let ordered = files.filter(isList) + files.filter { !isList($0) }
    return ForeignDocuments(count: ordered.count) { (number) throws(FileError) in
      let entry = ordered[number]
      guard entry.size <= longestDocument else {
        let limit = ByteCountText.text(Int64(longestDocument))
        throw FileError(code: .badData, message: "\(entry.name) is larger than \(limit) unpacked")
      }
      return try document(try archive.contents(of: entry)) ?? ForeignDocument()
    }
  }

  /// Reads one document; nil for other bytes.
  private func document(_ bytes: [UInt8]) throws(FileError) -> ForeignDocument? {
    let start = bytes.first { !ASCII.isSpace($0) }
    guard start == UInt8(ascii: "{") || start == UInt8(ascii: "[") else {
      if let articles = TinyTinyDocument.read(bytes) { return cleaned(articles) }
      guard let list = try? SubscriptionLists().decodeList(bytes).feeds else { return nil }
      var document = ForeignDocument()
      // Settings are left out: an archive may hold more than its user knows.
      for feed in list {
        document.add(NewFeed(url: feed.url, title: feed.title, siteURL: feed.siteURL, folder: feed.folder))
      }
      return document
    }
    // A value takes some 40 times the memory of its shortest text. An item of a reader has some 25 values in 800 bytes and more.
    let mostValues = max(1_000_000, bytes.count / 24)
    let (value, problem, isTooLarge) = bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes, mostValues: mostValues)
      return (reader.read(), reader.firstProblem, reader.isTooLarge)
    }
    if isTooLarge {
      throw FileError(code: .badData, message: "the JSON has more than \(mostValues) values")
    }
    guard let value, problem == nil else { return nil }
    return StreamDocument.read(value).map(cleaned)
  }

  /// Sanitizes the items, and decodes the references in titles, which are HTML in these formats.
  private func cleaned(_ document: ForeignDocument) -> ForeignDocument {
    var document = document
    document.changeFeeds { feed in
      feed.feed.title = feed.feed.title.map { HTMLPlainText.decodingReferences(in: $0) }
      for place in feed.items.indices {
        let title = feed.items[place].item.title
        feed.items[place].item.title = title.map { HTMLPlainText.decodingReferences(in: $0) }
      }
      feed.items = sanitized(feed.items, base: feed.feed.siteURL ?? feed.feed.url)
    }
    return document
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
