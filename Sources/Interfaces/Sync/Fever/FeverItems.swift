import NewsHTTP
import NewsCore
import NewsToolbox

/// The items that a Fever client asks for, 50 at a time.
struct FeverItems {
  private static let pageSize = 50

  private let request: StreamRequest
  /// The ids that the client asks for; nil: it asks for a page of `request`.
  private var ids: [NewsItem.ID]?

  /// Reads the parameters. Ignores words that are not numbers.
  init(_ parameters: HTTPParameters, _ catalog: SyncCatalog) {
    func numbers(_ name: String, atMost most: Int = .max) -> [Int64]? {
      parameters.first(name).map { list in list.split(ascii: ",", atMost: most).compactMap { Int64($0) } }
    }
    ids = numbers("with_ids", atMost: Self.pageSize).map { $0.map(ItemNumbers.id) }
    var request = StreamRequest(isOldestFirst: true)
    let feeds = numbers("feed_ids")?.map { FeverMark.Target.feed($0) } ?? []
    let groups = numbers("group_ids")?.map { FeverMark.Target.group($0) } ?? []
    if !feeds.isEmpty || !groups.isEmpty {
      request.streams = (feeds + groups).compactMap { FeverGroups.stream($0, catalog) }
    }
    if let number = parameters.first("since_id").flatMap({ HTTPParameters.number($0) }) {
      request.after = ItemNumbers.id(number)
    } else if let number = parameters.first("max_id").flatMap({ HTTPParameters.number($0) }) {
      request.isOldestFirst = false
      // 0 means: from the newest item.
      if number > 0 { request.after = ItemNumbers.id(number) }
    }
    self.request = request
  }

  func ids(_ store: any ItemReading) async throws -> [NewsItem.ID] {
    if let ids { return ids }
    return try await store.entries(request, limit: Self.pageSize).map(\.id)
  }

  static func json(_ stream: StreamItem, _ site: WebSite, _ numbers: ItemNumbers) -> [UInt8] {
    let item = stream.item
    var json = JSONWriter()
    json.beginObject()
    if numbers.areLong {
      // As text, because some clients read numbers of 32 bits.
      json.field("id", String(numbers.number(item.id)))
    } else {
      json.field("id", item.id.rawValue)
    }
    json.field("feed_id", item.feedID.rawValue)
    json.field("title", item.shownTitle)
    json.field("author", ItemMarkup.author(item))
    json.field("html", ItemMarkup.htmlWithPictures(item))
    json.field("url", ItemMarkup.link(item, site))
    json.field("is_saved", item.isStarred ? 1 : 0)
    json.field("is_read", item.isRead ? 1 : 0)
    json.field("created_on_time", ItemMarkup.published(item))
    json.endObject()
    return json.bytes
  }
}
