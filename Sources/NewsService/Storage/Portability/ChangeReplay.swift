public import NewsCore
import NewsToolbox

/// Reads the output of `newsd changes --after 0 --format jsonl`, to copy its items to another store.
///
/// The log has each item and feed once, in its present state; deleted ones are left out.
public struct ChangeReplay: Sendable {
  public init() {}

  /// True when the first line is an entry of the change log.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix { $0 != 0x0A }
    guard let value = line.withUnsafeBufferPointer({ JSONValue(valid: $0) }) else { return false }
    return value["seq"]?.integer != nil && value["kind"]?.string != nil
  }

  /// Feeds in the order in which the log first names them, then their items with their states in the order in which they
  /// were stored: a feed is repeated where items of others come in between. HTML is not sanitised.
  ///
  /// - Parameter bytes: The log, one JSON object a line.
  /// - Returns: Everything that is not deleted.
  /// - Throws: `badQuery`, naming the first line that is not an entry.
  public func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed] {
    var log = ReplayedLog()
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let entry = line.withUnsafeBufferPointer({ JSONValue(valid: $0) }),
        let kind = entry["kind"]?.string,
        log.take(entry, kind)
      else {
        throw StoreError(code: .badQuery, message: "line \(number) is no entry of a change log")
      }
    }
    return log.feeds
  }
}

/// What a change log says, gathered line by line. A later entry of the same item replaces the earlier one.
private struct ReplayedLog {
  /// By number, in the order of the log.
  private var subscriptions: [Int64: NewFeed] = [:]
  private var order: [Int64] = []
  private var items: [Int64: (feed: Int64, item: ImportedItem)] = [:]

  /// False when the line is not an entry.
  mutating func take(_ entry: JSONValue, _ kind: String) -> Bool {
    guard let feed = entry["feed_id"]?.integer else { return false }
    switch kind {
    case "feed", "feed_deleted":
      guard kind == "feed", let url = entry["feed_url"]?.string else {
        subscriptions[feed] = nil
        return kind != "feed"
      }
      let folder = entry["folder"]?.string
      let site = entry["site_url"]?.string
      set(feed, NewFeed(url: url, title: entry["feed"]?.string, siteURL: site, folder: folder))
      return true
    default: return takeItem(entry, of: feed, isDeleted: kind == "deleted")
    }
  }

  private mutating func takeItem(_ entry: JSONValue, of feed: Int64, isDeleted: Bool) -> Bool {
    guard let id = entry["id"]?.integer else { return false }
    guard !isDeleted else {
      items[id] = nil
      return true
    }
    guard let url = entry["feed_url"]?.string else { return false }
    // A part of a log may begin after the feed's own entry.
    if subscriptions[feed] == nil { set(feed, NewFeed(url: url, title: entry["feed"]?.string)) }
    items[id] = (feed, Self.item(entry))
    return true
  }

  private mutating func set(_ number: Int64, _ feed: NewFeed) {
    if subscriptions[number] == nil, !order.contains(number) { order.append(number) }
    subscriptions[number] = feed
  }

  var feeds: [ImportedFeed] {
    var feeds = order.compactMap { subscriptions[$0] }.map { ImportedFeed(feed: $0) }
    var last: Int64?
    for (_, entry) in items.sorted(by: { $0.key < $1.key }) {
      guard let feed = subscriptions[entry.feed] else { continue }
      if entry.feed != last { feeds.append(ImportedFeed(feed: feed)) }
      last = entry.feed
      feeds[feeds.count - 1].items.append(entry.item)
    }
    // Newest first; numbers rise in the order of storing.
    for place in feeds.indices { feeds[place].items.reverse() }
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
      isStarred: entry["is_starred"]?.bool ?? false,
      stored: time("stored")
    )
  }
}
