public import NewsHTTP
public import NewsCore
import NewsToolbox

/// The part of Miniflux's API (version 1) that its clients for reading use.
public struct Miniflux: Sendable {
  private let api: OwnAPI
  private let streams: SyncStreams
  private let account: any WebAccount

  public init(api: OwnAPI, streams: SyncStreams, account: any WebAccount) {
    self.api = api
    self.streams = streams
    self.account = account
  }

  public var routes: [WebRoute] {
    let handler = MinifluxHandler(api: api, streams: streams, account: account)
    return [
      WebRoute(
        api: "miniflux",
        path: ["v1"],
        methods: [.get, .put, .post, .delete],
        bodyLimit: 4 << 20,
        access: .appPassword(field: "X-Auth-Token"),
        foreign: .withToken,
        handler: handler
      ),
      WebRoute(
        api: "miniflux",
        path: ["v1", "import"],
        isExact: true,
        methods: [.post],
        bodyLimit: 32 << 20,
        access: .appPassword(field: "X-Auth-Token"),
        foreign: .withToken,
        handler: handler
      ),
    ]
  }
}

/// Chooses the endpoint by method and path. Errors are JSON objects with `error_message`.
private struct MinifluxHandler: HTTPHandling {
  let api: OwnAPI
  let streams: SyncStreams
  let account: any WebAccount

  func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      return try await answer(request)
    } catch {
      let (status, message) = SyncReply.failure(error)
      let reply = SyncReply.json(status) { json in
        json.beginObject()
        json.field("error_message", message)
        json.endObject()
      }
      return status == 503 ? reply.with("Retry-After", "5") : reply
    }
  }

  private var entries: MinifluxEntries { MinifluxEntries(api: api, streams: streams) }

  private func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    let path = Array(request.path.dropFirst())
    switch request.method {
    case .get, .head: return try await read(path, request)
    case .put: return try await change(path, request)
    case .post: return try await create(path, request)
    case .delete: return try await remove(path)
    default: throw Self.unknown
    }
  }

  private static var unknown: BadRequest { BadRequest("Not Found", status: 404) }

  private static func number(_ text: String) throws(BadRequest) -> Int64 {
    guard let number = HTTPParameters.number(text) else { throw unknown }
    return number
  }

  // MARK: Reading

  private func read(_ path: [String], _ request: HTTPRequest) async throws -> HTTPReply {
    switch path.count {
    case 1: return try await readList(path[0], request)
    case 2 where path == ["feeds", "counters"]: return try await counters()
    case 2 where path == ["integrations", "status"]:
      let hasHooks = try await !streams.store.hooks(with: .saved).isEmpty
      return SyncReply.json { json in
        json.beginObject()
        json.field("has_integrations", hasHooks)
        json.endObject()
      }
    case 2 where path[0] == "feeds": return try await feed(try Self.number(path[1]))
    case 2 where path[0] == "entries":
      return try await entries.one(NewsItem.ID(rawValue: try Self.number(path[1])), request)
    case 3 where path[0] == "feeds" && path[2] == "entries":
      return try await entries.list(request, feed: try Self.number(path[1]))
    case 3 where path[0] == "categories" && path[2] == "entries":
      return try await entries.list(request, category: try Self.number(path[1]))
    case 3 where path[0] == "categories" && path[2] == "feeds":
      return try await feeds(category: try Self.number(path[1]))
    case 4 where path[0] == "feeds" && path[2] == "entries":
      return try await entries.one(NewsItem.ID(rawValue: try Self.number(path[3])), request)
    default: throw Self.unknown
    }
  }

  private func readList(_ name: String, _ request: HTTPRequest) async throws -> HTTPReply {
    switch name {
    case "me": return SyncReply.json { writeUser(&$0) }
    case "users":
      return SyncReply.json { json in
        json.beginArray()
        writeUser(&json)
        json.endArray()
      }
    case "version":
      return SyncReply.json { json in
        json.beginObject()
        // The version of Miniflux whose API newsd implements.
        json.field("version", "2.0.49")
        json.endObject()
      }
    case "feeds": return try await feeds(category: nil)
    case "categories": return try await categories()
    case "entries": return try await entries.list(request)
    case "export":
      let list = Array(try await streams.exportList().utf8)
      return HTTPReply(type: "text/x-opml; charset=utf-8", list).unstored
    default: throw Self.unknown
    }
  }

  private func writeUser(_ json: inout JSONWriter) {
    json.beginObject()
    json.field("id", 1)
    json.field("username", account.user)
    json.field("is_admin", false)
    json.field("theme", "system_serif")
    json.field("language", "en_US")
    json.field("timezone", "UTC")
    json.field("entry_sorting_direction", "desc")
    json.endObject()
  }

  private func feeds(category: Int64?) async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    let shown = catalog.feeds.filter { category == nil || MinifluxFeeds.category(of: $0) == category }
    return SyncReply.json { json in
      json.beginArray()
      for feed in shown { MinifluxFeeds.write(feed, &json) }
      json.endArray()
    }
  }

  private func feed(_ id: Int64) async throws -> HTTPReply {
    let feed = try await existingFeed(id)
    return SyncReply.json { MinifluxFeeds.write(feed, &$0) }
  }

  private func existingFeed(_ id: Int64) async throws -> Feed {
    guard let feed = try await streams.catalog().feed(Feed.ID(rawValue: id)) else { throw Self.unknown }
    return feed
  }

  private func categories() async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    return SyncReply.json { json in
      json.beginArray()
      for folder in [nil] + catalog.folders.map(Optional.some) { MinifluxFeeds.writeCategory(folder, &json) }
      json.endArray()
    }
  }

  private func counters() async throws -> HTTPReply {
    let feeds = try await streams.store.feeds()
    return SyncReply.json { json in
      json.beginObject()
      json.key("reads")
      json.beginObject()
      for feed in feeds {
        json.key(dynamic: String(feed.id.rawValue))
        json.value(feed.itemCount - feed.unreadCount)
      }
      json.endObject()
      json.key("unreads")
      json.beginObject()
      for feed in feeds {
        json.key(dynamic: String(feed.id.rawValue))
        json.value(feed.unreadCount)
      }
      json.endObject()
      json.endObject()
    }
  }

  // MARK: Changing

  private static var done: HTTPReply { HTTPReply(status: 204) }

  private static func object(_ request: HTTPRequest) throws(BadRequest) -> JSONValue {
    guard let value = request.body.withUnsafeBufferPointer({ JSONValue(valid: $0) }), value.members != nil
    else {
      throw BadRequest("the body is not a JSON object")
    }
    return value
  }

  private func change(_ path: [String], _ request: HTTPRequest) async throws -> HTTPReply {
    switch path.count {
    case 1 where path == ["entries"]: try await entries.mark(try Self.object(request))
    case 2 where path[0] == "feeds":
      return try await changeFeed(try Self.number(path[1]), try Self.object(request))
    case 3 where path[0] == "entries" && path[2] == "bookmark":
      try await entries.toggleBookmark(NewsItem.ID(rawValue: try Self.number(path[1])))
    case 3 where path[2] == "mark-all-as-read":
      try await markAll(path[0], try Self.number(path[1]))
    default: throw Self.unknown
    }
    return Self.done
  }

  private func markAll(_ kind: String, _ id: Int64) async throws {
    let stream: ItemStream
    switch kind {
    case "users": stream = .all
    case "feeds": stream = .feeds([try await existingFeed(id).id])
    case "categories":
      let feeds = try await streams.catalog().feeds.filter { MinifluxFeeds.category(of: $0) == id }
      guard !feeds.isEmpty else { throw Self.unknown }
      stream = .feeds(feeds.map(\.id))
    default: throw Self.unknown
    }
    try await streams.store.markRead(StreamRequest([stream]))
  }

  private func changeFeed(_ id: Int64, _ changes: JSONValue) async throws -> HTTPReply {
    let feed = try await existingFeed(id)
    if let title = changes["title"]?.string, !title.isEmpty {
      try await streams.store.rename(feed.id, to: title)
    }
    if let category = changes["category_id"]?.integer {
      try await streams.move(feed.id, toFolder: try await folder(category))
    }
    return try await self.feed(id)
  }

  /// The folder of a category; nil for the category of feeds without a folder.
  private func folder(_ category: Int64) async throws -> String? {
    guard category != MinifluxFeeds.noCategory else { return nil }
    guard let folder = try await streams.catalog().folders.first(where: { FeverIDs.group($0) == category })
    else {
      throw BadRequest("there is no category \(category)")
    }
    return folder
  }

  private func create(_ path: [String], _ request: HTTPRequest) async throws -> HTTPReply {
    switch path {
    case ["feeds"]:
      let value = try Self.object(request)
      guard let url = value["feed_url"]?.string, !url.isEmpty else { throw BadRequest("feed_url is missing") }
      let folder = try await folder(value["category_id"]?.integer ?? MinifluxFeeds.noCategory)
      let feed = try await streams.subscribe(to: url, folder: folder).feed
      return SyncReply.json(201) { json in
        json.beginObject()
        json.field("feed_id", feed.id.rawValue)
        json.endObject()
      }
    case ["import"]:
      _ = try await streams.importList(request.body)
      return SyncReply.json(201) { json in
        json.beginObject()
        json.field("message", "Feeds imported successfully")
        json.endObject()
      }
    case _ where path.count == 3 && path[0] == "entries" && path[2] == "save":
      return try await save(NewsItem.ID(rawValue: try Self.number(path[1])))
    default: throw Self.unknown
    }
  }

  /// Passes an item to the hooks that save items.
  private func save(_ id: NewsItem.ID) async throws -> HTTPReply {
    guard try await !streams.store.hooks(with: .saved).isEmpty else {
      throw BadRequest("no hook saves items")
    }
    guard try await streams.store.save([id]).isEmpty else { throw Self.unknown }
    return SyncReply.json(202) { json in
      json.beginObject()
      json.endObject()
    }
  }

  private func remove(_ path: [String]) async throws -> HTTPReply {
    guard path.count == 2, path[0] == "feeds" else { throw Self.unknown }
    try await streams.store.remove(try await existingFeed(try Self.number(path[1])).id)
    return Self.done
  }
}
