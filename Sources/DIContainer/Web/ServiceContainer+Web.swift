public import NewsHTTP
import Glibc
import Modules
import NewsNetwork
public import NewsCore
import NewsFormats
import NewsToolbox
import NewsWeb
import Synchronization

extension ServiceContainer {
  /// Makes the service that checks names, passwords and tokens. `refused` is called for each wrong password.
  public func makeWebLogin(
    refused: @escaping @Sendable (LoginRefusal) -> Void = { _ in }
  ) async throws(StoreError) -> WebLogin {
    let login =
      if let account = settings.account {
        WebLogin(
          account: account,
          keeper: try store(),
          limits: LoginLimits(hasher: YescryptHasher()),
          clock: clock,
          refused: refused
        )
      } else {
        WebLogin(
          user: settings.web.user,
          keeper: try store(),
          hasher: YescryptHasher(),
          clock: clock,
          refused: refused
        )
      }
    try await login.readName()
    return login
  }

  /// Starts the web server that `web.listen` asks for. Returns nil if none is configured.
  public func openWebServer(
    environment: [String: String],
    hooks: WebHooks
  ) async throws -> (any WebServing)? {
    guard let listen = settings.web.listen else { return nil }
    let account = try await makeWebLogin(refused: hooks.refused)
    try await adoptPassword(account)
    // Ignore a failure, such as a full disk: programs need the name in the store only after a move to accounts.
    try? await account.keepConfiguredName()
    let signOn = try makeSignOn(
      SignOnDirectory(logins: { [account] }, linksAccounts: settings.openID.linksAccounts),
      hooks
    )
    let server = ServerSlot()
    let page = try makePage(hooks, account)
    let refreshes = makeSyncRefreshes(hooks.refreshed)
    var routes = try webRoutes(hooks, account, page, refreshes) { server.connectionCount }
    do {
      let sockets = try ListenSocket.open(listen, environment: environment)
      let setUp = SetUpService(
        login: account,
        configured: settings.web.url,
        site: settings.web.url ?? WebSite(host: sockets.lazy.compactMap(\.visitedHost).first ?? "localhost"),
        clock: clock,
        hooks: hooks,
        isOffered: settings.web.ways.contains(.password)
      )
      routes += setUp.routes + (page == nil ? [WebPage.assets] : []) + (signOn.map { [$0.route] } ?? [])
      await setUp.keepHost()
      let opened = try HTTPServer(
        sockets: sockets,
        configuration: settings.serverConfiguration(setUp),
        routes: routes,
        account: account,
        observer: hooks.metrics
      )
      server.fill(opened)
      try await setUp.start()
      return RefreshingServer(server: opened, page: page, refreshes: refreshes)
    } catch let error as ListenerError {
      throw WebStartError.cannotListen(error.message)
    }
  }

  /// Makes the content of `web.password_file` the login password.
  private func adoptPassword(_ account: WebLogin) async throws {
    guard let path = settings.web.passwordFile else { return }
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path)
    } catch {
      throw WebStartError.passwordFile(
        "\(path) cannot be read by uid \(geteuid()), as which newsd runs: \(error.reason)"
      )
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let password = String(decoding: line, as: UTF8.self)
    if let problem = PasswordRule.problem(password) {
      throw WebStartError.passwordFile("\(path): the password in its first line \(problem)")
    }
    guard try await account.adoptLoginPassword(password) else {
      throw WebStartError.passwordFile("\(path): the password cannot be hashed; libcrypt may be missing")
    }
  }

  /// Starts a server for `/health` and `/ready` while the store is upgraded, at the address of the web server. Returns nil
  /// if none is configured, and for sockets of the service manager, which keep requests until the web server is open.
  public func openProbes(environment: [String: String]) throws -> (any WebServing)? {
    guard let listen = settings.web.listen, listen != "systemd" else { return nil }
    var hooks = WebHooks(metrics: ServiceMetrics())
    hooks.problems = { [ReadinessProbe.Problem(part: "store", reason: "is being upgraded")] }
    return try HTTPServer(
      sockets: try ListenSocket.open(listen, environment: environment),
      configuration: HTTPServerConfiguration(),
      routes: probeRoutes(hooks, health: "migrating"),
      observer: hooks.metrics
    )
  }

  /// Reads the style sheet of `web.stylesheet`.
  private func ownStyle() throws -> [UInt8]? {
    guard let path = settings.web.stylesheet else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path)
    } catch {
      throw WebStartError.stylesheet(
        "\(path) cannot be read by uid \(geteuid()), as which newsd runs: \(error.reason)"
      )
    }
    guard bytes.count <= Self.longestStyle else {
      throw WebStartError.stylesheet("\(path) has more than \(Self.longestStyle >> 10) KiB")
    }
    return bytes
  }

  /// Maximum bytes of a style sheet of one's own.
  private static let longestStyle = 1 << 20

  func makePage(_ hooks: WebHooks, _ account: WebLogin, turns: TaskTurns? = nil) throws -> WebPage? {
    guard settings.web.page, let words = hooks.feedSettings else { return nil }
    let modules = WebModuleFactory(services: self, zone: .local, words: words, refreshed: hooks.refreshed)
    let open: @Sendable (String, String) async throws(StoreError) -> (session: WebSession, cookie: String) = {
      (address, agent) async throws(StoreError) in
      try await account.openSession(by: .header, address: address, agent: agent)
    }
    return WebPage(
      modules: modules,
      account: account,
      clock: clock,
      turns: turns,
      media: try makeMediaRelay(),
      relaysMedia: settings.web.relaysMedia,
      ownStyle: try ownStyle(),
      logIn: pageLogIn(hooks),
      openSession: settings.web.ways.contains(.header) ? open : nil
    )
  }

  /// Makes the page for browsers that are not logged in to any account. Opens no store.
  func makeStrangersPage(_ hooks: WebHooks, _ account: any WebAccount) throws -> WebPage? {
    guard settings.web.page, let words = hooks.feedSettings else { return nil }
    let modules = WebModuleFactory(services: self, zone: .local, words: words)
    return WebPage(
      modules: modules,
      account: account,
      clock: clock,
      relaysMedia: settings.web.relaysMedia,
      ownStyle: try ownStyle(),
      logIn: pageLogIn(hooks)
    )
  }

  /// All routes of the web server.
  func webRoutes(
    _ hooks: WebHooks,
    _ account: any WebAccount,
    _ page: WebPage?,
    _ refreshes: SyncRefreshes,
    connections: @escaping @Sendable () -> Int
  ) throws -> [WebRoute] {
    let routes = probeRoutes(hooks) + (try metricsRoutes(hooks, connections))
    return routes + (try syncRoutes(account, refreshes)) + (page?.routes ?? [])
  }

  func probeRoutes(_ hooks: WebHooks, health: String = "ok") -> [WebRoute] {
    let ready = ReadinessProbe(problems: hooks.problems)
    return [
      // Answers as long as newsd serves at all.
      WebRoute(api: "health", path: ["health"]) { _ in .text(200, health + "\n") },
      WebRoute(api: "ready", path: ["ready"], isExact: true, owner: .nobody, handler: ready),
    ]
  }

  private func metricsRoutes(
    _ hooks: WebHooks,
    _ connections: @escaping @Sendable () -> Int
  ) throws -> [WebRoute] {
    guard settings.web.metrics != .off else { return [] }
    let figures = MetricsFigures(store: try store(), measure: storeMeasure, clock: clock)
    let page = MetricsPage(
      metrics: hooks.metrics,
      figures: { [figures] in HealthMetrics.text(await figures.report()) },
      isLocalOnly: settings.web.metrics == .local,
      connections: connections,
      droppedLines: hooks.droppedLines
    )
    let access: WebRoute.Access = settings.web.metrics == .password ? .appPassword() : .open
    return [
      WebRoute(
        api: "metrics",
        path: ["metrics"],
        isExact: true,
        access: access,
        owner: .nobody,
        handler: page
      )
    ]
  }
}

/// The web server together with the refreshes that were started through it: stopping it also ends them.
private struct RefreshingServer: WebServing {
  let server: any WebServing
  let page: WebPage?
  let refreshes: SyncRefreshes

  var port: UInt16? { server.port }
  var connectionCount: Int { server.connectionCount }

  func run() async { await server.run() }

  func stop(within limit: Duration) async {
    await page?.close()
    await refreshes.close()
    await server.stop(within: limit)
  }
}

/// A reference to the server for routes that are made before the server. It is weak because the server retains its
/// routes.
final class ServerSlot: Sendable {
  private struct Reference {
    weak var server: HTTPServer?
  }
  private let reference = Mutex(Reference())

  func fill(_ server: HTTPServer) { reference.withLock { $0.server = server } }

  var connectionCount: Int { reference.withLock { $0.server?.connectionCount } ?? 0 }
}

extension Settings {
  func serverConfiguration(_ setUp: SetUpService) -> HTTPServerConfiguration {
    // The network adapter does so too, but only before its first transfer.
    DescriptorLimit.raise()
    var configuration = HTTPServerConfiguration()
    configuration.knownHosts = setUp.hosts
    configuration.misdirected = { setUp.misdirected($0, accepted: $1) }
    configuration.connections = servedConnections
    configuration.site = web.url
    if !web.trustedProxies.isEmpty { configuration.trustedProxies = web.trustedProxies }
    if web.ways.contains(.header) { configuration.proxyUser = (web.authHeader, web.trustedProxies) }
    return configuration
  }
}
