import NewsCore
import NewsHTTP
import NewsSync
import NewsToolbox
import NewsWeb
import Synchronization

/// Finds the account of each request, and passes the request to that account's own routes.
///
/// The desk only chooses: each account's own log-in admits the request, and after that only this account answers it. So a
/// wrong choice leads to a refusal, never to the news of another person. Names and secrets that no account has are
/// checked by a log-in without credentials, so that answers and their times do not tell which accounts exist.
final class AccountDesk: WebRouting {
  /// An account that is served.
  struct Member: Sendable {
    var name: String
    var login: WebLogin
    var routes: [WebRoute]
    var figures: MetricsFigures
    var icons: FeedIcons
    /// Ends the refreshes that were started over HTTP.
    var close: @Sendable () async -> Void
    fileprivate let router: WebRouter
    fileprivate let turns = makeWebTurns()

    init(
      name: String,
      login: WebLogin,
      routes: [WebRoute],
      figures: MetricsFigures,
      icons: FeedIcons,
      close: @escaping @Sendable () async -> Void
    ) {
      self.name = name
      self.login = login
      self.routes = routes
      self.figures = figures
      self.icons = icons
      self.close = close
      router = WebRouter(routes)
    }
  }

  private struct State {
    var members: [String: Member] = [:]
    var router: WebRouter
  }

  /// The log-in for names and secrets that no account has.
  private let stranger: WebLogin
  /// Routes of the process, which are the same for every client.
  private let shared: [WebRoute]
  /// The page and the set-up page for requests without an account.
  private let strangers: WebRouter
  private let strangerRoutes: [WebRoute]
  private let state: Mutex<State>
  private let secrets = SecretIndex()
  private let icons = IconSearch()

  /// `shared` are routes that need no account, `strangers` those for requests whose account is unknown.
  init(stranger: WebLogin, shared: [WebRoute], strangers: [WebRoute]) {
    self.stranger = stranger
    self.shared = shared
    strangerRoutes = strangers
    self.strangers = WebRouter(strangers)
    state = Mutex(State(router: WebRouter([])))
    rebuild()
  }

  // MARK: Accounts

  var members: [Member] { state.withLock { $0.members.values.sorted { $0.name < $1.name } } }

  func add(_ member: Member) {
    state.withLock { $0.members[member.name] = member }
    rebuild()
  }

  func remove(_ name: String) async {
    let member = state.withLock { $0.members.removeValue(forKey: name) }
    rebuild()
    await member?.close()
  }

  /// The protocols have the same paths for all accounts, so the routes of one of them describe all.
  private func rebuild() {
    let own = strangerRoutes.map(\.path)
    state.withLock { state in
      let first = state.members.min { $0.key < $1.key }?.value.routes ?? []
      let routes = shared + (strangerRoutes + first.filter { !own.contains($0.path) }).map(chosenLater)
      state.router = WebRouter(routes)
    }
  }

  func route(for path: [String], method: HTTPMethod) -> WebRoute? {
    state.withLock { $0.router }.route(for: path, method: method)
  }

  // MARK: Requests

  /// The route with the same properties, whose account is chosen when a request is there.
  private func chosenLater(_ template: WebRoute) -> WebRoute {
    var route = template
    // A fixed text belongs to no account.
    guard !(template.handler is any HTTPInstantHandling) else { return route }
    if !template.isOpen {
      route.access = .head { [self] in await admission(of: $0, template) }
    }
    route.handler = Chooser(desk: self, template: template)
    return route
  }

  private struct Chooser: HTTPHandling {
    let desk: AccountDesk
    let template: WebRoute

    func reply(to request: HTTPRequest) async -> HTTPReply { await desk.reply(to: request, template) }
  }

  private func member(_ name: String?) -> Member? {
    name.flatMap { name in state.withLock { $0.members[name] } }
  }

  /// Has the account that the head of the request names admit it.
  private func admission(of request: HTTPRequest, _ template: WebRoute) async -> Admission {
    let found = await member(inHeadOf: request, template)
    if let found, let route = found.router.route(for: request.path, method: request.method) {
      return await withTaskExecutorPreference(found.turns) {
        await route.admission(of: request, account: found.login)
      }
    }
    return await template.admission(of: request, account: stranger)
  }

  private func reply(to request: HTTPRequest, _ template: WebRoute) async -> HTTPReply {
    if template.api == "page", request.path == ["login"], request.method == .post {
      return await logIn(request, template)
    }
    let chosen: Member?
    if let account = request.app?.account ?? request.session?.account {
      // Only the account that has admitted the request may answer it.
      chosen = member(account)
      if chosen == nil { return .text(503, "the account is not served any more\n") }
    } else {
      chosen = await member(ofUnknown: request, template)
    }
    guard let chosen, let route = chosen.router.route(for: request.path, method: request.method) else {
      return await template.handler.reply(to: request)
    }
    return await withTaskExecutorPreference(chosen.turns) { await route.handler.reply(to: request) }
  }

  // MARK: Choosing

  private func member(inHeadOf request: HTTPRequest, _ template: WebRoute) async -> Member? {
    switch template.api {
    case "page" where request.path.first == "setup":
      return member(Self.account(in: request.query.first("token") ?? ""))
    case "page", "media": return member(Self.account(in: request.sessionCookie ?? ""))
    default: return await member(withSecrets: WebSecrets.inHead(of: request))
    }
  }

  /// Chooses by credentials in the body or in the address.
  private func member(ofUnknown request: HTTPRequest, _ template: WebRoute) async -> Member? {
    switch template.api {
    // A cookie that no account has admitted must not show whether there is an account of that name.
    case "page" where request.path.first != "setup": return nil
    case "page", "media": return await member(inHeadOf: request, template)
    case "icons":
      if let own = member(Self.account(in: request.sessionCookie ?? "")) { return own }
      return member(await icons.account(with: request.path.last ?? "", among: members))
    default: return await member(withSecrets: WebSecrets.inBody(of: request))
    }
  }

  private func member(withSecrets found: [WebSecret]) async -> Member? {
    guard !found.isEmpty else { return nil }
    if let found = member(secrets.account(of: found)) { return found }
    // Another process may have made the password, or its account has another name now.
    await secrets.refresh(members.map { ($0.name, $0.login) })
    return member(secrets.account(of: found))
  }

  /// The account in a cookie or set-up token, which begin with `NAME.`; the last dot ends the name.
  private static func account(in text: String) -> String? {
    text.cut(atLast: ".").map { String($0.before) }
  }

  /// Logs in to the account with the name in the form. An account without a login password looks like none.
  private func logIn(_ request: HTTPRequest, _ template: WebRoute) async -> HTTPReply {
    let named = member(request.form.first("name"))
    var chosen = template
    if let named, (try? await named.login.hasLoginPassword()) == true,
      let route = named.router.route(for: request.path, method: request.method)
    {
      chosen = route
    }
    let former = request.session
    var request = request
    // Only a session of the same account is known to it.
    if former?.account != named?.name { request.session = nil }
    let reply = await chosen.handler.reply(to: request)
    if reply.status == 303, request.session == nil, let former, let owner = member(former.account) {
      _ = try? await owner.login.removeSession(former.id)
    }
    return reply
  }
}

/// Looks for the account that has the picture of an address. One search at a time, because it asks all accounts.
private actor IconSearch {
  private var known: [String: String] = [:]
  private static let most = 10_000

  func account(with token: String, among members: [AccountDesk.Member]) async -> String? {
    if let name = known[token] { return name }
    for member in members {
      guard (try? await member.icons.picture(token: token)) != nil else { continue }
      if known.count >= Self.most { known = [:] }
      known[token] = member.name
      return member.name
    }
    return nil
  }
}
