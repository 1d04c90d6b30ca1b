import NewsCore
import NewsToolbox
import Synchronization
import Testing

@testable import Modules

/// Documents by URL; a URL without a document cannot be reached.
private struct Web: Fetching {
  var documents: [String: String] = [:]

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    guard let text = documents[request.url] else {
      throw FetchError(code: .hostNotFound, message: "the host of \(request.url) was not found")
    }
    return FetchResponse(status: 200, body: Array(text.utf8), url: request.url, received: .noon)
  }
}

/// Reads documents of lines. `feed` is followed by the titles of the items, `page` by the URLs of its feeds.
private struct LineParser: FeedParsing, FeedDiscovering {
  func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    let lines = lines(document)
    guard lines.first == "feed" else { throw FeedParseError(code: .htmlPage, message: "not a feed") }
    var feed = ParsedFeed(format: "lines")
    feed.items = lines.dropFirst().map { title in
      var item = ParsedItem()
      item.id = title
      item.title = title
      return item
    }
    return feed
  }

  func feeds(inPage document: FeedDocument) -> [DiscoveredFeed] {
    lines(document).dropFirst().map { DiscoveredFeed(url: $0) }
  }

  func guesses(forPage url: String) -> [DiscoveredFeed] { [] }

  private func lines(_ document: FeedDocument) -> [String] {
    String(decoding: document.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Feeds in memory, and the titles of the items that were stored.
private final class Polled: FeedKeeping, ArrivalStoring, PartialFake {
  private let content: Mutex<(feeds: [Feed], titles: [String])>

  init(_ urls: String...) {
    let feeds = urls.enumerated().map { index, url in
      Feed(id: Feed.ID(rawValue: Int64(index + 1)), url: url, title: "Feed \(index + 1)", position: index + 1)
    }
    content = Mutex((feeds, []))
  }

  var titles: [String] { content.withLock { $0.titles } }
  var urls: [String] { content.withLock { $0.feeds.map(\.url) } }

  func feeds() async throws(StoreError) -> [Feed] { content.withLock { $0.feeds } }
  func feed(named name: String) async throws(StoreError) -> Feed { try find { $0.title == name } }
  func feed(_ id: Feed.ID) async throws(StoreError) -> Feed { try find { $0.id == id } }
  private func find(_ matches: (Feed) -> Bool) throws(StoreError) -> Feed {
    guard let feed = content.withLock({ $0.feeds.first(where: matches) }) else {
      throw StoreError(code: .noSuchFeed, message: "there is no such feed")
    }
    return feed
  }

  func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed {
    content.withLock { content in
      let number = content.feeds.count + 1
      let added = Feed(
        id: Feed.ID(rawValue: Int64(number)),
        url: feed.url,
        title: feed.title ?? feed.url,
        position: number
      )
      content.feeds.append(added)
      return added
    }
  }
  func add(_ feeds: [NewFeed], at time: Timestamp) async throws(StoreError) -> (
    added: [Feed], duplicates: [NewFeed]
  ) {
    var added: [Feed] = []
    let known = Set(urls)
    for feed in feeds where !known.contains(feed.url) { added.append(try await add(feed, at: time)) }
    return (added, feeds.filter { known.contains($0.url) })
  }

  func dueFeeds() async throws(StoreError) -> [DueFeed] {
    try await feeds().map { DueFeed(id: $0.id, url: $0.url, nextDue: nil) }
  }
  func probeWriting() async throws(StoreError) {}
  func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp] { [] }
  func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] {
    content.withLock { content in
      records.map { record in
        let new = (record.parsed?.items ?? []).compactMap(\.title).filter { !content.titles.contains($0) }
        let first = content.titles.count
        content.titles += new
        let ids = new.indices.map { NewsItem.ID(rawValue: Int64(first + $0)) }
        return RefreshChange(feedID: record.feedID, inserted: ids)
      }
    }
  }

  func ingest(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
    let new = feeds.flatMap(\.items).compactMap(\.item.title)
    content.withLock { $0.titles += new }
    return ImportReport(items: new.count, unchanged: 1)
  }
}

private let clock = FixedClock(time: .noon)

@Suite struct `Refreshing feeds on request` {
  private let web = Web(documents: [
    "https://a.example/": "feed\nOne\nTwo", "https://b.example/": "feed\nThree",
  ])

  private func interactor(_ store: Polled, _ observer: @escaping @Sendable (RefreshEvent) -> Void = { _ in })
    -> RefreshInteractor
  {
    let refresher = Refresher(fetcher: web, parser: LineParser(), store: store, editor: store, clock: clock)
    return RefreshInteractor(feeds: store, refresher: refresher, observer: observer)
  }

  @Test func `All feeds are refreshed; each has a container, and the last one has the totals`() async throws {
    let store = Polled("https://a.example/", "https://b.example/")
    let seen = try await emitted(interactor(store), RefreshRoute())
    #expect(Set(store.titles) == ["One", "Two", "Three"])
    #expect(seen.all.count == 3)
    #expect(seen.content?.newItems == 3)
    #expect(seen.failure == nil)
  }

  @Test func `Only the named feed is refreshed, and the observer gets its outcome`() async throws {
    let store = Polled("https://a.example/", "https://b.example/")
    let finished = Mutex<[Feed.ID]>([])
    let module = interactor(store) { event in
      if case .finished(let outcome) = event { finished.withLock { $0.append(outcome.feedID) } }
    }
    _ = try await emitted(module, RefreshRoute(feeds: ["Feed 2"]))
    #expect(store.titles == ["Three"])
    #expect(finished.withLock { $0 } == [Feed.ID(rawValue: 2)])
  }

  @Test func `An unknown name refreshes nothing, not even the feeds named before it`() async throws {
    let store = Polled("https://a.example/")
    let seen = try await emitted(interactor(store), RefreshRoute(feeds: ["Feed 1", "Feed 9"]))
    #expect(seen.failure?.code == .notFound)
    #expect(store.titles.isEmpty)
  }

  @Test func `A feed that programs fill cannot be fetched`() async throws {
    let seen = try await emitted(interactor(Polled("ingest:log")), RefreshRoute(feeds: ["Feed 1"]))
    #expect(seen.failure?.code == .usage)
    #expect(seen.failure?.text.contains("newsd ingest") == true)
  }

  @Test(arguments: [
    ("https://b.example/", Modules.ExitStatus.someFailed), ("https://c.example/", .unreachable),
  ])
  func `A failure is exit status 75 if another feed was refreshed, and 69 if none was`(
    _ other: String,
    _ code: Modules.ExitStatus
  ) async throws {
    let seen = try await emitted(interactor(Polled("https://gone.example/", other)), RefreshRoute())
    #expect(seen.failure?.code == code)
  }
}

@Suite struct `Replaying recorded exchanges` {
  /// A folder of recordings in memory.
  private final class Records: RecordKeeping {
    private let files = Mutex<[String: [UInt8]]>([:])
    func write(_ bytes: [UInt8], named name: String) throws(FileError) { files.withLock { $0[name] = bytes } }
    func names() throws(FileError) -> [String] { files.withLock { $0.keys.sorted() } }
    func read(named name: String) throws(FileError) -> [UInt8] { files.withLock { $0[name] ?? [] } }
  }

  private func interactor(_ store: Polled) async throws -> ReplayInteractor {
    let records = Records()
    let recorder = FetchRecorder(Web(documents: ["https://a.example/": "feed\nOne"]), records: records)
    _ = try await recorder.fetch(FetchRequest(url: "https://a.example/"))
    try records.write(Array("notes".utf8), named: "notes.exchange")
    let replayer = try FetchReplayer(records: records, clock: clock)
    let replay = Replay(replayer: replayer, parser: LineParser(), subscriptions: store, store: store)
    return ReplayInteractor(replay: replay, unreadable: replayer.unreadable)
  }

  @Test func `The recorded feeds are added and refreshed, with a warning for each other file`() async throws {
    let store = Polled()
    let seen = try await emitted(interactor(store), (directory: "rec", isSeparate: false))
    #expect(store.urls == ["https://a.example/"])
    #expect(store.titles == ["One"])
    #expect(seen.warnings == ["rec/notes.exchange is not a recorded exchange"])
    #expect(seen.content?.newItems == 1)
  }

  @Test func `A store with feeds is used only if the user named it`() async throws {
    let store = Polled("https://own.example/")
    let refused = try await emitted(interactor(store), (directory: "rec", isSeparate: false))
    #expect(refused.failure?.code == .usage)
    #expect(store.urls.count == 1 && store.titles.isEmpty)
    let named = try await emitted(interactor(store), (directory: "rec", isSeparate: true))
    #expect(named.failure == nil)
    #expect(store.titles == ["One"])
  }
}

@Suite struct `Subscribing to an address` {
  private let web = Web(documents: [
    "https://a.example/": "feed\nOne\nTwo",
    "https://site.example/": "page\nhttps://a.example/",
    "https://many.example/": "page\nhttps://a.example/\nhttps://b.example/",
  ])

  private func add(_ route: FeedsAddRoute, to store: Polled) async throws -> Emitted<FeedsAddViewModel> {
    let adder = FeedAdder(
      fetcher: web,
      parser: LineParser(),
      discoverer: LineParser(),
      subscriptions: store,
      store: store,
      clock: clock
    )
    return try await emitted(FeedsAddInteractor(adder: adder), route)
  }

  @Test(arguments: ["https://a.example/", "https://site.example/"])
  func `A feed, or the only feed of a page, is added with its items`(_ address: String) async throws {
    let store = Polled()
    let seen = try await add(FeedsAddRoute(address), to: store)
    #expect(store.urls == ["https://a.example/"])
    #expect(store.titles == ["One", "Two"])
    #expect(seen.progress == ["asking"])
    #expect(seen.notes == ["added 'https://a.example/' (1) with 2 items"])
  }

  @Test func `Several feeds of a page are listed with numbers, and a number adds its feed`() async throws {
    let store = Polled()
    let route = FeedsAddRoute("https://many.example/")
    let seen = try await add(route, to: store)
    #expect(seen.failure?.code == .badData)
    #expect(seen.failure?.text.contains("\n2  https://b.example/") == true)
    #expect(seen.content?.choices.map(\.url) == ["https://a.example/", "https://b.example/"])
    #expect(store.urls.isEmpty)
    #expect(try await add(route.picking(1), to: store).failure == nil)
    #expect(store.urls == ["https://a.example/"])
  }

  @Test func `An address that cannot be reached is added only by force, and with a warning`() async throws {
    let store = Polled()
    let refused = try await add(FeedsAddRoute("https://gone.example/"), to: store)
    #expect(refused.failure?.code == .unreachable)
    #expect(store.urls.isEmpty)
    let options = FeedAdditionOptions(isForced: true)
    let forced = try await add(FeedsAddRoute("https://gone.example/", options), to: store)
    #expect(forced.failure == nil)
    #expect(forced.warnings.count == 1)
    #expect(store.urls == ["https://gone.example/"])
  }
}

@Suite struct `Storing the items of a program` {
  /// Reads a line as the title of an item, except lines with `bad`.
  private struct Titles: ItemLineDecoding {
    func item(ofLine line: ArraySlice<UInt8>) throws(FeedParseError) -> ImportedItem {
      let title = String(decoding: line, as: UTF8.self)
      guard !title.contains("bad") else { throw FeedParseError(code: .notAFeed, message: "no item") }
      var item = ParsedItem()
      item.title = title
      return ImportedItem(item: item)
    }
    func items(ofArray bytes: ArraySlice<UInt8>) throws(FeedParseError) -> [ImportedItem]? { nil }
    func shape(of start: ArraySlice<UInt8>) -> ItemInputShape? { .lines }
  }

  private func ingest(_ text: String, into store: Polled) async throws -> Emitted<Outcome> {
    let ingestion = ItemIngestion(decoder: Titles(), parser: LineParser(), store: store, clock: clock)
    let chunks = Mutex([Array(text.utf8)])
    let module = IngestInteractor(ingestion: ingestion) {
      chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
    return try await emitted(module, "log")
  }

  @Test func `Items go to the feed of that name, which is added if needed`() async throws {
    let store = Polled()
    let seen = try await ingest("One\nTwo\n", into: store)
    #expect(store.urls == ["ingest:log"])
    #expect(Set(store.titles) == ["One", "Two"])
    #expect(seen.notes == ["2 new, 0 changed, 1 were stored before"])
    #expect(seen.failure == nil)
  }

  @Test func `Lines that cannot be read are bad data and named by number; the others are stored`()
    async throws
  {
    let store = Polled()
    let seen = try await ingest("One\n" + String(repeating: "bad\n", count: 22), into: store)
    #expect(store.titles == ["One"])
    #expect(seen.failure == UserMessage(code: .badData, text: "22 entries could not be read"))
    #expect(seen.warnings.count == 21)
    #expect(seen.warnings.first == "line 2: no item")
    #expect(seen.warnings.last == "and 2 more that could not be read")
  }
}
