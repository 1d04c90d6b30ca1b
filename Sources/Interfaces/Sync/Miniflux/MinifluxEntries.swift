import NewsHTTP
import NewsCore
import NewsToolbox
import Synchronization

/// Items in the form of Miniflux's API: lists and changes.
struct MinifluxEntries {
  private static let usualLimit: Int64 = 100
  private static let largestLimit: Int64 = 10_000
  private static let largestEdit = 10_000

  let api: OwnAPI
  let streams: SyncStreams

  // MARK: Reading

  func one(_ id: NewsItem.ID, _ request: HTTPRequest) async throws -> HTTPReply {
    guard let item = try await streams.store.streamItems([id]).first else {
      throw BadRequest("Not Found", status: 404)
    }
    let catalog = try await streams.catalog()
    return HTTPReply(type: SyncReply.jsonType, Self.json(item, catalog, request.site)).unstored
  }

  /// Lists items by time, or by id if the request asks for that or continues after an id.
  func list(_ request: HTTPRequest, feed: Int64? = nil, category: Int64? = nil) async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    let filter = try MinifluxFilter(request.query, catalog, feed: feed, category: category)
    let limit = try request.query.number("limit") ?? Self.usualLimit
    let bounded = Int(min(limit == 0 ? Self.usualLimit : limit, Self.largestLimit))
    let offset = Int(clamping: min(try request.query.number("offset") ?? 0, 1 << 40))
    let total: Int
    let ids: [NewsItem.ID]
    if let stream = filter.stream {
      var entries = try await streams.store.entries(stream, limit: .max - 1)
      if !filter.isWholeStream {
        let selected = try await selected(filter.query)
        entries.removeAll { !selected.contains($0.id) }
      }
      total = entries.count
      ids = entries.dropFirst(offset).prefix(bounded).map(\.id)
    } else {
      var wanted = ItemRequest(
        query: filter.query,
        order: filter.isOldestFirst ? .oldest : .newest,
        parts: []
      )
      total = try await api.store.count(wanted)
      wanted.offset = offset
      wanted.limit = bounded
      ids = try await api.store.items(wanted).map(\.item.id)
    }
    let site = request.site
    let body = ItemListBody(
      streams.store,
      ids,
      begin: Array("{\"total\":\(total),\"entries\":[".utf8),
      separator: ",",
      end: Array("]}".utf8)
    ) { Self.json($0, catalog, site) }
    return SyncReply.stream(type: SyncReply.jsonType, body)
  }

  /// The ids of all items that a query selects.
  private func selected(_ query: Query) async throws -> Set<NewsItem.ID> {
    let ids = Mutex<Set<NewsItem.ID>>([])
    try await api.store.forEachBatch(ItemRequest(query: query, parts: []), of: 1000) { batch in
      ids.withLock { $0.formUnion(batch.lazy.map(\.item.id)) }
      return true
    }
    return ids.withLock { $0 }
  }

  private static func json(_ stream: StreamItem, _ catalog: SyncCatalog, _ site: WebSite) -> [UInt8] {
    let item = stream.item
    let html = ItemMarkup.html(item)
    var json = JSONWriter(reservingCapacity: html.utf8.count + 2048)
    json.beginObject()
    json.field("id", item.id.rawValue)
    json.field("user_id", 1)
    json.field("feed_id", item.feedID.rawValue)
    json.field("status", item.isRead ? "read" : "unread")
    json.field("hash", FNV1a<UInt128>("\(item.feedID.rawValue) \(item.guid)".utf8).value.hexDigits(32))
    json.field("title", item.title)
    json.field("url", ItemMarkup.link(item, site))
    json.field("comments_url", item.commentsURL ?? "")
    json.field("published_at", (item.published ?? item.stored).rfc3339)
    json.field("created_at", item.stored.rfc3339)
    json.field("changed_at", (item.updated ?? item.stored).rfc3339)
    json.field("content", html)
    json.field("author", ItemMarkup.author(item))
    json.field("share_code", "")
    json.field("starred", item.isStarred)
    json.field("reading_time", max(1, item.contentText.utf8.count / 1500))
    json.key("enclosures")
    json.beginArray()
    for (number, enclosure) in item.enclosures.enumerated() {
      json.beginObject()
      json.field("id", item.id.rawValue &* 1000 &+ Int64(number))
      json.field("user_id", 1)
      json.field("entry_id", item.id.rawValue)
      json.field("url", enclosure.url)
      json.field("mime_type", enclosure.mimeType ?? "application/octet-stream")
      json.field("size", enclosure.size ?? 0)
      json.endObject()
    }
    json.endArray()
    json.key("tags")
    json.beginArray()
    for tag in item.tags + stream.labels { json.value(tag) }
    json.endArray()
    if let feed = catalog.feed(item.feedID) {
      json.key("feed")
      MinifluxFeeds.write(feed, &json)
    }
    json.endObject()
    return json.bytes
  }

  // MARK: Changing

  func mark(_ value: JSONValue) async throws {
    let ids = (value["entry_ids"]?.array ?? []).compactMap(\.integer).map(NewsItem.ID.init(rawValue:))
    guard !ids.isEmpty, ids.count <= Self.largestEdit else {
      throw BadRequest("entry_ids takes 1 to \(Self.largestEdit) numbers")
    }
    let mark: ItemMark
    switch value["status"]?.string {
    case "read": mark = .read
    case "unread": mark = .unread
    default: throw BadRequest("status takes read or unread")
    }
    try await streams.store.edit(ids, StreamEdit(marks: [mark]))
  }

  func toggleBookmark(_ id: NewsItem.ID) async throws {
    let item = try await api.store.item(id)
    try await streams.store.edit([id], StreamEdit(marks: [item.isStarred ? .unstarred : .starred]))
  }
}

/// The items that a request selects.
struct MinifluxFilter {
  private(set) var query: Query
  private(set) var isOldestFirst: Bool
  /// The items in the order of ids; nil: the order is by time.
  private(set) var stream: StreamRequest?
  /// True if the query selects the items of `stream` and no fewer. A stream cannot select by words, by times or items
  /// without a star.
  private(set) var isWholeStream = true

  init(
    _ parameters: HTTPParameters,
    _ catalog: SyncCatalog,
    feed: Int64?,
    category: Int64?
  ) throws {
    var parts: [Query] = []
    var streams: [ItemStream] = []
    if let id = try feed ?? parameters.number("feed_id") {
      guard catalog.feed(Feed.ID(rawValue: id)) != nil else { throw BadRequest("Not Found", status: 404) }
      parts.append(.feedID(Feed.ID(rawValue: id)))
      streams.append(.feeds([Feed.ID(rawValue: id)]))
    }
    if let id = try category ?? parameters.number("category_id") {
      let feeds = catalog.feeds.filter { MinifluxFeeds.category(of: $0) == id }.map(\.id)
      parts.append(.or(feeds.map(Query.feedID)))
      streams.append(.feeds(feeds))
    }
    let states = Set(parameters.all("status"))
    if !states.isEmpty, !states.isSubset(of: ["read", "unread", "removed"]) {
      throw BadRequest("status takes read, unread or removed")
    }
    switch (states.contains("read"), states.contains("unread")) {
    case (true, false):
      parts.append(.isRead(true))
      streams.append(.read)
    case (false, true):
      parts.append(.isRead(false))
      streams.append(.unread)
    case (false, false) where !states.isEmpty:
      parts.append(.or([]))
      streams.append(.nothing)
    default: break
    }
    if let starred = parameters.first("starred"), !starred.isEmpty {
      let isStarred = starred == "true" || starred == "1"
      parts.append(.isStarred(isStarred))
      if isStarred { streams.append(.starred) } else { isWholeStream = false }
    }
    for name in ["after", "published_after"] {
      if let time = try parameters.number(name) {
        parts.append(.since(Timestamp(seconds: min(time, 1 << 40))))
        isWholeStream = false
      }
    }
    for name in ["before", "published_before"] {
      if let time = try parameters.number(name) {
        parts.append(.until(Timestamp(seconds: min(time, 1 << 40))))
        isWholeStream = false
      }
    }
    if let text = parameters.first("search"), !text.isEmpty {
      for word in text.split(ascii: " ") { parts.append(.text(TextMatch(text: String(word)))) }
      isWholeStream = false
    }
    let direction = parameters.first("direction") ?? "asc"
    guard direction == "asc" || direction == "desc" else { throw BadRequest("direction takes asc or desc") }
    isOldestFirst = direction == "asc"
    query = parts.count > 1 ? .and(parts) : parts.first ?? .all
    try readIDs(parameters, streams)
  }

  private mutating func readIDs(_ parameters: HTTPParameters, _ streams: [ItemStream]) throws(BadRequest) {
    let after = try parameters.number("after_entry_id")
    let before = try parameters.number("before_entry_id")
    guard parameters.first("order") == "id" || after != nil || before != nil else { return }
    var request = StreamRequest(
      including: streams,
      isOldestFirst: before == nil && (isOldestFirst || after != nil)
    )
    request.after = (before ?? after).map(NewsItem.ID.init(rawValue:))
    stream = request
  }
}
