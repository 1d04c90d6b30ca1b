import FoundationEssentials
import NewsCore
import Synchronization
import TestSupport
import Testing

@testable import DIContainer
@testable import NewsHTTP

/// How many requests of one account the server works on at once, wherever they wait.
@Suite(.timeLimit(.minutes(2))) struct `The places of accounts` {
  /// Holds requests until the test opens it.
  private final class Hold: Sendable {
    private let state = Mutex((arrived: 0, isOpen: false))

    var arrived: Int { state.withLock { $0.arrived } }

    func open() { state.withLock { $0.isOpen = true } }

    func pass() async {
      state.withLock { $0.arrived += 1 }
      while !state.withLock({ $0.isOpen }) { try? await Task.sleep(for: .milliseconds(2)) }
    }
  }

  private final class Count: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// The answers that have come.
  private final class Answers: Sendable {
    private let state = Mutex<[PreparedReply]>([])

    var all: [PreparedReply] { state.withLock { $0 } }

    func add(_ reply: PreparedReply) { state.withLock { $0.append(reply) } }
  }

  private struct Handler: HTTPHandling {
    let hold: Hold?

    func reply(to request: HTTPRequest) async -> HTTPReply {
      await hold?.pass()
      return .text(200, "answered")
    }
  }

  /// Answers with an endless stream.
  private struct Streaming: HTTPHandling {
    struct Body: HTTPBodyStream {
      let isQuiet: Bool

      var isEndless: Bool { true }

      func next() async throws -> [UInt8]? {
        if isQuiet { try await Task.sleep(for: .seconds(600)) }
        return [1]
      }
    }

    /// True if no piece comes.
    var isQuiet = false

    func reply(to request: HTTPRequest) async -> HTTPReply {
      HTTPReply(status: 200, body: .stream(Body(isQuiet: isQuiet)))
    }
  }

  /// A server with the accounts anna and eve.
  private final class Rig: Sendable {
    let folder: String
    let core: ServerCore
    let desk: AccountDesk
    let logins: [String: WebLogin]
    let passwords: [String: String]
    private let services: [ServiceContainer]

    /// `templates` are the routes without an account, and `routes` those of an account.
    init(_ templates: [WebRoute], _ routes: (String, WebLogin) -> [WebRoute]) async throws {
      folder = FileManager.default.temporaryDirectory.path + "/newsd-places-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let limits = LoginLimits(hasher: YescryptHasher())
      var (services, logins, passwords) = ([ServiceContainer](), [String: WebLogin](), [String: String]())
      var members: [AccountDesk.Member] = []
      let places = AccountPlaces()
      for name in ["anna", "eve"] {
        var settings = Settings()
        settings.store = "\(folder)/\(name).db"
        let container = ServiceContainer(
          settings: settings,
          environment: ["STATE_DIRECTORY": folder],
          program: "newsd/1"
        )
        let store = try container.store()
        let login = WebLogin(account: name, keeper: store, limits: limits, clock: container.clock)
        passwords[name] = try await login.addApp(named: "app")?.password
        members.append(
          AccountDesk.Member(
            name: name,
            login: login,
            routes: routes(name, login),
            figures: MetricsFigures(store: store, measure: container.storeMeasure, clock: container.clock),
            icons: try container.makeFeedIcons(),
            secret: try await store.serverSecret(),
            places: places
          ) {}
        )
        services.append(container)
        logins[name] = login
      }
      (self.services, self.logins, self.passwords) = (services, logins, passwords)
      let stranger = WebLogin(
        account: "",
        keeper: NoCredentials(hash: nil),
        limits: limits,
        clock: services[0].clock
      )
      desk = AccountDesk(stranger: stranger, shared: [], templates: templates, waiting: []) { _, _ in
        (stranger, [])
      }
      var configuration = HTTPServerConfiguration()
      configuration.watchPeriod = .zero
      core = ServerCore(
        configuration,
        routes: desk,
        account: nil,
        observer: nil,
        hosts: HostRule()
      )
      desk.expect(["anna", "eve"])
      for member in members { await desk.add(member) }
    }

    func close() async {
      for container in services { await container.close() }
      try? FileManager.default.removeItem(atPath: folder)
    }

    func answer(_ request: HTTPRequest) async throws -> PreparedReply {
      let route = try #require(desk.route(for: request.path, method: request.method))
      return await core.answer(request, by: route, isAdmitted: false)
    }

    /// Sends requests, and returns at once.
    func send(_ count: Int, to answers: Answers, _ request: @escaping @Sendable () -> HTTPRequest) {
      for _ in 0..<count {
        Task { if let reply = try? await self.answer(request()) { answers.add(reply) } }
      }
    }
  }

  /// Sends requests of which `limit` are held, and further ones, which are refused at once. Meanwhile, `others` are answered.
  private func check(
    _ rig: Rig,
    _ hold: Hold,
    limit: Int,
    meanwhile others: [HTTPRequest] = [],
    _ request: @escaping @Sendable () -> HTTPRequest
  ) async throws {
    let (first, more) = (Answers(), Answers())
    rig.send(limit, to: first, request)
    try await eventually(within: .seconds(30)) { hold.arrived == limit }
    rig.send(5, to: more, request)
    try await eventually(within: .seconds(30)) { more.all.count == 5 }
    #expect(more.all.map(\.status) == [503, 503, 503, 503, 503])
    #expect(more.all.allSatisfy { $0.fields.first("Retry-After") == "10" })
    for other in others { #expect(try await rig.answer(other).status == 200) }
    #expect(first.all.isEmpty)
    hold.open()
    try await eventually { first.all.count == limit }
    #expect(first.all.allSatisfy { $0.status == 200 })
    // All places are given back.
    rig.send(limit, to: first, request)
    try await eventually { first.all.count == 2 * limit }
    #expect(first.all.allSatisfy { $0.status == 200 })
  }

  private static func request(
    _ path: String,
    password: String? = nil,
    cookie: String? = nil,
    form: String? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest()
    request.path = [path]
    if let password { request.fields.append("Authorization", "Bearer \(password)") }
    if let cookie { request.fields.append("Cookie", "newsd=\(cookie)") }
    if let form {
      request.method = .post
      request.body = Array(form.utf8)
    }
    return request
  }

  private static func api(servesParts: Bool = false) -> WebRoute {
    WebRoute(
      api: "test",
      path: ["api"],
      access: .appPassword(),
      servesParts: servesParts,
      handler: Handler(hold: nil)
    )
  }

  private static func page(_ hold: Hold?, _ check: @escaping @Sendable (HTTPRequest) async -> Admission)
    -> WebRoute
  {
    WebRoute(
      api: "test",
      path: ["page"],
      access: .head(check),
      owner: .session,
      handler: Handler(hold: hold)
    )
  }

  @Test(arguments: [(false, 16), (true, 32)])
  func `Requests that wait for their admission have places of their account`(
    servesParts: Bool,
    limit: Int
  ) async throws {
    let hold = Hold()
    let api = Self.api(servesParts: servesParts)
    let rig = try await Rig([api]) { name, login in
      guard name == "eve" else { return [api] }
      var slow = api
      slow.access = .head { request in
        await hold.pass()
        return await api.admission(of: request, account: login)
      }
      return [slow]
    }
    let (anna, eve) = (try #require(rig.passwords["anna"]), try #require(rig.passwords["eve"]))
    try await check(rig, hold, limit: limit, meanwhile: [Self.request("api", password: anna)]) {
      Self.request("api", password: eve)
    }
    await rig.close()
  }

  @Test func `Accounts whose requests wait leave places to others`() async throws {
    let hold = Hold()
    var api = Self.api(servesParts: true)
    api.handler = Handler(hold: hold)
    let rig = try await Rig([api]) { [api] _, _ in [api] }
    let (held, refused) = (Answers(), Answers())
    var arrived = 0
    for (name, places) in [("eve", 32), ("anna", 16)] {
      let password = try #require(rig.passwords[name])
      arrived += places
      rig.send(places, to: held) { Self.request("api", password: password) }
      try await eventually(within: .seconds(30)) { hold.arrived == arrived }
      rig.send(1, to: refused) { Self.request("api", password: password) }
    }
    try await eventually { refused.all.map(\.status) == [503, 503] }
    hold.open()
    try await eventually { held.all.count == arrived }
    #expect(held.all.allSatisfy { $0.status == 200 })
    await rig.close()
  }

  @Test func `An account may take a place while more are free than it has`() {
    let places = SharedPlaces(of: 64, most: 32)
    func fill(_ account: String) -> Int {
      var count = 0
      while places.enter(account) { count += 1 }
      return count
    }
    #expect(["anna", "bob", "eve", "zoe"].map(fill) == [32, 16, 8, 4])
    for _ in 0..<32 { places.leave("anna") }
    #expect(fill("bob") == 10)
    #expect(fill("bob") == 0)
  }

  @Test func `A stream ends with its password or account, also while another account is not open yet`()
    async throws
  {
    let api = WebRoute(api: "test", path: ["api"], access: .appPassword(), handler: Streaming())
    let rig = try await Rig([api]) { _, _ in [api] }
    var streams: [any HTTPBodyStream] = []
    for name in ["anna", "eve"] {
      let reply = try await rig.answer(Self.request("api", password: rig.passwords[name]))
      guard case .stream(let stream) = reply.body else { return #expect(Bool(false), "\(reply.body)") }
      streams.append(stream)
    }
    let stream = streams[1]
    #expect(try await stream.next() != nil)
    rig.desk.expect(["anna", "eve", "zoe"])
    #expect(try await rig.logins["anna"]?.removeApp(named: "app") == true)
    #expect(try await streams[0].next() == nil)
    // Until its store is open again, nothing tells whether the password is valid.
    await rig.desk.close("eve")
    #expect(try await stream.next() != nil)
    await rig.desk.remove("eve")
    #expect(try await stream.next() == nil)
    await rig.close()
  }

  @Test func `A stream that waits ends when its account is removed, also if it was closed`() async throws {
    let api = WebRoute(
      api: "test",
      path: ["api"],
      access: .appPassword(),
      handler: Streaming(isQuiet: true)
    )
    let rig = try await Rig([api]) { _, _ in [api] }
    var pieces: [Task<[UInt8]?, any Error>] = []
    for name in ["anna", "eve"] {
      let reply = try await rig.answer(Self.request("api", password: rig.passwords[name]))
      guard case .stream(let stream) = reply.body else { return #expect(Bool(false), "\(reply.body)") }
      pieces.append(Task { try await stream.next() })
    }
    await rig.desk.close("eve")
    for name in ["anna", "eve"] { await rig.desk.remove(name) }
    for piece in pieces { #expect(try await piece.value == nil) }
    await rig.close()
  }

  @Test(arguments: ["eve", "zoe"])
  func `Cookies that only claim a name have few places, alike for all names, and none of the account`(
    name: String
  ) async throws {
    let hold = Hold()
    let page = Self.page(nil) { _ in
      await hold.pass()
      return .stranger
    }
    let api = Self.api()
    let rig = try await Rig([page, api]) { _, _ in [page, api] }
    let eve = try #require(rig.passwords["eve"])
    let others = [Self.request("api", password: eve)]
    try await check(rig, hold, limit: 2, meanwhile: others) {
      Self.request("page", cookie: "\(name).0123")
    }
    await rig.close()
  }

  @Test(arguments: ["eve", "zoe"])
  func `A claimed name has few places over all addresses, alike for all names`(name: String) async throws {
    let hold = Hold()
    let page = Self.page(nil) { _ in
      await hold.pass()
      return .stranger
    }
    var login = WebRoute(
      api: "test",
      path: ["login"],
      methods: [.post],
      readsForm: true,
      owner: .session,
      handler: Handler(hold: hold)
    )
    login.access = .head { _ in .stranger }
    let rig = try await Rig([page, login]) { [login] _, _ in [page, login] }
    let sent = Count()
    try await check(rig, hold, limit: 16) {
      let number = sent.next()
      var request =
        number.isMultiple(of: 2)
        ? Self.request("page", cookie: "\(name).0123")
        : Self.request("login", form: "name=\(name)&password=x")
      request.address = "192.0.2.\(number % 11)"
      return request
    }
    await rig.close()
  }

  private static func login(_ hold: Hold) -> WebRoute {
    WebRoute(
      api: "test",
      path: ["login"],
      methods: [.post],
      readsForm: true,
      access: .head { _ in .stranger },
      owner: .session,
      handler: Handler(hold: hold)
    )
  }

  private static func login(_ name: String, from address: String) -> HTTPRequest {
    var login = request("login", form: "name=\(name)&password=x")
    login.address = address
    return login
  }

  @Test func `Strangers do not take the places of addresses from which an account has sessions`() async throws
  {
    let hold = Hold()
    let route = Self.login(hold)
    let rig = try await Rig([route]) { _, _ in [route] }
    let eve = try #require(rig.logins["eve"])
    #expect(try await eve.setLoginPassword("a long password"))
    _ = try await eve.openSession(by: .password, address: "198.51.100.7", agent: "")
    let answers = Answers()
    rig.send(1, to: answers) { Self.login("eve", from: "192.0.2.0") }
    try await eventually(within: .seconds(30)) { hold.arrived == 1 }
    let sent = Count()
    rig.send(30, to: answers) { Self.login("eve", from: "192.0.2.\(sent.next())") }
    try await eventually(within: .seconds(30)) { hold.arrived == 16 && answers.all.count == 15 }
    rig.send(8, to: answers) { Self.login("eve", from: "198.51.100.7") }
    try await eventually(within: .seconds(30)) { hold.arrived == 24 }
    #expect(try await rig.answer(Self.login("eve", from: "198.51.100.7")).status == 503)
    hold.open()
    try await eventually { answers.all.count == 39 }
    await rig.close()
  }

  @Test func `An address with too many wrong passwords is refused before it takes a place`() async throws {
    let hold = Hold()
    let route = Self.login(hold)
    let rig = try await Rig([route]) { _, _ in [route] }
    let eve = try #require(rig.logins["eve"])
    #expect(try await eve.setLoginPassword("a long password"))
    for _ in 0..<LoginGate.failuresOfAddress {
      _ = try await eve.logIn(user: "eve", password: "wrong", address: "192.0.2.1", agent: "")
    }
    let answers = Answers()
    // More than its places.
    rig.send(5, to: answers) { Self.login("eve", from: "192.0.2.1") }
    try await eventually(within: .seconds(30)) { hold.arrived == 5 }
    #expect(answers.all.isEmpty)
    hold.open()
    try await eventually { answers.all.count == 5 }
    await rig.close()
  }

  @Test func `A name that no account can have is no name`() async throws {
    let hold = Hold()
    let page = Self.page(nil) { _ in
      await hold.pass()
      return .stranger
    }
    let rig = try await Rig([page]) { _, _ in [page] }
    let answers = Answers()
    let name = String(repeating: "a", count: 33)
    rig.send(5, to: answers) { Self.request("page", cookie: "\(name).0123") }
    try await eventually(within: .seconds(30)) { hold.arrived == 5 }
    hold.open()
    try await eventually { answers.all.count == 5 }
    await rig.close()
  }

  @Test func `Cookies that were seen to be of a session have the places of their account`() async throws {
    let hold = Hold()
    let page = Self.page(nil) { _ in .stranger }
    let rig = try await Rig([page]) { _, login in
      [
        Self.page(hold) { request in
          let cookie = String(request.fields.first("Cookie")?.dropFirst("newsd=".count) ?? "")
          let session = try? await login.session(cookie: cookie, address: "")
          return session.map { .session($0) } ?? .stranger
        }
      ]
    }
    let login = try #require(rig.logins["eve"])
    #expect(try await login.setLoginPassword("a long password"))
    let entry = try await login.logIn(user: "eve", password: "a long password", address: "", agent: "")
    guard case .granted(let (_, cookie)) = entry else { return #expect(Bool(false), "\(entry)") }
    let first = Answers()
    rig.send(1, to: first) { Self.request("page", cookie: cookie) }
    try await eventually { hold.arrived == 1 }
    rig.send(15, to: first) { Self.request("page", cookie: cookie) }
    try await eventually(within: .seconds(30)) { hold.arrived == 16 }
    #expect(try await rig.answer(Self.request("page", cookie: cookie)).status == 503)
    hold.open()
    try await eventually { first.all.count == 16 }
    #expect(first.all.allSatisfy { $0.status == 200 })
    await rig.close()
  }

  @Test(arguments: ["eve", "zoe"])
  func `Log-ins with one name have few places, alike for all names`(name: String) async throws {
    let hold = Hold()
    var login = WebRoute(
      api: "test",
      path: ["login"],
      methods: [.post],
      readsForm: true,
      owner: .session,
      handler: Handler(hold: hold)
    )
    login.access = .head { _ in .stranger }
    let api = Self.api()
    let rig = try await Rig([login, api]) { [login] _, _ in [login, api] }
    let eve = try #require(rig.passwords["eve"])
    try await check(rig, hold, limit: 2, meanwhile: [Self.request("api", password: eve)]) {
      Self.request("login", form: "name=\(name)&password=x")
    }
    await rig.close()
  }
}
