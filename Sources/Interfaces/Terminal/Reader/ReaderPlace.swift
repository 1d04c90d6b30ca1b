import Modules
import NewsCore
import NewsToolbox

/// The place where the reader was left: a row of the subscriptions, or a list with its selected item. Kept as
/// JSON beside the store.
struct ReaderPlace: Hashable, Sendable {
  /// The list; nil: the subscriptions.
  var source: HeadlineSource?
  /// The selected item of the list.
  var item: NewsItem.ID?
  /// True: the item was shown in full.
  var isOpen = false
  /// The selected row of the subscriptions.
  var row: String?

  private static let version: Int64 = 1

  init(source: HeadlineSource? = nil, item: NewsItem.ID? = nil, isOpen: Bool = false, row: String? = nil) {
    self.source = source
    self.item = item
    self.isOpen = isOpen
    self.row = row
  }

  /// Reads what `json` wrote; nil for anything else, such as the file of a later version.
  init?(json: [UInt8]) {
    guard let value = json.withUnsafeBufferPointer({ JSONValue(valid: $0) }),
      value["version"]?.integer == Self.version
    else {
      return nil
    }
    row = value["row"]?.string
    item = value["item"]?.integer.map(NewsItem.ID.init(rawValue:))
    isOpen = value["open"]?.bool ?? false
    guard let list = value["list"] else { return }
    let route = ListRoute(
      filter: ItemFilter(
        feeds: list["feeds"]?.array?.compactMap(\.string) ?? [],
        feedID: list["feed_id"]?.integer.map(Feed.ID.init(rawValue:)),
        folders: list["folders"]?.array?.compactMap(\.string) ?? [],
        labels: list["labels"]?.array?.compactMap(\.string) ?? [],
        isRead: list["read"]?.bool,
        isStarred: list["starred"]?.bool,
        since: list["since"]?.integer.map(Timestamp.init(seconds:)),
        until: list["until"]?.integer.map(Timestamp.init(seconds:)),
        storedSince: list["stored_since"]?.integer.map(Timestamp.init(seconds:))
      ),
      order: list["order"]?.string.flatMap(ItemOrder.init(rawValue:)) ?? .newest,
      foldsStories: list["stories"]?.bool ?? false
    )
    if let query = list["query"]?.string {
      source = .search(SearchRoute(text: query, list: route))
    } else {
      source = .list(route)
    }
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("version", Self.version)
    writer.field("row", row)
    writer.field("item", item?.rawValue)
    writer.field("open", isOpen)
    if let source {
      writer.key("list")
      Self.write(source, &writer)
    }
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func write(_ source: HeadlineSource, _ writer: inout JSONWriter) {
    let route = source.list
    let filter = route.filter
    writer.beginObject()
    if case .search(let search) = source { writer.field("query", search.text) }
    writer.field("feed_id", filter.feedID?.rawValue)
    writer.key("feeds")
    writer.value(.array(filter.feeds.map { .string($0) }))
    writer.key("folders")
    writer.value(.array(filter.folders.map { .string($0) }))
    writer.key("labels")
    writer.value(.array(filter.labels.map { .string($0) }))
    writer.field("read", filter.isRead)
    writer.field("starred", filter.isStarred)
    writer.field("since", filter.since?.seconds)
    writer.field("until", filter.until?.seconds)
    writer.field("stored_since", filter.storedSince?.seconds)
    writer.field("order", route.order.rawValue)
    writer.field("stories", route.foldsStories)
    writer.endObject()
  }
}
