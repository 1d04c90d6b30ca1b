import NewsStoresShared
@testable import NewsHTTP
import FoundationEssentials
import Glibc
import Modules
@testable import NewsCore
import NewsSQLite
import NewsSyndication
import NewsToolbox
import Synchronization

@testable import NewsSync

/// A store in a temporary directory with two folders and twelve items, and the handlers over it.
final class SyncFixture: Sendable {
  let store: NewsStore
  let media: MediaFile
  let account: FakeAccount
  let feeds: [Feed]
  private let routes: [WebRoute]
  private let api: OwnAPI
  private let streams: SyncStreams
  private let directory: String
  private let refreshed = Recorder()
  /// The feeds that clients had refreshed; nil: all.
  var refreshedFeeds: [[Feed.ID]?] { refreshed.feeds.withLock { $0 } }

  static let now = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 12))
  /// The time at which the first feed's items were stored; those of each further feed were stored 100 seconds
  /// later.
  static let stored: Int64 = 1_763_600_000

  init(separator: String = "/", hasLongIDs: Bool = false) async throws {
    account = FakeAccount(hasLongIDs: hasLongIDs)
    var template = Array("/tmp/newsd-sync-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(code: .unreadable, message: "no temporary directory")
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    store = try NewsStore(path: directory + "/news.db")
    media = MediaFile(besides: store.path)
    let titles = [("Alpha & \"Co\"", "Tech & Co"), ("日本", "News/日本"), ("Plain", nil)]
    for (number, (title, folder)) in titles.enumerated() {
      let feed = try await store.add(
        NewFeed(url: "http://example.org/\(number)?a=1&b=2", title: title, folder: folder),
        at: Self.now
      )
      var parsed = ParsedFeed(format: "rss20")
      // A document has its newest item first, which gets the highest id.
      parsed.items = (1...4).reversed().map { item in
        var parsed = ParsedItem()
        parsed.id = "urn:\(number):\(item)"
        parsed.title = "Story \(item) <b> of \(title)"
        parsed.contentHTML = "<p>Text \(item)</p>"
        parsed.contentText = "Text \(item) about the \(number) subject"
        parsed.url = item == 4 ? nil : "https://example.org/\(number)/\(item)?x=1&y=2"
        parsed.published = Timestamp(seconds: Self.stored - 1000 * Int64(item))
        parsed.authors = [Author(name: "A. Author")]
        if number == 2 {
          parsed.enclosures = [Enclosure(url: "https://example.org/\(item).mp3", mimeType: "audio/mpeg")]
        }
        return parsed
      }
      let time = Timestamp(seconds: Self.stored + 100 * Int64(number))
      _ = try await store.commit([
        RefreshRecord(feedID: feed.id, state: FetchState(), parsed: parsed, time: time)
      ])
    }
    feeds = try await store.feeds()
    let clock = FixedClock()
    let store = store
    streams = SyncStreams(
      store: store,
      transfer: SubscriptionTransfer(coder: SubscriptionLists(), subscriptions: store, clock: clock),
      clock: clock,
      icons: FeedIcons(media: media, secrets: store),
      network: SyncNetwork(
        makeAdder: {
          FeedAdder(
            fetcher: FakeFetcher(),
            parser: FeedParser(),
            discoverer: FeedDiscovery(),
            subscriptions: store,
            store: store,
            clock: clock
          )
        },
        refresh: { [refreshed] feed in refreshed.feeds.withLock { $0.append([feed]) } },
        startRefresh: { [refreshed] feeds in refreshed.feeds.withLock { $0.append(feeds) } },
        article: { job in
          ArticleRecord(
            itemID: job.itemID,
            outcome: .fetched(html: "<p>Page of \(job.url)</p>", text: "Page"),
            time: Self.now
          )
        }
      ),
      separator: FolderSeparator(separator)
    )
    api = OwnAPI(
      store: store,
      ingestion: ItemIngestion(decoder: ItemLines(), parser: FeedParser(), store: store, clock: clock),
      richText: HTMLRichText(),
      clock: clock
    )
    routes =
      GoogleReader(streams: streams, account: account).routes
      + Fever(streams: streams, account: account).routes
      + Miniflux(streams: streams, account: account).routes + api.routes
      + IconEndpoint(icons: streams.icons).routes
  }

  /// The server of tools over the same store.
  func mcp(writes: Bool) -> MCPServer {
    MCPServer(
      api: api,
      streams: streams,
      status: StatusInteractor(feeds: store, changes: store, measure: FakeMeasure(), clock: FixedClock()),
      storePath: store.path,
      version: "0",
      writes: writes
    )
  }

  /// Stores item 13, whose feed has two pictures outside its text.
  func addPictures(text: String = "At sea", markup: String = "") async throws {
    var item = ParsedItem()
    item.id = "urn:pictures"
    item.contentHTML = "<p>\(text)</p>\(markup)"
    item.contentText = text
    item.image = "https://media.example/harbour.jpg?a=1&b=2"
    var picture = MediaObject(url: "https://media.example/sunset.jpg")
    picture.medium = "image"
    picture.alt = "The \"red\" sea <1>"
    var extensions = ItemExtensions()
    extensions.media = [picture]
    item.extensions = extensions
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [item]
    let time = Timestamp(seconds: Self.stored + 1000)
    _ = try await store.commit([
      RefreshRecord(feedID: feeds[2].id, state: FetchState(), parsed: parsed, time: time)
    ])
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// The answer of the handler that the server would choose.
  func reply(_ request: HTTPRequest) async -> HTTPReply {
    let route = routes.filter { route in
      request.path.starts(with: route.path) && (!route.isExact || request.path.count == route.path.count)
    }
    .max { $0.path.count < $1.path.count }
    guard let route else { return HTTPReply(status: 404) }
    guard route.methods.contains(request.method) else { return HTTPReply(status: 405) }
    var request = request
    if case .head(let check) = route.access, let refusal = request.admit(await check(request)) {
      return refusal
    }
    return await route.handler.reply(to: request)
  }

  /// The answer with its whole body.
  func send(_ request: HTTPRequest) async throws -> (reply: HTTPReply, body: String) {
    let reply = await reply(request)
    return (reply, try await Self.text(reply))
  }

  static func text(_ reply: HTTPReply) async throws -> String {
    switch reply.body {
    case .none: return ""
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .asset(let asset): return String(decoding: asset.bytes, as: UTF8.self)
    case .stream(let stream):
      var bytes: [UInt8] = []
      while let piece = try await stream.next() { bytes += piece }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// A request with a valid token to the Google Reader API. A body makes it a POST.
  func call(_ target: String, body: String? = nil) async throws -> (reply: HTTPReply, body: String) {
    let (path, query) = target.cut(atFirst: "?") ?? (target[...], "")
    return try await send(
      HTTPRequest(
        method: body == nil ? .get : .post,
        target: "/reader/api/0/" + target,
        path: ["reader", "api", "0"]
          + path.split(ascii: "/", omittingEmptySubsequences: false).map {
            PercentCoding.decodeLeniently($0.utf8)
          },
        query: HTTPParameters(encoded: query.utf8),
        fields: HTTPFields([("Authorization", "GoogleLogin auth=\(FakeAccount.auth)")]),
        form: HTTPParameters(encoded: (body ?? "").utf8)
      )
    )
  }

  func json(_ target: String) async throws -> JSONValue {
    let answer = try await call(target)
    return JSONValue(valid: answer.body) ?? .string("\(answer.reply.status) \(answer.body)")
  }

  /// The ids that `stream/items/ids` lists.
  func ids(_ query: String) async throws -> [Int64] {
    try await json("stream/items/ids?" + query)["itemRefs"]?.array?
      .compactMap { $0["id"]?.string.flatMap { Int64($0) } } ?? []
  }
}

private final class Recorder: Sendable {
  let feeds = Mutex<[[Feed.ID]?]>([])
}

struct FakeMeasure: StoreFileMeasuring {
  func figures() -> StoreFigures? { nil }
  func runningDaemon() -> DaemonPresence? { nil }
}

struct FixedClock: WallClock {
  func now() -> Timestamp { SyncFixture.now }
}

/// Answers one feed, and pages that name two; everything else is missing.
struct FakeFetcher: Fetching {
  /// The reach of each request by its URL.
  static let reaches = Mutex<[String: FetchRequest.Reach]>([:])

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    Self.reaches.withLock { $0[request.url] = request.reach }
    let isFeed = request.url.hasPrefix(bytesOf: "http://feeds.example/")
    let feed = """
      <?xml version="1.0"?><rss version="2.0"><channel><title>New feed</title><link>http://feeds.example/</link>
      <description>d</description><item><title>One</title><guid>urn:one</guid></item></channel></rss>
      """
    let isPage = request.url.hasPrefix(bytesOf: "http://pages.example/")
    let name = request.url.split(ascii: "/").last ?? ""
    let page = """
      <!DOCTYPE html><html><head><title>Page</title>
      <link rel="alternate" type="application/rss+xml" title="News" href="http://feeds.example/\(name)-news">
      <link rel="alternate" type="application/rss+xml" title="Events" href="http://feeds.example/\(name)-events">
      </head><body><p>Text</p></body></html>
      """
    return FetchResponse(
      status: isFeed || isPage ? 200 : 404,
      headers: [("Content-Type", isPage ? "text/html" : "application/rss+xml")],
      body: Array((isPage ? page : feed).utf8),
      url: request.url,
      received: SyncFixture.now
    )
  }
}

/// One account with one app password.
struct FakeAccount: WebAccount {
  static let auth = "newsd/0123456789abcdef"
  static let action = "action"
  static let key = "00112233445566778899aabbccddeeff"
  var hasLongIDs = false
  private var app: AppPassword {
    AppPassword(id: 1, name: "test", made: SyncFixture.now, hasLongIDs: hasLongIDs)
  }

  var user: String { "newsd" }

  func app(user: String?, password: String, address: String?) async throws(StoreError) -> LoginOutcome<
    AppPassword
  > {
    if address == "192.0.2.1" { return .blocked(seconds: 60) }
    let isRight = (user == nil || user == self.user) && password == "secret"
    return isRight ? .granted(app) : .refused
  }
  func app(feverKey: String, address: String?) async throws(StoreError) -> LoginOutcome<AppPassword> {
    if address == "192.0.2.1" { return .blocked(seconds: 60) }
    return feverKey == Self.key ? .granted(app) : .refused
  }
  func app(authToken: String) async throws(StoreError) -> AppPassword? { authToken == Self.auth ? app : nil }
  func app(actionToken: String) async throws(StoreError) -> AppPassword? {
    actionToken == Self.action || actionToken == Self.auth ? app : nil
  }
  func authToken(of app: AppPassword) async throws(StoreError) -> String { Self.auth }
  func actionToken(of app: AppPassword) async throws(StoreError) -> String { Self.action }
  func apps() async throws(StoreError) -> [AppPassword] { [app] }
  func addApp(named name: String) async throws(StoreError) -> (app: AppPassword, password: String)? { nil }
  func removeApp(named name: String) async throws(StoreError) -> Bool { false }
  func hasLoginPassword() async throws(StoreError) -> Bool { false }
  func logIn(
    user: String,
    password: String,
    address: String,
    agent: String
  ) async throws(StoreError) -> LoginOutcome<(session: WebSession, cookie: String)> { .refused }
  func session(cookie: String, address: String) async throws(StoreError) -> WebSession? { nil }
  func sessions() async throws(StoreError) -> [WebSession] { [] }
  func removeSession(_ id: Int64) async throws(StoreError) -> Bool { false }
}
