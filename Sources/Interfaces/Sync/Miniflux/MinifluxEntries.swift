import NewsHTTP
import NewsCore
import NewsToolbox

/// Items in the form of Miniflux's API: lists and changes.
struct MinifluxEntries {
  private static let largestEdit = 10_000
  /// Maximum number of ids in one answer.
  private static let largestIDList = 10_000

  let streams: SyncStreams

  // MARK: Reading

  func one(
    _ id: Int64,
    _ request: HTTPRequest,
    feed: Int64? = nil,
    category: Int64? = nil
  ) async throws -> HTTPReply {
    let folders = try await streams.folders()
    let item = try await item(id)
    guard feed ?? item.item.feedID.rawValue == item.item.feedID.rawValue,
      try category.map({ try MinifluxCategory($0, folders, status: 404).folder == item.feed?.folder }) ?? true
    else { throw BadRequest.notFound }
    let texts = await Self.json([item], folders, streams.icons, request.site)
    return HTTPReply(type: SyncReply.jsonType, texts[0]).unstored
  }

  func item(_ id: Int64) async throws -> StreamItem {
    guard let item = try await streams.store.streamItems([NewsItem.ID(rawValue: id)]).first else {
      throw BadRequest.notFound
    }
    return item
  }

  func list(_ request: HTTPRequest, feed: Int64? = nil, category: Int64? = nil) async throws -> HTTPReply {
    let filter = try await MinifluxFilter(request.query, streams, feed: feed, category: category)
    let (total, ids) = try await page(filter)
    let folders = try await streams.folders()
    let (icons, site) = (streams.icons, request.site)
    let body = ItemListBody(
      streams.store,
      ids,
      begin: Array("{\"total\":\(total),\"entries\":[".utf8),
      separator: ",",
      end: Array("]}".utf8)
    ) { await Self.json($0, folders, icons, site) }
    return SyncReply.stream(type: SyncReply.jsonType, body)
  }

  private func page(_ filter: MinifluxFilter) async throws -> (total: Int, ids: [NewsItem.ID]) {
    var request = filter.request
    for tag in filter.tags {
      // The tags of an entry are those of the feed and the labels of the user.
      request.including.append(.items(try await streams.ids(.or([.tag(tag), .label(tag)]))))
    }
    if let words = filter.words { request.including.append(.items(try await streams.ids(words))) }
    let page = try await streams.store.page(request, offset: filter.offset, limit: filter.limit)
    return (page.total, page.entries.map(\.id))
  }

  /// `entries/ids`: the newest ids, of all entries or of those in a state.
  func ids(_ request: HTTPRequest) async throws -> HTTPReply {
    var filter = try await MinifluxFilter(request.query, streams)
    filter.limit = min(request.query.first("limit") == nil ? .max : filter.limit, Self.largestIDList)
    filter.request.order = .id
    filter.request.isOldestFirst = false
    let (total, ids) = try await page(filter)
    return SyncReply.object { json in
      json.field("total", total)
      json.array("entry_ids", ids) { json, id in json.value(id.rawValue) }
    }
  }

  /// `fetch-content`: the article of the entry's page. Nothing is stored: a GET changes nothing.
  func article(_ id: Int64) async throws -> HTTPReply {
    let found = try await item(id)
    let item = found.item
    guard let url = item.url, WebAddress.isWeb(url), let feed = found.feed
    else { throw BadRequest("the entry has no web page") }
    // Without title and text, the article need not resemble those of the feed: the user sees what comes.
    let job = ArticleJob(itemID: item.id, feed: feed, url: url, title: "", feedText: "")
    switch await streams.network.article(job)?.outcome {
    case .fetched(let html, let text):
      return SyncReply.object { json in
        json.field("content", html)
        json.field("reading_time", Self.readingTime(text))
      }
    case .refused(let reason): throw BadRequest(reason, status: 502)
    case .unchanged, nil: throw BadRequest("the page was not fetched", status: 503)
    }
  }

  /// Minutes, estimated from the length of the text.
  private static func readingTime(_ text: String) -> Int { max(1, text.utf8.count / 1500) }

  private static func json(
    _ items: [StreamItem],
    _ folders: SyncFolders,
    _ icons: FeedIcons,
    _ site: WebSite
  ) async -> [[UInt8]] {
    let found = await icons.found(Array(Set(items.map(\.item.feedID))))
    return items.map { json($0, folders, icon: found[$0.item.feedID], site) }
  }

  private static func json(
    _ stream: StreamItem,
    _ folders: SyncFolders,
    icon: PictureReference?,
    _ site: WebSite
  ) -> [UInt8] {
    let item = stream.item
    let html = ItemMarkup.html(item)
    var json = JSONWriter(reservingCapacity: html.utf8.count + 2048)
    json.beginObject()
    json.field("id", item.id.rawValue)
    json.field("user_id", 1)
    json.field("feed_id", item.feedID.rawValue)
    json.field("status", item.isRead ? "read" : "unread")
    json.field("language", item.language ?? "")
    json.field("hash", FNV1a<UInt128>("\(item.feedID.rawValue) \(item.guid)".utf8).value.hexDigits(32))
    json.field("title", item.shownTitle)
    json.field("url", ItemMarkup.link(item, site))
    json.field("comments_url", item.commentsURL ?? "")
    json.field("published_at", item.sortTime.rfc3339)
    json.field("created_at", item.stored.rfc3339)
    json.field("changed_at", stream.changed.rfc3339)
    json.field("content", html)
    json.field("author", ItemMarkup.author(item))
    json.field("share_code", "")
    json.field("starred", item.isStarred)
    json.field("reading_time", readingTime(item.contentText))
    json.key("enclosures")
    MinifluxMedia.writeEnclosures(of: stream, &json)
    json.array("tags", item.tags + stream.labels) { json, tag in json.value(tag) }
    if let feed = stream.feed {
      json.key("feed")
      MinifluxFeeds.write(feed, folders, icon: icon, &json)
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
    var marks: [ItemMark] = []
    switch value["status"]?.string {
    case "read": marks.append(.read)
    case "unread": marks.append(.unread)
    case nil: break
    default: throw BadRequest("status takes read or unread")
    }
    if let isStarred = value["starred"]?.bool { marks.append(isStarred ? .starred : .unstarred) }
    guard !marks.isEmpty else { throw BadRequest("status or starred is missing") }
    try await streams.store.edit(ids, StreamEdit(marks: marks))
  }

  func toggleStar(_ id: Int64) async throws {
    let item = try await item(id).item
    try await streams.store.edit([item.id], StreamEdit(marks: [item.isStarred ? .unstarred : .starred]))
  }
}
