import NewsHTTP
import NewsCore
import NewsToolbox

/// Feeds and categories in Miniflux's API.
struct MinifluxSubscriptions {
  let streams: SyncStreams

  // MARK: Feeds

  func feeds(category: Int64?) async throws -> HTTPReply {
    let catalog = try await streams.catalogWithIcons()
    let shown =
      try category.map { try MinifluxCategory($0, catalog.paths, status: 404).feeds(catalog) }
      ?? catalog.feeds
    return SyncReply.json { json in
      json.beginArray()
      for feed in shown { MinifluxFeeds.write(feed, catalog.paths, icon: catalog.icons[feed.id], &json) }
      json.endArray()
    }
  }

  func feed(_ id: Int64, status: Int = 200) async throws -> HTTPReply {
    let catalog = try await streams.catalogWithIcons()
    let feed = try Self.feed(id, catalog)
    return SyncReply.json(status) {
      MinifluxFeeds.write(feed, catalog.paths, icon: catalog.icons[feed.id], &$0)
    }
  }

  private static func feed(_ id: Int64, _ catalog: SyncCatalog) throws(BadRequest) -> Feed {
    guard let feed = catalog.feed(Feed.ID(rawValue: id)) else { throw BadRequest.notFound }
    return feed
  }

  func counters() async throws -> HTTPReply {
    let feeds = try await streams.store.feeds()
    func write(_ name: StaticString, _ json: inout JSONWriter, _ count: (Feed) -> Int) {
      json.object(name) { json in
        for feed in feeds {
          json.key(dynamic: String(feed.id.rawValue))
          json.value(count(feed))
        }
      }
    }
    return SyncReply.object { json in
      write("reads", &json) { $0.itemCount - $0.unreadCount }
      write("unreads", &json) { $0.unreadCount }
    }
  }

  func add(_ value: JSONValue) async throws -> HTTPReply {
    guard let url = value["feed_url"]?.string, !url.isEmpty else { throw BadRequest("feed_url is missing") }
    let category = try MinifluxCategory(value["category_id"]?.integer ?? 0, try await streams.folders())
    let (feed, isNew) = try await streams.subscribe(to: url)
    guard isNew else { throw BadRequest("This feed already exists.") }
    if let folder = category.folder { try await streams.move(feed.id, toFolder: folder) }
    try await set(value, of: feed)
    return SyncReply.object(201) { json in
      json.field("feed_id", feed.id.rawValue)
    }
  }

  func change(_ id: Int64, _ changes: JSONValue) async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    let feed = try Self.feed(id, catalog)
    if let title = changes["title"]?.string, !title.isEmpty {
      try await streams.store.rename(feed.id, to: title)
    }
    if let category = changes["category_id"]?.integer {
      try await streams.move(feed.id, toFolder: try MinifluxCategory(category, catalog.paths).folder)
    }
    try await set(changes, of: feed)
    return try await self.feed(id, status: 201)
  }

  /// Pauses or hides a feed, or ends that.
  private func set(_ changes: JSONValue, of feed: Feed) async throws {
    var settings = feed.settings
    if let isPaused = changes["disabled"]?.bool { settings.isPaused = isPaused ? true : nil }
    if let isHidden = changes["hide_globally"]?.bool { settings.isHidden = isHidden ? true : nil }
    guard settings != feed.settings else { return }
    try await streams.store.update(feed.id, settings: settings)
  }

  func remove(_ id: Int64) async throws {
    try await streams.store.remove(try Self.feed(id, try await streams.catalog()).id)
  }

  /// `discover`: the feeds at an address.
  func discover(_ value: JSONValue) async throws -> HTTPReply {
    guard let url = value["url"]?.string, !url.isEmpty else { throw BadRequest("url is missing") }
    let found = try await streams.network.makeAdder().find(url)
    guard !found.isEmpty else { throw BadRequest.notFound }
    return SyncReply.json { json in
      json.beginArray()
      for feed in found {
        json.beginObject()
        json.field("title", feed.title ?? feed.url)
        json.field("url", feed.url)
        json.field("type", Self.kind(feed.mimeType ?? ""))
        json.endObject()
      }
      json.endArray()
    }
  }

  private static func kind(_ type: String) -> String {
    type.contains(bytesOf: "json") ? "json" : type.contains(bytesOf: "atom") ? "atom" : "rss"
  }

  // MARK: Categories

  func categories(_ request: HTTPRequest) async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    let counts = request.query.first("counts")
    return SyncReply.json { json in
      json.beginArray()
      for category in MinifluxCategory.all(catalog.paths) {
        category.write(counting: counts == "true" || counts == "1" ? category.feeds(catalog) : nil, &json)
      }
      json.endArray()
    }
  }

  func addCategory(_ value: JSONValue) async throws -> HTTPReply {
    guard let title = value["title"]?.string, !title.isEmpty else { throw BadRequest("title is missing") }
    return try await created(try await streams.makeFolder(title))
  }

  private func created(_ folder: String) async throws -> HTTPReply {
    let folders = try await streams.folders()
    return SyncReply.json(201) { MinifluxCategory(folder, folders).write(&$0) }
  }

  func rename(category id: Int64, _ changes: JSONValue) async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    let category = try MinifluxCategory(id, catalog.paths, status: 404)
    guard let title = changes["title"]?.string, title != category.title else {
      return SyncReply.json(201) { category.write(&$0) }
    }
    guard let folder = category.folder else {
      throw BadRequest("the category of feeds without a folder cannot be renamed")
    }
    return try await created(try await streams.renameFolder(folder, to: title, catalog))
  }

  /// Removes the folder of a category. Its feeds stay, without a folder.
  func remove(category id: Int64) async throws {
    guard let folder = try MinifluxCategory(id, try await streams.folders(), status: 404).folder else {
      throw BadRequest("the category of feeds without a folder cannot be removed")
    }
    try await streams.store.moveFolder(folder, to: nil)
  }

  // MARK: Marks and refreshes

  func markAll(_ kind: String, _ id: Int64) async throws {
    let stream: ItemStream = kind == "users" ? .all : .feeds(try await feeds(kind, id).map(\.id))
    try await streams.store.markRead(StreamRequest([stream]))
  }

  func refresh(_ kind: String, _ id: Int64) async throws {
    let feeds = try await feeds(kind, id).map(\.id)
    if kind == "feeds", let feed = feeds.first {
      try await streams.network.refresh(feed)
    } else {
      try await streams.network.startRefresh(feeds)
    }
  }

  private func feeds(_ kind: String, _ id: Int64) async throws -> [Feed] {
    let catalog = try await streams.catalog()
    switch kind {
    case "feeds": return [try Self.feed(id, catalog)]
    case "categories": return try MinifluxCategory(id, catalog.paths, status: 404).feeds(catalog)
    default: throw BadRequest.notFound
    }
  }
}
