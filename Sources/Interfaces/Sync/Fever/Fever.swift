public import NewsHTTP
public import NewsCore
import NewsToolbox

/// The Fever API, version 3.
public struct Fever: Sendable {
  private let streams: SyncStreams
  private let account: any WebAccount

  public init(streams: SyncStreams, account: any WebAccount) {
    self.streams = streams
    self.account = account
  }

  public var routes: [WebRoute] {
    [["fever"], ["api", "fever.php"]].map { path in
      WebRoute(
        api: "fever",
        path: path,
        methods: [.get, .post],
        bodyLimit: WebRoute.strangersBody,
        readsForm: true,
        foreign: .accepted,
        servesWebClients: true,
        handler: FeverHandler(streams: streams, account: account)
      )
    }
  }
}

/// Checks the key, applies the marks, and answers all parts of the request in one document.
private struct FeverHandler: HTTPHandling {
  let streams: SyncStreams
  let account: any WebAccount

  func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      return try await answer(request).unstored
    } catch {
      return SyncReply.refusal(error).unstored
    }
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    // Accept the key only in the body, because URLs are logged.
    guard let key = request.form.first("api_key"), !key.isEmpty else { return Self.refusal() }
    let numbers: ItemNumbers
    switch try await account.app(feverKey: key, address: request.countedAddress) {
    case .granted(let app): numbers = ItemNumbers(app)
    case .refused: return Self.refusal()
    case .blocked(let seconds): return Self.refusal(429).with("Retry-After", "\(seconds)")
    case .busy: return Self.refusal(503).with("Retry-After", "5")
    }
    let catalog = try await streams.catalog()
    var asked = FeverAnswer(request.parameters)
    if request.method == .post, let mark = FeverMark(request.parameters) {
      try await make(mark, catalog)
      asked.includes(idsAfter: mark)
    }
    return try await document(asked, catalog, request, numbers)
  }

  /// Refuses a request. Clients expect status 200 and `auth` 0 for a wrong key.
  private static func refusal(_ status: Int = 200) -> HTTPReply {
    SyncReply.object(status) { json in
      json.field("api_version", 3)
      json.field("auth", 0)
    }
  }

  private func make(_ mark: FeverMark, _ catalog: SyncCatalog) async throws {
    switch mark {
    case .item(let id, let mark): try await streams.store.edit([id], StreamEdit(marks: [mark]))
    case .read(let what, let until):
      guard let stream = FeverGroups.stream(what, catalog) else { return }
      try await streams.store.markRead(StreamRequest([stream], arrivedUntil: until))
    }
  }

  private func document(
    _ asked: FeverAnswer,
    _ catalog: SyncCatalog,
    _ request: HTTPRequest,
    _ numbers: ItemNumbers
  ) async throws -> HTTPReply {
    var json = JSONWriter(reservingCapacity: 4096)
    json.beginObject()
    json.field("api_version", 3)
    json.field("auth", 1)
    let refreshed = catalog.feeds.compactMap(\.fetchState.lastFetched).max() ?? streams.clock.now()
    json.field("last_refreshed_on_time", refreshed.seconds)
    if asked.groups { FeverLists.writeGroups(catalog, &json) }
    let needsIcons = asked.feeds || asked.favicons
    let icons = needsIcons ? await streams.icons.found(catalog.feeds.map(\.id)) : [:]
    if asked.feeds { FeverLists.writeFeeds(catalog, icons, &json) }
    if asked.groups || asked.feeds { FeverLists.writeMembers(catalog, &json) }
    if asked.links { json.array("links", [String]()) { $0.value($1) } }
    var parts: [any HTTPBodyStream] = []
    if asked.items {
      let ids = try await FeverItems(request.parameters, catalog).ids(streams.store)
      json.field("total_items", try await streams.store.streamTotals().items)
      json.key("items")
      json.beginArray()
      let site = request.site
      parts.append(
        ItemListBody(streams.store, ids, begin: json.bytes, separator: ",", end: [UInt8(ascii: "]")]) {
          items in
          items.map { FeverItems.json($0, site, numbers) }
        }
      )
    } else {
      parts.append(FixedBody(json.bytes))
    }
    if asked.favicons { parts.append(FaviconBody(streams.icons, icons.values)) }
    if asked.unread { parts.append(list("unread_item_ids", .unread, numbers)) }
    if asked.saved { parts.append(list("saved_item_ids", .starred, numbers)) }
    guard asked.items || parts.count > 1 else {
      return HTTPReply(type: SyncReply.jsonType, json.bytes + [UInt8(ascii: "}")])
    }
    parts.append(FixedBody([UInt8(ascii: "}")]))
    return SyncReply.stream(type: SyncReply.jsonType, ChainedBody(parts))
  }

  /// Writes the ids of a stream as one comma-separated string, which may have millions of bytes.
  private func list(
    _ name: String,
    _ stream: ItemStream,
    _ numbers: ItemNumbers
  ) -> any HTTPBodyStream {
    let request = StreamRequest([stream], isOldestFirst: true)
    return EntryListBody(streams.store, request, limit: .max - 1) { entries, isFirst in
      var bytes: [UInt8] = isFirst ? Array(",\"\(name)\":\"".utf8) : []
      var needsComma = !isFirst
      for entry in entries {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        bytes += String(numbers.number(entry.id)).utf8
      }
      return bytes
    } end: { _ in
      [UInt8(ascii: "\"")]
    }
  }
}

/// The parts of an answer that a request asks for.
private struct FeverAnswer {
  let groups: Bool
  let feeds: Bool
  let favicons: Bool
  let links: Bool
  let items: Bool
  private(set) var unread: Bool
  private(set) var saved: Bool

  init(_ parameters: HTTPParameters) {
    func asks(_ name: String) -> Bool { parameters.first(name) != nil }
    groups = asks("groups")
    feeds = asks("feeds")
    favicons = asks("favicons")
    links = asks("links")
    items = asks("items")
    unread = asks("unread_item_ids")
    saved = asks("saved_item_ids")
  }

  /// Includes the list of ids that clients expect after a mark: those of all unread or of all starred items.
  mutating func includes(idsAfter mark: FeverMark) {
    switch mark {
    case .item(_, .starred), .item(_, .unstarred): saved = true
    default: unread = true
    }
  }
}
