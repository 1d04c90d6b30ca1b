import NewsHTTP
import NewsCore
import NewsToolbox

/// `stream/items/ids`: the ids of a stream, as decimal numbers. Each object has only the id: some clients read one member
/// and then expect the end.
struct StreamIDs: GoogleReaderEndpoint {
  let streams: SyncStreams

  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply {
    let parameters = call.request.parameters
    let names = parameters.all("s").filter { !$0.isEmpty }
    guard !names.isEmpty else { throw BadRequest("s is missing: name a stream") }
    let catalog = try await StreamParameters.catalog(parameters, streams: names, streams)
    let selected = try await StreamParameters(parameters, streams: names, streams, catalog)
    let numbers = ItemNumbers(call.app)
    let body = EntryListBody(streams.store, selected.request, limit: selected.limit) { entries, isFirst in
      Self.text(of: entries, isFirst, numbers)
    } end: { next in
      Array("]\(next.map { ",\"continuation\":\"\($0.rawValue)\"" } ?? "")}".utf8)
    }
    return SyncReply.stream(type: SyncReply.jsonType, body)
  }

  private static func text(of entries: [StreamEntry], _ isFirst: Bool, _ numbers: ItemNumbers) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 32 + 32)
    if isFirst { bytes += "{\"itemRefs\":[".utf8 }
    var needsComma = !isFirst
    for entry in entries {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      needsComma = true
      bytes += "{\"id\":\"".utf8
      bytes += String(numbers.number(entry.id)).utf8
      bytes += "\"}".utf8
    }
    return bytes
  }
}

/// `stream/contents/STREAM`: the items of a stream with their texts.
struct StreamContents: GoogleReaderEndpoint {
  /// Maximum number of items in one answer; clients get more by continuation.
  private static let largestPage = 1000

  let streams: SyncStreams

  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply {
    let page = try await StreamPage(call, streams, largest: Self.largestPage)
    var head = JSONWriter()
    head.beginObject()
    head.field("direction", "ltr")
    head.field("id", page.name)
    head.field("title", page.title)
    head.objects("self", [call.request.site.origin + call.request.target]) { json, address in
      json.field("href", address)
    }
    head.field("updated", page.updated)
    head.key("items")
    head.beginArray()
    var end = "]"
    if let next = page.next { end += ",\"continuation\":\"\(next.rawValue)\"" }
    let writer = StreamItemWriter(streams, call)
    let body = ItemListBody(
      streams.store,
      page.ids,
      begin: head.bytes,
      separator: ",",
      end: Array((end + "}").utf8)
    ) { $0.map(writer.json) }
    return SyncReply.stream(type: SyncReply.jsonType, body)
  }
}

/// One page of a stream that is named by the path or by `s`.
struct StreamPage {
  /// The stream as the client named it.
  let name: String
  let title: String
  let ids: [NewsItem.ID]
  /// The time of the newest item in seconds.
  let updated: Int64
  /// The item to continue after; nil: there are no more.
  let next: NewsItem.ID?

  init(_ call: GoogleReaderCall, _ streams: SyncStreams, largest: Int) async throws {
    let path = call.rest.joined(separator: "/")
    let parameters = call.request.parameters
    var names = path.isEmpty ? parameters.all("s").filter { !$0.isEmpty } : [path]
    if names.isEmpty { names = [StreamName.readingList] }
    let catalog = try await StreamParameters.catalog(parameters, streams: names, streams)
    let selected = try await StreamParameters(parameters, streams: names, streams, catalog)
    let wanted = min(selected.limit, largest)
    let entries = try await streams.store.entries(selected.request, limit: wanted + 1)
    name = names[0]
    title = Self.title(names[0], catalog)
    ids = entries.prefix(wanted).map(\.id)
    updated = entries.map(\.stored.seconds).max() ?? 0
    next = entries.count > wanted ? ids.last : nil
  }

  private static func title(_ name: String, _ catalog: SyncCatalog) -> String {
    switch StreamName(name) {
    case .label(let label): label
    case .state(let state): state
    case let feed?: feed.feed(catalog)?.visibleTitle ?? name
    case nil: name
    }
  }
}

/// `stream/items/contents`: items by id, with their texts.
struct ItemContents: GoogleReaderEndpoint {
  /// Maximum number of items in one request; RSS Guard asks for 9,999.
  static let largestRequest = 10_000

  let streams: SyncStreams

  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply {
    let given = call.request.parameters.all("i")
    guard !given.isEmpty else { throw BadRequest("i is missing: name an item") }
    guard given.count <= Self.largestRequest else {
      throw BadRequest("there are more than \(Self.largestRequest) ids; ask in parts")
    }
    var seen = Set<NewsItem.ID>()
    let ids = given.compactMap { ItemIdentifier.read($0) }.filter { seen.insert($0).inserted }
    let writer = StreamItemWriter(streams, call)
    var head = JSONWriter()
    head.beginObject()
    head.field("direction", "ltr")
    head.field("id", StreamName.readingList)
    head.field("title", "reading-list")
    head.field("updated", streams.clock.now().seconds)
    head.key("items")
    head.beginArray()
    let body = ItemListBody(
      streams.store,
      ids,
      begin: head.bytes,
      separator: ",",
      end: Array("]}".utf8)
    ) { $0.map(writer.json) }
    return SyncReply.stream(type: SyncReply.jsonType, body)
  }
}
