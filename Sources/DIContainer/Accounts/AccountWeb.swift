import Modules
import NewsFormats
import NewsCore
public import NewsHTTP
import NewsSync
import NewsWeb
import Synchronization

/// The web server for several accounts. Accounts come and go while it runs.
public final class AccountWeb: Sendable {
  /// The names of accounts that are being made for people who log in.
  private let making = Mutex<Set<String>>([])
  /// The services of the process; their store is never opened.
  private let process: ServiceContainer
  private let accounts: AccountSet
  private let limits = LoginLimits(hasher: YescryptHasher())
  private let places = AccountPlaces()
  private let opened = Mutex<(desk: AccountDesk, site: WebSite, hooks: WebHooks)?>(nil)

  /// Tenths of a second until a new account must be served.
  private static let patience = 150

  public init(process: ServiceContainer, accounts: AccountSet) {
    self.process = process
    self.accounts = accounts
  }

  /// Starts serving, without an account. Returns nil if no address is configured.
  public func open(environment: [String: String], hooks: WebHooks) async throws -> (any WebServing)? {
    let settings = process.settings
    guard let listen = settings.web.listen else { return nil }
    let stranger = makeStranger(limits, hooks)
    let page = try process.makeStrangersPage(hooks, stranger)
    let signOn = try process.makeSignOn(directory(hooks), hooks)
    let pages = page?.routes ?? []
    let isFile = { (route: WebRoute) in route.path == WebPage.assets.path }
    // Attempts to log in to an account that may exist, but was not open yet, do not count.
    let waiting = makeStranger(LoginLimits(hasher: YescryptHasher()), WebHooks(metrics: hooks.metrics))
    let waitingPages = try process.makeStrangersPage(hooks, waiting)?.routes ?? []
    let templates = try syncTemplates(environment, stranger)
    do throws(ListenerError) {
      let sockets = try ListenSocket.open(listen, environment: environment)
      let visited = sockets.lazy.compactMap(\.visitedHost).first ?? "localhost"
      let site = settings.web.url ?? WebSite(host: visited)
      let setUp = SetUpService(
        login: stranger,
        configured: settings.web.url,
        site: site,
        clock: process.clock,
        hooks: hooks,
        isOfMany: true,
        isOffered: settings.web.ways.contains(.password)
      )
      let server = ServerSlot()
      let desk = AccountDesk(
        stranger: stranger,
        shared: process.probeRoutes(hooks) + [pages.first(where: isFile) ?? WebPage.assets]
          + metrics(hooks, server) + (signOn.map { [$0.route] } ?? []),
        templates: pages.filter { !isFile($0) } + setUp.routes + templates,
        waiting: waitingPages,
        closedPage: closedPage(hooks)
      )
      let running = try HTTPServer(
        sockets: sockets,
        configuration: settings.serverConfiguration(setUp),
        routes: desk,
        observer: hooks.metrics
      )
      server.fill(running)
      self.opened.withLock { $0 = (desk, site, hooks) }
      hooks.reachable(site.url("/"), false)
      return running
    } catch {
      throw WebStartError.cannotListen(error.message)
    }
  }

  /// Serves an account. Reports its set-up address if it has no login password.
  public func add(_ services: ServiceContainer, hooks: WebHooks) async throws {
    guard let (desk, site, _) = opened.withLock({ $0 }), let name = services.settings.account else { return }
    let login = WebLogin(
      account: name,
      keeper: try services.store(),
      limits: limits,
      clock: services.clock,
      refused: hooks.refused
    )
    try await login.readName()
    let refreshes = services.makeSyncRefreshes(hooks.refreshed)
    let turns = makeWebTurns()
    let page = try services.makePage(hooks, login, turns: turns)
    let setUp = SetUpService(
      login: login,
      configured: services.settings.web.url,
      site: site,
      clock: services.clock,
      hooks: hooks,
      isOfMany: true,
      isOffered: services.settings.web.ways.contains(.password)
    )
    let followers = places.followers.share(of: name, turns: nil)
    let routes =
      try services.syncRoutes(login, refreshes, followers: followers) + (page?.routes ?? []) + setUp.routes
    await desk.add(
      AccountDesk.Member(
        name: name,
        login: login,
        routes: routes,
        figures: MetricsFigures(
          store: try services.store(),
          measure: services.storeMeasure,
          clock: services.clock
        ),
        icons: try services.makeFeedIcons(),
        secret: try await services.store().serverSecret(),
        places: places,
        turns: turns
      ) {
        await page?.close()
        await refreshes.close()
      }
    )
    try await setUp.start()
  }

  /// Notes which accounts shall be served, even if they cannot be opened; nil: that is not known. The stores of those in
  /// `foreign` hold nothing of a person.
  public func expect(_ names: Set<String>?, foreign: Set<String> = []) {
    opened.withLock { $0 }?.desk.expect(names, foreign: foreign)
  }

  /// Notes that an account can only be opened after a repair.
  public func fail(_ name: String) { opened.withLock { $0 }?.desk.fail(name) }

  /// Stops serving an account: for good, or until it is added again.
  public func end(_ name: String, forGood isGone: Bool) async {
    guard let desk = opened.withLock({ $0 })?.desk else { return }
    if isGone { await desk.remove(name) } else { await desk.close(name) }
  }

  /// Makes the log-in of an account whose store cannot be used.
  private func closedPage(_ hooks: WebHooks) -> AccountDesk.ClosedPage {
    { [process, limits] name, hash in
      let login = WebLogin(
        account: name,
        keeper: NoCredentials(hash: hash),
        limits: limits,
        clock: process.clock,
        refused: hooks.refused
      )
      return (login, (try? process.makeStrangersPage(hooks, login))?.routes ?? [])
    }
  }

  /// A log-in that refuses every name and secret.
  private func makeStranger(_ limits: LoginLimits, _ hooks: WebHooks) -> WebLogin {
    WebLogin(
      account: "",
      keeper: NoCredentials(hasher: YescryptHasher()),
      limits: limits,
      clock: process.clock,
      refused: hooks.refused
    )
  }

  /// The routes of the protocols with a log-in that refuses all clients. Their store can neither be opened nor created.
  private func syncTemplates(_ environment: [String: String], _ stranger: WebLogin) throws -> [WebRoute] {
    var settings = process.settings
    settings.store = "/dev/null/newsd"
    let services = ServiceContainer(settings: settings, environment: environment, program: process.version)
    return try services.syncRoutes(stranger, services.makeSyncRefreshes { _ in })
  }

  /// Finds the accounts of identities, among the served ones.
  private func directory(_ hooks: WebHooks) -> SignOnDirectory {
    let settings = process.settings
    let logins: @Sendable () -> [WebLogin] = { [self] in
      opened.withLock { $0 }?.desk.members.map(\.login) ?? []
    }
    var create: (@Sendable (String, ProviderIdentity) async throws -> WebLogin?)?
    if settings.openID.createsAccounts {
      create = { [self] name, identity in
        // Two callbacks of one person at once would make the same draft.
        guard making.withLock({ $0.insert(name).inserted }) else { return nil }
        defer { making.withLock { _ = $0.remove(name) } }
        do {
          try await accounts.add(name, linkedTo: identity)
        } catch {
          let reason = UserMessage(reporting: error)?.text ?? "\(error)"
          hooks.providerFailed("the account \(name) cannot be made: \(reason)")
          return nil
        }
        // The daemon finds the new store.
        for _ in 0..<Self.patience {
          if let login = logins().first(where: { $0.user == name }) { return login }
          try await Task.sleep(for: .milliseconds(100))
        }
        return nil
      }
    }
    return SignOnDirectory(
      logins: logins,
      isComplete: { [self] in opened.withLock { $0 }?.desk.isComplete ?? false },
      isDisabled: { [accounts] identity in
        do {
          return try await accounts.hasDisabledAccount(linkedTo: identity)
        } catch {
          let reason = UserMessage(reporting: error)?.text ?? "\(error)"
          hooks.providerFailed("a disabled account cannot be read: \(reason)")
          throw error
        }
      },
      linksAccounts: settings.openID.linksAccounts,
      create: create
    )
  }

  private func metrics(_ hooks: WebHooks, _ server: ServerSlot) -> [WebRoute] {
    guard process.settings.web.metrics == .local else { return [] }
    let page = MetricsPage(
      metrics: hooks.metrics,
      figures: { [self] in
        guard let desk = opened.withLock({ $0 })?.desk else { return "" }
        // At the same time, because each may wait for a locked store.
        var reports: [AccountRecord<HealthReport>] = await withTaskGroup { group in
          for (name, figures) in desk.members.map({ ($0.name, $0.figures) }) {
            group.addTask { AccountRecord(account: name, record: await figures.report()) }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        reports.sort { $0.account < $1.account }
        for name in desk.closedNames {
          let report = HealthReport(
            nil,
            storeProblem: "newsd has not opened it",
            daemon: nil,
            figures: nil,
            hooks: [],
            now: process.clock.now()
          )
          reports.append(AccountRecord(account: name, record: report))
        }
        return HealthMetrics.text(reports)
      },
      isLocalOnly: true,
      connections: { server.connectionCount },
      droppedLines: hooks.droppedLines
    )
    return [WebRoute(api: "metrics", path: ["metrics"], isExact: true, owner: .nobody, handler: page)]
  }
}
