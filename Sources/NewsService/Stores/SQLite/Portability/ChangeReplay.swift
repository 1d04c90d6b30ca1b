import NewsSearch
import NewsStoresShared
public import NewsCore
import NewsToolbox

/// Reads the output of `newsd changes --after 0 --format jsonl`, to copy its items to another store.
///
/// The log contains each item and feed once, in its last state, and omits deleted ones.
public struct ChangeReplay: Sendable {
  public init() {}

  /// Returns true if the first line is a change-log entry.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard
      let value = line.withUnsafeBufferPointer({
        JSONValue(valid: $0, mostValues: JSONValue.mostValuesOfLine)
      })
    else { return false }
    return value["seq"]?.integer != nil && value["kind"]?.string != nil
  }

  /// Returns all feeds without items, in the order of their first mention. Then, in the order of storing,
  /// returns each series of items of one feed as another entry for that feed, with these items newest first
  /// and with their states. HTML is not sanitized. Throws `badQuery` with the number of the first invalid
  /// line.
  public func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed] {
    var log = ReplayedLog()
    var number = 0
    for line in ByteLines(bytes[...]) {
      number += 1
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      guard
        let entry = line.withUnsafeBufferPointer({
          JSONValue(valid: $0, mostValues: JSONValue.mostValuesOfLine)
        }),
        let kind = entry["kind"]?.string,
        log.take(entry, kind)
      else {
        throw StoreError(code: .badQuery, message: "line \(number) is not an entry of a change log")
      }
    }
    return log.feeds
  }
}

/// Collects the entries of a change log. A later entry of an item replaces the earlier one.
private struct ReplayedLog {
  /// Feeds by number; `order` holds the numbers in the order of the log.
  private var subscriptions: [Int64: NewFeed] = [:]
  private var order: [Int64] = []
  private var known: Set<Int64> = []
  private var items: [Int64: (feed: Int64, item: ImportedItem)] = [:]

  /// Returns false if the line is not a valid entry.
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
    // A partial log may begin after the feed's own entry.
    if subscriptions[feed] == nil { set(feed, NewFeed(url: url, title: entry["feed"]?.string)) }
    items[id] = (feed, Self.item(entry))
    return true
  }

  private mutating func set(_ number: Int64, _ feed: NewFeed) {
    if subscriptions[number] == nil, known.insert(number).inserted { order.append(number) }
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
    // Reverse to newest first: numbers are in the order of storing.
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
