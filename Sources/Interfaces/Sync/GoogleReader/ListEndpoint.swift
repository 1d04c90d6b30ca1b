import NewsHTTP
import NewsCore
import NewsToolbox

/// The endpoints that list feeds, folders, labels and counts.
struct ListEndpoint: GoogleReaderEndpoint {
  enum Kind: CaseIterable {
    case token, userInfo, subscriptions, tags, unreadCounts, export, preferences, streamPreferences

    var path: [String] {
      switch self {
      case .token: ["token"]
      case .userInfo: ["user-info"]
      case .subscriptions: ["subscription", "list"]
      case .tags: ["tag", "list"]
      case .unreadCounts: ["unread-count"]
      case .export: ["subscription", "export"]
      case .preferences: ["preference", "list"]
      case .streamPreferences: ["preference", "stream", "list"]
      }
    }
  }

  let kind: Kind
  let access: GoogleReaderAccess
  let streams: SyncStreams

  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply {
    switch kind {
    case .token:
      // No line feed, because clients copy the answer into bodies unchanged.
      return HTTPReply.text(200, try await access.account.actionToken(of: call.app)).unstored
    case .userInfo: return userInfo
    case .subscriptions:
      return try await conditional(call.request) { try await subscriptions(call.request.site) }
    case .tags: return try await conditional(call.request, tags)
    case .unreadCounts: return try await unreadCounts
    case .export:
      let list = Array(try await streams.exportList().utf8)
      return HTTPReply(type: "text/x-opml; charset=utf-8", list)
        .with("Content-Disposition", "attachment; filename=\"subscriptions.opml\"").unstored
    case .preferences: return SyncReply.object { $0.array("prefs", [String]()) { $0.value($1) } }
    case .streamPreferences: return SyncReply.object { $0.object("streamprefs") { _ in } }
    }
  }

  private var userInfo: HTTPReply {
    SyncReply.object { json in
      json.field("userId", "1")
      json.field("userName", access.account.user)
      json.field("userProfileId", "1")
      json.field("userEmail", "")
    }
  }

  /// Answers 304 only if nothing in the store changed: Liferea does not update any feed after a 304 of the
  /// list of subscriptions.
  private func conditional(
    _ request: HTTPRequest,
    _ document: () async throws -> HTTPReply
  ) async throws -> HTTPReply {
    let tag = "\"\(try await streams.store.latestSequence())\""
    var reply =
      request.has(entityTag: tag) ? HTTPReply(status: 304) : try await document()
    reply.fields.set("Cache-Control", "private, no-cache")
    return reply.with("ETag", tag)
  }

  private func subscriptions(_ site: WebSite) async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    let icons = try await streams.icons.paths(of: catalog.feeds.map(\.id))
    return SyncReply.object { json in
      json.array("subscriptions", catalog.feeds) { json, feed in
        Self.write(feed, catalog, icon: icons[feed.id].map { site.url($0) }, &json)
      }
    }
  }

  private static func write(_ feed: Feed, _ catalog: SyncCatalog, icon: String?, _ json: inout JSONWriter) {
    json.beginObject()
    json.field("id", StreamName.feed(feed.id))
    json.field("title", feed.visibleTitle)
    json.key("categories")
    json.beginArray()
    if let folder = feed.folder.map(catalog.paths.shown) {
      json.beginObject()
      json.field("id", StreamName.label(named: folder))
      json.field("label", folder)
      json.endObject()
    }
    json.endArray()
    json.field("sortid", UInt64(feed.position).hexDigits(8))
    json.field("firstitemmsec", "0")
    json.field("url", feed.visibleURL)
    json.field("htmlUrl", feed.siteURL ?? feed.visibleURL)
    json.field("iconUrl", icon ?? "")
    json.endObject()
  }

  private func tags() async throws -> HTTPReply {
    let catalog = try await streams.catalog()
    let unread = try await unread(of: catalog.searches)
    let labels = try await labels(catalog)
    return SyncReply.object { json in
      json.key("tags")
      json.beginArray()
      Self.write(tag: StreamName.starred, nil, &json)
      for folder in catalog.folders {
        Self.write(tag: StreamName.label(named: catalog.paths.shown(folder)), "folder", &json)
      }
      for label in labels {
        Self.write(tag: StreamName.label(named: label.name), "tag", unread: label.unread, &json)
      }
      for (search, unread) in zip(catalog.searches, unread) {
        Self.write(tag: StreamName.label(named: search.name), "tag", unread: unread, &json)
      }
      json.endArray()
    }
  }

  /// Writes a folder, label or state, with the members that FreshRSS writes: some clients fail at others. Without `type`,
  /// RSS Guard loses the feeds of folders.
  private static func write(tag id: String, _ type: String?, unread: Int? = nil, _ json: inout JSONWriter) {
    json.beginObject()
    json.field("id", id)
    json.field("type", type)
    json.field("unread_count", unread)
    json.endObject()
  }

  /// The labels of the catalog with their numbers of items.
  private func labels(_ catalog: SyncCatalog) async throws(StoreError) -> [ItemLabel] {
    guard !catalog.labels.isEmpty else { return [] }
    let shown = Set(catalog.labels)
    return try await streams.store.itemLabels().filter { shown.contains($0.name) }
  }

  private func unread(of searches: [SyncCatalog.Search]) async throws(StoreError) -> [Int] {
    var counts: [Int] = []
    for search in searches {
      let query = Query.and([.saved(search.stored), .isRead(false)])
      counts.append(try await streams.store.count(ItemRequest(query: query, parts: [])))
    }
    return counts
  }

  private var unreadCounts: HTTPReply {
    get async throws {
      let catalog = try await streams.catalog()
      let labels = try await labels(catalog)
      let newest = try await streams.store.newestEntries()
      let total = try await streams.store.streamTotals().unread
      let found = try await unread(of: catalog.searches)
      func latest(_ feeds: [Feed]) -> Int64 { feeds.compactMap { newest[$0.id]?.arrival }.max() ?? 0 }
      return SyncReply.object { json in
        json.field("max", total)
        json.key("unreadcounts")
        json.beginArray()
        Self.write(StreamName.readingList, total, latest(catalog.feeds), &json)
        for folder in catalog.folders {
          let feeds = catalog.feeds(in: folder)
          let unread = feeds.reduce(0) { $0 + $1.unreadCount }
          Self.write(StreamName.label(named: catalog.paths.shown(folder)), unread, latest(feeds), &json)
        }
        for label in labels {
          Self.write(StreamName.label(named: label.name), label.unread, label.newest.arrival, &json)
        }
        for (search, unread) in zip(catalog.searches, found) {
          Self.write(StreamName.label(named: search.name), unread, latest(catalog.feeds), &json)
        }
        for feed in catalog.feeds {
          Self.write(StreamName.feed(feed.id), feed.unreadCount, latest([feed]), &json)
        }
        json.endArray()
      }
    }
  }

  private static func write(_ id: String, _ count: Int, _ newest: Int64, _ json: inout JSONWriter) {
    json.beginObject()
    json.field("id", id)
    json.field("count", count)
    json.field("newestItemTimestampUsec", String(newest))
    json.endObject()
  }
}
