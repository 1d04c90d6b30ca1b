public import NewsService

/// Reads what `newsd changes --after 0 --format jsonl` printed, so that another store comes to hold the same items.
///
/// Each thing stands in the log once, as it is now: what was deleted is not there, and the rest is what there is.
public struct ChangeReplay: Sendable {
  public init() {}

  /// True when the first line is an entry of the change log.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix { $0 != 0x0A }
    guard let value = line.withUnsafeBytes({ JSONValue($0) }) else { return false }
    return value["seq"]?.integer != nil && value["kind"]?.string != nil
  }

  /// Feeds in the order in which the log first names them, each with its items and their states. HTML is as found.
  ///
  /// - Parameter bytes: The log, one JSON object a line.
  /// - Returns: Everything that is not deleted.
  /// - Throws: `badQuery` that names the first line which is no entry.
  public func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed] {
    var places: [String: Int] = [:]
    var feeds: [ImportedFeed] = []
    // An entry that comes again, in a log that was added to, stands for the one before it.
    var latest: [Int64: (feed: Int, item: ImportedItem)] = [:]
    var order: [Int64] = []
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let entry = line.withUnsafeBytes({ JSONValue($0) }), let id = entry["id"]?.integer,
        let kind = entry["kind"]?.string
      else {
        throw StoreError(code: .badQuery, message: "line \(number) is no entry of a change log")
      }
      guard kind != "deleted" else {
        latest[id] = nil
        continue
      }
      guard let url = entry["feed_url"]?.string else {
        throw StoreError(code: .badQuery, message: "line \(number) does not say whose item it is (feed_url)")
      }
      let place = places[url] ?? feeds.count
      if place == feeds.count {
        places[url] = place
        feeds.append(ImportedFeed(feed: NewFeed(url: url, title: entry["feed"]?.string)))
      }
      if latest[id] == nil { order.append(id) }
      latest[id] = (place, Self.item(entry))
    }
    // Newest first; ids rise in the order of storing.
    for id in Set(order).sorted(by: >) {
      guard let entry = latest[id] else { continue }
      feeds[entry.feed].items.append(entry.item)
    }
    return feeds
  }

  private static func item(_ entry: JSONValue) -> ImportedItem {
    func text(_ name: String) -> String? { entry[name]?.string }
    func time(_ name: String) -> Timestamp? {
      text(name).flatMap { TimeExpression.parse($0, now: Timestamp(seconds: 0)) }
    }
    var item = ParsedItem()
    item.id = text("guid")
    item.url = text("url")
    item.title = text("title")
    item.published = time("published")
    item.updated = time("updated")
    item.summary = text("summary")
    item.contentText = text("content_text")
    item.contentHTML = text("content_html")
    item.language = text("language")
    item.tags = entry["tags"]?.array?.compactMap(\.string).map { Category(term: $0) } ?? []
    item.authors = entry["authors"]?.array?.map(ItemDetails.author) ?? []
    item.enclosures = entry["enclosures"]?.array?.compactMap(ItemDetails.enclosure) ?? []
    return ImportedItem(
      item: item,
      isRead: entry["is_read"]?.bool ?? false,
      isStarred: entry["is_starred"]?.bool ?? false
    )
  }
}
