import NewsHTTP
import Modules
import NewsCore
import NewsText
import NewsToolbox

/// The tools that a language model can call.
struct MCPTools: Sendable {
  let api: OwnAPI
  let streams: SyncStreams
  let status: StatusInteractor
  let storePath: String
  let writes: Bool

  enum Tool: String, CaseIterable {
    case search, list, show, feeds, status, mark, label, subscribe

    var changesStore: Bool { [.mark, .label, .subscribe].contains(self) }
  }

  private var offered: [Tool] { Tool.allCases.filter { writes || !$0.changesStore } }

  func tool(named name: String) -> Tool? { offered.first { $0.rawValue == name } }

  /// The tools as `tools/list` describes them.
  var descriptions: [JSONValue] {
    offered.map { tool in
      .object([
        .init(name: "name", value: .string(tool.rawValue)),
        .init(name: "description", value: .string(tool.summary)),
        .init(name: "inputSchema", value: JSONValue(valid: tool.schema) ?? .object([])),
        .init(
          name: "annotations",
          value: .object([
            .init(name: "readOnlyHint", value: .bool(!tool.changesStore)),
            .init(name: "destructiveHint", value: .bool(false)),
            .init(name: "openWorldHint", value: .bool(tool == .subscribe)),
          ])
        ),
      ])
    }
  }

  /// Calls a tool. Errors are returned as text, so that the model can correct its arguments.
  func call(_ tool: Tool, _ arguments: JSONValue) async -> (text: String, isError: Bool) {
    do {
      return (try await answer(tool, arguments), false)
    } catch {
      return (SyncReply.failure(error).message, true)
    }
  }

  private func answer(_ tool: Tool, _ arguments: JSONValue) async throws -> String {
    switch tool {
    case .search:
      guard let query = arguments["query"]?.string, !query.isEmpty else {
        throw BadRequest("query is missing")
      }
      return try await items(arguments)
    case .list: return try await items(arguments)
    case .show: return try await show(arguments)
    case .feeds: return try await feeds(arguments)
    case .status: return try await figures()
    case .mark: return try await mark(arguments)
    case .label: return try await label(arguments)
    case .subscribe: return try await subscribe(arguments)
    }
  }

  // MARK: Reading

  /// Upper bounds of an answer, in bytes of JSON and in items.
  private static let largestAnswer = 48 << 10
  private static let largestPage: Int64 = 100
  /// How many bytes of texts are read for their excerpts, about.
  private static let mostText = 4 << 20
  private static let usualPage: Int64 = 20
  private static let excerptLength = 300

  private func items(_ arguments: JSONValue) async throws -> String {
    let limit = min(max(arguments["limit"]?.integer ?? Self.usualPage, 1), Self.largestPage)
    var selection = try await ItemSelection(Self.parameters(arguments), api.filters, now: api.clock.now())
    selection.route.extent = .portion(after: 0, size: Int(limit), bytes: Self.mostText)
    let list = NewsListInteractor(
      news: api.store,
      filters: api.filters,
      presenter: NewsListPresenter(
        .records([.contentText, .details, .excerpt]),
        times: api.terminal.times,
        counts: false
      )
    )
    let result = try await ModuleRunning.contents(of: list, selection.route)
    if let failure = result.failure { throw failure }
    let found = result.contents.last?.items ?? []
    var json = JSONWriter(reservingCapacity: 8192)
    json.beginObject()
    json.key("items")
    json.beginArray()
    var last: NewsItem.ID?
    var count = 0
    for match in found where json.bytes.count < Self.largestAnswer {
      Self.write(match, &json)
      last = match.item.id
      count += 1
    }
    json.endArray()
    // More may follow: the list continues before the last item.
    let isCut = count < found.count || found.reduce(0) { $0 + $1.item.textBytes } >= Self.mostText
    if count == Int(limit) || isCut, selection.route.order == .newest, let last {
      json.field("next_before", last.rawValue)
    }
    json.endObject()
    return json.string
  }

  /// The arguments as the parameters of `/api/items`.
  private static func parameters(_ arguments: JSONValue) -> HTTPParameters {
    var pairs: [(name: String, value: String)] = []
    for name in ["query", "feed", "folder", "since", "until", "sort"] {
      if let value = arguments[name]?.string { pairs.append((name, value)) }
    }
    if let feed = arguments["feed"]?.integer { pairs.append(("feed", String(feed))) }
    if let before = arguments["before"]?.integer { pairs.append(("before", String(before))) }
    for name in ["unread", "starred"] where arguments[name]?.bool == true { pairs.append((name, "1")) }
    return HTTPParameters(pairs)
  }

  private static func write(_ match: ItemMatch, _ json: inout JSONWriter) {
    let item = match.item
    json.beginObject()
    json.field("id", item.id.rawValue)
    json.field("title", item.title)
    json.field("feed", item.feedTitle)
    json.field("published", item.sortTime.rfc3339)
    json.field("url", item.url)
    json.field("is_read", item.isRead)
    json.field("is_starred", item.isStarred)
    let excerpt = match.excerpt?.plain ?? item.summary ?? item.contentText
    json.field("excerpt", prefix(excerpt.isEmpty ? item.contentText : excerpt, excerptLength))
    json.endObject()
  }

  private static func prefix(_ text: String, _ length: Int) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.prefix(length))
    return String(scalars)
  }

  private static let usualText: Int64 = 20_000

  private func show(_ arguments: JSONValue) async throws -> String {
    guard let id = arguments["id"]?.integer else { throw BadRequest("id is missing: the number of an item") }
    let item = try await api.store.item(NewsItem.ID(rawValue: id))
    let length = Int(min(max(arguments["max_chars"]?.integer ?? Self.usualText, 1), Self.usualText))
    let start = Int(clamping: min(max(arguments["offset"]?.integer ?? 0, 0), 1 << 40))
    let scalars = item.contentText.unicodeScalars
    let text = Self.prefix(String(String.UnicodeScalarView(scalars.dropFirst(start))), length)
    var json = JSONWriter(reservingCapacity: 4096 + text.utf8.count)
    json.beginObject()
    json.field("id", item.id.rawValue)
    json.field("title", item.title)
    json.field("feed_id", item.feedID.rawValue)
    json.field("feed", item.feedTitle)
    json.field("url", item.url)
    json.field("authors", ItemMarkup.author(item))
    json.field("published", item.published?.rfc3339)
    json.field("updated", item.updated?.rfc3339)
    json.field("stored", item.stored.rfc3339)
    json.field("language", item.language)
    json.field("is_read", item.isRead)
    json.field("is_starred", item.isStarred)
    json.array("labels", item.labels) { json, label in json.value(label) }
    json.field("text", text)
    json.field("text_length", scalars.count)
    if start + length < scalars.count { json.field("next_offset", start + length) }
    json.endObject()
    return json.string
  }

  private func feeds(_ arguments: JSONValue) async throws -> String {
    let all = try await streams.store.feeds()
    let start = Int(clamping: min(max(arguments["offset"]?.integer ?? 0, 0), Int64(all.count)))
    var json = JSONWriter(reservingCapacity: 8192)
    json.beginObject()
    json.field("total", all.count)
    json.key("feeds")
    json.beginArray()
    var next = start
    for feed in all[start...] where json.bytes.count < Self.largestAnswer {
      json.beginObject()
      json.field("id", feed.id.rawValue)
      json.field("title", feed.visibleTitle)
      json.field("url", feed.visibleURL)
      json.field("folder", feed.folder)
      json.field("items", feed.itemCount)
      json.field("unread", feed.unreadCount)
      json.field("last_error", feed.fetchState.lastError.map { WebAddress.redacted($0) })
      json.endObject()
      next += 1
    }
    json.endArray()
    if next < all.count { json.field("next_offset", next) }
    json.endObject()
    return json.string
  }

  private func figures() async throws -> String {
    let result = try await ModuleRunning.contents(of: status, storePath)
    if let failure = result.failure { throw failure }
    guard let summary = result.contents.last?.summary else {
      throw BadRequest("there is no status", status: 500)
    }
    var json = JSONWriter()
    json.beginObject()
    json.field("feeds", summary.feeds)
    json.field("items", summary.items)
    json.field("unread", summary.unread)
    json.field("due", summary.due)
    json.field("failing", summary.failing)
    json.field("last_fetched", summary.lastFetched?.rfc3339)
    json.field("next_due", summary.nextDue?.rfc3339)
    json.endObject()
    return json.string
  }

  // MARK: Writing

  private static let mostMarks = 1000

  private func mark(_ arguments: JSONValue) async throws -> String {
    guard let mark = arguments["state"]?.string.flatMap({ ItemMark(rawValue: $0) }) else {
      throw BadRequest("state takes read, unread, starred or unstarred")
    }
    let ids = try Self.ids(arguments)
    let outcome = try await api.store.apply(mark, to: ids)
    return Self.marked(ids, missing: outcome.missing, changed: outcome.changed)
  }

  private func label(_ arguments: JSONValue) async throws -> String {
    guard let label = arguments["label"]?.string else { throw BadRequest("label is missing") }
    let ids = try Self.ids(arguments)
    let isRemoved = arguments["remove"]?.bool == true
    let edit = isRemoved ? StreamEdit(removedLabels: [label]) : StreamEdit(addedLabels: [label])
    return Self.marked(ids, missing: try await streams.edit(ids, edit))
  }

  private static func ids(_ arguments: JSONValue) throws(BadRequest) -> [NewsItem.ID] {
    let ids = (arguments["ids"]?.array ?? []).compactMap(\.integer).map(NewsItem.ID.init(rawValue:))
    guard !ids.isEmpty, ids.count <= mostMarks else {
      throw BadRequest("ids takes 1 to \(mostMarks) numbers of items")
    }
    return ids
  }

  private static func marked(
    _ ids: [NewsItem.ID],
    missing: [NewsItem.ID],
    changed: [NewsItem.ID]? = nil
  ) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.field("marked", ids.count - missing.count)
    json.array("missing", missing) { json, id in json.value(id.rawValue) }
    if let changed { json.array("changed", changed) { json, id in json.value(id.rawValue) } }
    json.endObject()
    return json.string
  }

  private func subscribe(_ arguments: JSONValue) async throws -> String {
    guard let url = arguments["url"]?.string, !url.isEmpty else { throw BadRequest("url is missing") }
    let choices = FeedAdditionOptions(
      title: arguments["title"]?.string,
      folder: arguments["folder"]?.string,
      // An instruction in an item may make a model name an address.
      isListedOnly: true
    )
    switch try await streams.subscribe(to: url, choices) {
    case .feed(let feed, let isNew):
      var json = JSONWriter()
      json.beginObject()
      json.field("feed_id", feed.id.rawValue)
      json.field("title", feed.visibleTitle)
      json.field("is_new", isNew)
      json.endObject()
      return json.string
    case .choices(let found): return try await candidates(found, at: url)
    }
  }

  /// The feeds that a page names. The look-up, which reads the page once more, describes the first of them.
  private func candidates(_ found: [DiscoveredFeed], at url: String) async throws -> String {
    let lookup = FeedsFindInteractor(
      adder: try streams.network.makeAdder(),
      times: api.terminal.times,
      isListedOnly: true
    )
    let read = try await ModuleRunning.contents(of: lookup, url).contents.last?.feeds ?? []
    var json = JSONWriter()
    json.beginObject()
    json.key("candidates")
    json.beginArray()
    for feed in found where json.bytes.count < Self.largestAnswer {
      let known = read.first { $0.url == feed.url }
      json.beginObject()
      json.field("url", feed.url)
      json.field("title", (known?.title.string ?? feed.title).map { Self.prefix($0, Self.excerptLength) })
      json.field("feed_id", known?.subscribed?.rawValue)
      json.field("rate", known?.rate?.string)
      json.texts("newest", (known?.items ?? []).map { Self.prefix($0.title.string, Self.excerptLength) })
      json.field("problem", known?.problem?.string)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.string
  }
}
