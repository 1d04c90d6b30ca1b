@testable import NewsHTTP
import DIContainer
import FoundationEssentials
import Glibc
import Modules
import NewsCore
import NewsSQLite
import NewsStoresShared
import Synchronization

@testable import NewsWeb

/// A page over a real store in its own directory, with one account whose password is `secret`.
final class WebRig: Sendable {
  let directory: String
  let services: ServiceContainer
  let account = FakeAccount()
  let page: WebPage
  let store: any StorePorts
  /// The feeds whose refresh on the page was reported to the daemon.
  let refreshed = RefreshedFeeds()
  private let cookie = Mutex<String?>(nil)
  private let token = Mutex("")

  /// The time of every test: 12 November 2026, 12:00 UTC.
  static let now = Timestamp(CivilTime(year: 2026, month: 11, day: 12, hour: 12))

  init(
    fetcher: (any Fetching)? = nil,
    relaysMedia: Bool = false,
    _ change: (inout Settings) -> Void = { _ in }
  ) throws {
    var template = Array("/tmp/newsd-web-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(code: .unreadable, message: "no temporary directory")
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var settings = Settings()
    settings.store = directory + "/news.db"
    change(&settings)
    var overrides = ServiceContainer.Overrides()
    overrides.clock = FixedClock()
    overrides.fetcher = fetcher
    services = ServiceContainer(
      settings: settings,
      environment: [:],
      program: "newsd/1",
      overrides: overrides
    )
    store = try services.store()
    let modules = WebModuleFactory(services: services, zone: .utc, words: FakeWords()) { [refreshed] in
      refreshed.take($0)
    }
    let keeper = store
    let media = fetcher.map {
      MediaRelay(fetcher: $0, store: keeper, reach: .publicOnly, limits: FetchLimits())
    }
    page = WebPage(
      modules: modules,
      account: account,
      clock: FixedClock(),
      media: media,
      relaysMedia: relaysMedia
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Subscribes to a feed and stores these items, an hour apart, the first one the newest.
  @discardableResult
  func fill(
    _ items: [ParsedItem],
    title: String = "Example",
    folder: String? = nil,
    language: String? = nil
  ) async throws -> Feed {
    let url = "https://example.org/\(title.utf8.count)-\(items.count)"
    let feed = try await store.add(NewFeed(url: url, title: title, folder: folder), at: Self.now)
    try await refresh(feed, items, language: language)
    return try await store.feed(named: url)
  }

  func refresh(_ feed: Feed, _ items: [ParsedItem], language: String? = nil) async throws {
    var parsed = ParsedFeed(format: "rss20")
    parsed.title = feed.title
    parsed.language = language
    parsed.items = items.enumerated().map { index, item in
      var item = item
      item.published = item.published ?? (Self.now - Int64(index + 1) * 3600)
      return item
    }
    let record = RefreshRecord(feedID: feed.id, state: FetchState.unfetched, parsed: parsed, time: Self.now)
    _ = try await store.commit([record])
  }

  /// The ids of all items, the newest first.
  func ids() async throws -> [Int64] {
    try await store.items(ItemRequest(parts: [])).map(\.item.id.rawValue)
  }

  /// Logs in, as a browser would.
  func logIn() async {
    let reply = await post("login", [("name", "newsd"), ("password", "secret")])
    let value = reply.fields.first("Set-Cookie")?.split(separator: ";").first.map(String.init)
    cookie.withLock { $0 = value }
    token.withLock { $0 = FakeAccount.formToken }
  }

  func get(_ path: String, _ query: String = "", fields: [(name: String, value: String)] = []) async -> Answer
  {
    await send(.get, path, query, fields: fields)
  }

  /// Sends a form with the session's token.
  func post(
    _ path: String,
    _ form: [(name: String, value: String)] = [],
    fields: [(name: String, value: String)] = [],
    files: [HTTPUpload] = [],
    hasToken: Bool = true
  ) async -> Answer {
    let token = token.withLock { $0 }
    let form = form + (hasToken ? [("csrf", token)] : [])
    return await send(.post, path, "", form: form, files: files, fields: fields)
  }

  private func send(
    _ method: HTTPMethod,
    _ path: String,
    _ query: String,
    form: [(name: String, value: String)] = [],
    files: [HTTPUpload] = [],
    fields: [(name: String, value: String)] = []
  ) async -> Answer {
    var fields = HTTPFields(fields)
    if let cookie = cookie.withLock({ $0 }) { fields.append("Cookie", "other=1; \(cookie)") }
    var request = HTTPRequest(
      method: method,
      target: "/" + path,
      path: path.split(separator: "/").map(String.init),
      query: HTTPParameters(encoded: query.utf8),
      fields: fields,
      form: HTTPParameters(form),
      files: files,
      site: WebSite(isSecure: false, host: "127.0.0.1:8788", prefix: "/news")
    )
    return Answer(await reply(to: &request))
  }

  /// Answers as the server does: looks at the origin and the session first.
  private func reply(to request: inout HTTPRequest) async -> HTTPReply {
    for route in page.routes where request.path.starts(with: route.path) {
      if route.refusesOrigin(of: request) || route.refusesPart(request) { return HTTPReply(status: 403) }
      guard case .head(let check) = route.access else { continue }
      if let refusal = request.admit(await check(request)) { return refusal }
    }
    return await page.reply(to: request)
  }
}

/// A reply with its body as text.
struct Answer {
  let status: Int
  let fields: HTTPFields
  let text: String
  let stream: (any HTTPBodyStream)?

  init(_ reply: HTTPReply) {
    status = reply.status
    fields = reply.fields
    switch reply.body {
    case .bytes(let bytes): (text, stream) = (String(decoding: bytes, as: UTF8.self), nil)
    case .asset(let asset): (text, stream) = (String(decoding: asset.bytes, as: UTF8.self), nil)
    case .stream(let body): (text, stream) = ("", body)
    case .none: (text, stream) = ("", nil)
    }
  }

  var location: String? { fields.first("Location") }

  /// How often a part occurs.
  func count(_ part: String) -> Int {
    text.split(separator: part, omittingEmptySubsequences: false).count - 1
  }

  /// The parts between two texts.
  func all(from start: String, to end: String) -> [String] {
    text.split(separator: start, omittingEmptySubsequences: false).dropFirst().map {
      String($0.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false)[0])
    }
  }
}

struct FixedClock: WallClock {
  func now() -> Timestamp { WebRig.now }
}

/// Some settings: the page may change all but the last.
struct FakeWords: FeedSettingWording {
  func words(of settings: FeedSettings) -> [FeedDetailsViewModel.Setting] {
    [
      .init(name: "keep-days", help: "older items may be pruned", value: settings.keepDays.map(String.init)),
      .init(
        name: "keep-items",
        help: "older items may be pruned",
        value: settings.keepItems.map(String.init)
      ),
      .init(name: "paused", help: "true: not fetched", value: settings.isPaused.map(String.init)),
      .init(name: "credential", help: "a secret", value: settings.credential),
    ]
  }

  func apply(_ values: [String: String], to settings: inout FeedSettings) throws(UserMessage) {
    if let text = values["keep-days"] {
      guard text.isEmpty || Int(text) != nil else {
        throw UserMessage(code: .usage, text: "keep-days takes a number, not '\(text)'")
      }
      settings.keepDays = Int(text)
    }
    if let text = values["paused"] { settings.isPaused = Bool(text) }
    if let text = values["credential"] { settings.credential = text }
  }
}

/// An account with one password and one session.
final class FakeAccount: WebAccount {
  struct State {
    var password: String? = "secret"
    var apps: [AppPassword] = []
    var sessions: [WebSession] = []
    var isBlocked = false
    var lastSession: Int64 = 0
  }

  static let formToken = "token-of-the-session"
  let state = Mutex(State())
  let user = "newsd"

  func app(user: String?, password: String, address: String?) async throws(StoreError) -> LoginOutcome<
    AppPassword
  > { .refused }
  func app(feverKey: String, address: String?) async throws(StoreError) -> LoginOutcome<AppPassword> {
    .refused
  }
  func app(authToken: String) async throws(StoreError) -> AppPassword? { nil }
  func app(actionToken: String) async throws(StoreError) -> AppPassword? { nil }
  func authToken(of app: AppPassword) async throws(StoreError) -> String { "" }
  func actionToken(of app: AppPassword) async throws(StoreError) -> String { "" }

  func apps() async throws(StoreError) -> [AppPassword] { state.withLock { $0.apps } }

  func addApp(named name: String) async throws(StoreError) -> (app: AppPassword, password: String)? {
    state.withLock { state -> (app: AppPassword, password: String)? in
      guard !state.apps.contains(where: { $0.name == name }) else { return nil }
      let app = AppPassword(id: Int64(state.apps.count + 1), name: name, made: WebRig.now)
      state.apps.append(app)
      return (app, "abcdefghijklmnopqrstuvwx")
    }
  }

  func removeApp(named name: String) async throws(StoreError) -> Bool {
    state.withLock { state in
      let count = state.apps.count
      state.apps.removeAll { $0.name == name }
      return state.apps.count < count
    }
  }

  func hasLoginPassword() async throws(StoreError) -> Bool { state.withLock { $0.password != nil } }

  func logIn(
    user: String,
    password: String,
    address: String,
    agent: String
  ) async throws(StoreError) -> LoginOutcome<(session: WebSession, cookie: String)> {
    state.withLock { state in
      if state.isBlocked { return .blocked(seconds: 61) }
      guard user == self.user, password == state.password else { return .refused }
      let session = WebSession(
        id: state.lastSession + 1,
        made: WebRig.now,
        lastSeen: WebRig.now,
        agent: agent,
        address: address,
        formToken: Self.formToken
      )
      state.lastSession += 1
      state.sessions.append(session)
      return .granted((session, "cookie-\(session.id)"))
    }
  }

  func session(cookie: String, address: String) async throws(StoreError) -> WebSession? {
    state.withLock { $0.sessions.first { "cookie-\($0.id)" == cookie } }
  }

  func sessions() async throws(StoreError) -> [WebSession] { state.withLock { $0.sessions } }

  func removeSession(_ id: Int64) async throws(StoreError) -> Bool {
    state.withLock { state in
      let count = state.sessions.count
      state.sessions.removeAll { $0.id == id }
      return state.sessions.count < count
    }
  }
}

extension ParsedItem {
  init(_ title: String, html: String? = nil, url: String? = nil) {
    self.init()
    id = title
    self.title = title
    contentHTML = html
    contentText = title
    self.url = url ?? "https://example.org/\(title.utf8.count)"
  }
}

/// Collects the feeds whose refresh was reported.
final class RefreshedFeeds: Sendable {
  private let ids = Mutex<Set<Feed.ID>>([])
  var all: Set<Feed.ID> { ids.withLock { $0 } }

  func take(_ event: RefreshEvent) {
    if case .finished(let outcome) = event { _ = ids.withLock { $0.insert(outcome.feedID) } }
  }
}
