import Modules
import NewsCore
import NewsHTTP
import NewsWeb
import Synchronization

/// The set-up page of a web server, and the hosts that the server answers to.
final class SetUpService: Sendable {
  let hosts = KnownHosts()
  private let login: WebLogin
  /// `web.url`; nil: not set.
  private let configured: WebSite?
  /// The site for the set-up address.
  private let site: WebSite
  private let clock: any WallClock
  private let hooks: WebHooks
  /// True if this is one of several accounts, none of which decides on the hosts.
  private let isOfMany: Bool
  /// False if web.log_in lacks `password`. Then there is no set-up page.
  private let isOffered: Bool
  private let announced = Mutex<SetUpToken?>(nil)
  /// The unknown hosts that were logged, and when the kept host was last read.
  private let unknown = Mutex((hosts: Set<String>(), read: ContinuousClock.now))

  private static let mostLoggedHosts = 20
  /// Shortest time between two readings of the kept host.
  private static let readPause = Duration.seconds(2)

  init(
    login: WebLogin,
    configured: WebSite?,
    site: WebSite,
    clock: any WallClock,
    hooks: WebHooks,
    isOfMany: Bool = false,
    isOffered: Bool = true
  ) {
    self.isOffered = isOffered
    self.isOfMany = isOfMany
    self.login = login
    self.configured = configured
    self.site = site
    self.clock = clock
    self.hooks = hooks
  }

  /// The routes of the set-up page.
  var routes: [WebRoute] { isOffered ? [page.route] : [] }

  private var page: SetUpPage {
    SetUpPage(
      login: login,
      times: { [clock] in TimeDisplay(now: clock.now(), zone: .local) },
      announce: { [self] in await announce() },
      keepsHost: configured == nil && !isOfMany,
      isOfMany: isOfMany,
      kept: { [hosts] in hosts.insert($0) }
    )
  }

  /// Reports the set-up address, or the plain one if a password is set.
  func start() async throws(StoreError) {
    if isOffered, let token = try await login.setUpToken() {
      report(token)
    } else if !isOfMany {
      hooks.reachable(site.url("/"), false)
    }
  }

  /// Accepts the host that the set-up page has kept, unless `web.url` is set. A failure is ignored: the next request for
  /// that host repeats this.
  func keepHost() async {
    guard configured == nil, let host = try? await login.keptHost() else { return }
    hosts.insert(host)
  }

  private func announce() async {
    // The page says where the address is; without the store, there is none.
    guard let token = try? await login.setUpToken() else { return }
    report(token)
  }

  /// Reports the address with this token, unless it was the last one reported.
  private func report(_ token: SetUpToken) {
    let isNew = announced.withLock { announced in
      defer { announced = token }
      return announced != token
    }
    if isNew { hooks.reachable(site.url(SetUpPage.path(token)), true) }
  }

  /// Answers a request for an unknown host. Another process on the store may have kept this host, so it is read again.
  func misdirected(_ host: String, accepted: [String]) -> HTTPReply {
    let shown = MisdirectedPage.shown(host)
    let (isNew, isDue) = unknown.withLock { unknown in
      let isDue = unknown.read.duration(to: .now) > Self.readPause
      if isDue { unknown.read = .now }
      guard unknown.hosts.count < Self.mostLoggedHosts else { return (false, isDue) }
      return (unknown.hosts.insert(shown).inserted, isDue)
    }
    if isNew { hooks.misdirected(shown) }
    if isDue { Task { await keepHost() } }
    let times = TimeDisplay(now: clock.now(), zone: .local)
    return MisdirectedPage.reply(to: host, accepted: accepted, url: configured, times: times)
  }
}
