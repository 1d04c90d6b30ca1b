public import NewsHTTP
public import NewsCore
import NewsToolbox

/// The part of Miniflux's API (version 1) that its clients for reading use.
public struct Miniflux: Sendable {
  private let streams: SyncStreams
  private let account: any WebAccount

  public init(streams: SyncStreams, account: any WebAccount) {
    self.streams = streams
    self.account = account
  }

  public var routes: [WebRoute] {
    let handler = MinifluxHandler(streams: streams, account: account)
    func route(_ path: [String], _ methods: [HTTPMethod], body: Int, isExact: Bool) -> WebRoute {
      WebRoute(
        api: "miniflux",
        path: path,
        isExact: isExact,
        methods: methods,
        bodyLimit: body,
        access: .appPassword(field: "X-Auth-Token"),
        foreign: .withToken,
        servesWebClients: true,
        handler: handler
      )
    }
    func open(_ path: String, _ text: String) -> WebRoute {
      WebRoute(api: "miniflux", path: [path]) { _ in .text(200, text) }
    }
    return [
      route(["v1"], [.get, .put, .post, .delete], body: 4 << 20, isExact: false),
      route(["v1", "import"], [.post], body: 32 << 20, isExact: true),
      open("version", MinifluxUser.version), open("healthcheck", "OK"),
    ]
  }
}

/// Chooses the endpoint by method and path. Errors are JSON objects with `error_message`.
private struct MinifluxHandler: HTTPHandling {
  let streams: SyncStreams
  let account: any WebAccount

  func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      return try await answer(request)
    } catch {
      let (status, message) = SyncReply.failure(error)
      let reply = SyncReply.object(status) { json in
        json.field("error_message", message)
      }
      return status == 503 ? reply.with("Retry-After", "5") : reply
    }
  }

  private var entries: MinifluxEntries { MinifluxEntries(streams: streams) }
  private var subscriptions: MinifluxSubscriptions { MinifluxSubscriptions(streams: streams) }

  private var media: MinifluxMedia { MinifluxMedia(streams: streams) }

  private func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    var path = Array(request.path.dropFirst())
    if path.last == "" { path.removeLast() }
    switch request.method {
    case .get, .head: return try await read(path, request)
    case .put:
      if let reply = try await change(path, request) { return reply }
    case .post: return try await create(path, request)
    case .delete:
      // See `change`.
      if path == ["flush-history"] { return HTTPReply(status: 202) }
      try await remove(path)
    default: throw BadRequest.notFound
    }
    return HTTPReply(status: 204)
  }

  private static func number(_ text: String) throws(BadRequest) -> Int64 {
    guard let number = HTTPParameters.number(text) else { throw BadRequest.notFound }
    return number
  }

  private static func object(_ request: HTTPRequest) throws(BadRequest) -> JSONValue {
    guard let value = JSONValue(requestBody: request.body), value.members != nil
    else {
      throw BadRequest("the body is not a JSON object")
    }
    return value
  }

  // MARK: Methods

  private func read(_ path: [String], _ request: HTTPRequest) async throws -> HTTPReply {
    switch path.count {
    case 1: return try await readList(path[0], request)
    case 2 where path == ["feeds", "counters"]: return try await subscriptions.counters()
    case 2 where path == ["entries", "ids"]: return try await entries.ids(request)
    case 2 where path == ["integrations", "status"]: return try await integrations
    case 2 where path[0] == "icons": return try await media.icon(try Self.number(path[1]))
    case 2 where path[0] == "enclosures": return try await media.enclosure(try Self.number(path[1]))
    case 3 where path[0] == "feeds" && path[2] == "icon":
      return try await media.icon(ofFeed: try Self.number(path[1]))
    case 2 where path[0] == "feeds": return try await subscriptions.feed(try Self.number(path[1]))
    case 2 where path[0] == "entries": return try await entries.one(try Self.number(path[1]), request)
    case 2 where path[0] == "users" && (path[1] == "1" || path[1] == account.user): return user(request)
    case 3 where path[0] == "feeds" && path[2] == "entries":
      return try await entries.list(request, feed: try Self.number(path[1]))
    case 3 where path[0] == "categories" && path[2] == "entries":
      return try await entries.list(request, category: try Self.number(path[1]))
    case 3 where path[0] == "categories" && path[2] == "feeds":
      return try await subscriptions.feeds(category: try Self.number(path[1]))
    case 3 where path[0] == "entries" && path[2] == "fetch-content":
      return try await entries.article(try Self.number(path[1]))
    case 4 where path[0] == "feeds" && path[2] == "entries":
      return try await entries.one(try Self.number(path[3]), request, feed: try Self.number(path[1]))
    case 4 where path[0] == "categories" && path[2] == "entries":
      return try await entries.one(try Self.number(path[3]), request, category: try Self.number(path[1]))
    default: throw BadRequest.notFound
    }
  }

  private func readList(_ name: String, _ request: HTTPRequest) async throws -> HTTPReply {
    switch name {
    case "me": return user(request)
    case "users":
      return SyncReply.json { json in
        json.beginArray()
        MinifluxUser(account.user, request.app, streams.clock).write(&json)
        json.endArray()
      }
    case "version": return MinifluxUser.build
    case "feeds": return try await subscriptions.feeds(category: nil)
    case "categories": return try await subscriptions.categories(request)
    case "entries": return try await entries.list(request)
    case "export":
      let list = Array(try await streams.exportList().utf8)
      return HTTPReply(type: "text/x-opml; charset=utf-8", list).unstored
    default: throw BadRequest.notFound
    }
  }

  private func user(_ request: HTTPRequest) -> HTTPReply {
    SyncReply.json { MinifluxUser(account.user, request.app, streams.clock).write(&$0) }
  }

  /// Whether entries can be saved to another service: whether a hook saves items.
  private var integrations: HTTPReply {
    get async throws {
      let hasHooks = try await !streams.store.hooks(with: .saved).isEmpty
      return SyncReply.object { json in
        json.field("has_integrations", hasHooks)
      }
    }
  }

  /// Returns nil for an answer without content.
  private func change(_ path: [String], _ request: HTTPRequest) async throws -> HTTPReply? {
    switch path.count {
    case 1 where path == ["entries"]: try await entries.mark(try Self.object(request))
    // Miniflux deletes the entries that were read. newsd keeps them, as its own retention says.
    case 1 where path == ["flush-history"]: return HTTPReply(status: 202)
    case 2 where path == ["feeds", "refresh"]: try await streams.network.startRefresh(nil)
    case 2 where path[0] == "feeds":
      return try await subscriptions.change(try Self.number(path[1]), try Self.object(request))
    case 2 where path[0] == "enclosures":
      try await media.changeEnclosure(try Self.number(path[1]), try Self.object(request))
    case 2 where path[0] == "categories":
      return try await subscriptions.rename(category: try Self.number(path[1]), try Self.object(request))
    case 3 where path[0] == "entries" && (path[2] == "bookmark" || path[2] == "star"):
      try await entries.toggleStar(try Self.number(path[1]))
    case 3 where path[2] == "mark-all-as-read":
      try await subscriptions.markAll(path[0], try Self.number(path[1]))
    case 3 where path[2] == "refresh":
      try await subscriptions.refresh(path[0], try Self.number(path[1]))
    default: throw BadRequest.notFound
    }
    return nil
  }

  private func create(_ path: [String], _ request: HTTPRequest) async throws -> HTTPReply {
    switch path {
    case ["feeds"]: return try await subscriptions.add(try Self.object(request))
    case ["categories"]: return try await subscriptions.addCategory(try Self.object(request))
    case ["discover"]: return try await subscriptions.discover(try Self.object(request))
    case ["import"]:
      _ = try await streams.importList(request.body)
      return SyncReply.object(201) { json in
        json.field("message", "Feeds imported successfully")
      }
    case _ where path.count == 3 && path[0] == "entries" && path[2] == "save":
      return try await save(NewsItem.ID(rawValue: try Self.number(path[1])))
    default: throw BadRequest.notFound
    }
  }

  /// Passes an item to the hooks that save items.
  private func save(_ id: NewsItem.ID) async throws -> HTTPReply {
    guard try await !streams.store.hooks(with: .saved).isEmpty else {
      throw BadRequest("no third-party integration enabled: no hook saves items")
    }
    guard try await streams.store.save([id]).isEmpty else { throw BadRequest.notFound }
    return SyncReply.object(202) { _ in }
  }

  private func remove(_ path: [String]) async throws {
    switch path.count {
    case 2 where path[0] == "feeds": try await subscriptions.remove(try Self.number(path[1]))
    case 2 where path[0] == "categories": try await subscriptions.remove(category: try Self.number(path[1]))
    default: throw BadRequest.notFound
    }
  }
}
