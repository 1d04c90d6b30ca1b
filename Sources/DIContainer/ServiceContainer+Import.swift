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
      return try items(fromLines: bytes)
    default:
      let items = sanitized(SfeedTable.items(bytes), base: nil)
      guard bytes.contains(0x09), !items.isEmpty else { throw failure }
      return items
    }
  }

  /// One JSON Feed item a line. A line that is none is named, and then nothing is taken in.
  private func items(fromLines bytes: [UInt8]) throws(FeedParseError) -> [ImportedItem] {
    var lines: [(number: Int, text: ArraySlice<UInt8>)] = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where line.contains(where: { $0 > 0x20 }) {
      lines.append((index + 1, line))
    }
    var items: [ImportedItem] = []
    // A document holds so many items at most; lines come without end.
    for start in stride(from: 0, to: lines.count, by: 1000) {
      let portion = lines[start..<min(start + 1000, lines.count)]
      let parsed = try? self.items(ofLines: portion.map(\.text))
      if let parsed, parsed.count == portion.count, parsed.allSatisfy(Self.saysSomething) {
        items += parsed
        continue
      }
      for line in portion {
        let one = try? self.items(ofLines: [line.text])
        guard let one, one.count == 1, one.allSatisfy(Self.saysSomething) else {
          throw FeedParseError(
            code: .notAFeed,
            message: "line \(line.number) is no item of a JSON Feed with an id, url, title or content"
          )
        }
        items += one
      }
    }
    return items
  }

  private static func saysSomething(_ imported: ImportedItem) -> Bool {
    let item = imported.item
    return [item.id, item.url, item.title, item.contentText, item.contentHTML].contains {
      $0?.isEmpty == false
    }
  }

  private func items(ofLines lines: [ArraySlice<UInt8>]) throws(FeedParseError) -> [ImportedItem] {
    let head = #"{"version":"https://jsonfeed.org/version/1.1","title":"","items":["#
    let document = Array(head.utf8) + lines.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
    return try parser.parse(FeedDocument(bytes: document)).items.map { ImportedItem(item: $0) }
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
