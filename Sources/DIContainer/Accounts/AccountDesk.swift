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
/// checked by a log-in without credentials, so that answers do not tell which accounts exist, nor do their times but for the
/// reads of a store: such reads for names that no account has would be work that no account's places limit.
///
/// A program that is refused may forget its password. So the holder of a secret whose account is closed for now gets 503,
/// as does everybody with an unknown secret until each account was open once, or newsd has tried in vain to open it.
final class AccountDesk: WebRouting {
  /// An account that is served.
  struct Member: Sendable {
    var name: String
    var login: WebLogin
    var routes: [WebRoute]
    var figures: MetricsFigures
    var icons: FeedIcons
    /// Signs the names of its pictures.
    var secret: [UInt8]
    /// Ends the refreshes that were started over HTTP.
    var close: @Sendable () async -> Void
    fileprivate let router: WebRouter
    private let share: WorkShare
    private let partShare: WorkShare
    fileprivate let proofs = SeenProofs()
    /// The removal of the account.
    fileprivate var removal = OneTimeEvent()

    init(
      name: String,
      login: WebLogin,
      routes: [WebRoute],
      figures: MetricsFigures,
      icons: FeedIcons,
      secret: [UInt8],
      places: AccountPlaces,
      turns: TaskTurns = makeWebTurns(),
      close: @escaping @Sendable () async -> Void
    ) {
      self.name = name
      self.login = login
      self.routes = routes
      self.figures = figures
      self.icons = icons
      self.secret = secret
      self.close = close
      router = WebRouter(routes)
      share = places.requests.share(of: name, turns: turns)
      partShare = places.parts.share(of: name, turns: turns)
    }

    fileprivate func share(of route: WebRoute) -> WorkShare { route.servesParts ? partShare : share }
  }

  /// An account whose store is closed for now.
  private struct Closed: Sendable {
    /// Checks the login password, but makes no session.
    let login: WebLogin
    let router: WebRouter
    let proofs: SeenProofs
    let removal: OneTimeEvent
  }

  private struct State {
    var members: [String: Member] = [:]
    var closed: [String: Closed] = [:]
    /// The accounts that shall be served; nil: they are not known yet, or the folder cannot be read.
    var expected: Set<String>?
    /// The expected accounts whose stores hold nothing of a person.
    var foreign: Set<String> = []
    /// The expected accounts that can only be opened after a repair.
    var failed: Set<String> = []
    var router = WebRouter([])

    /// True until each account that shall be served was open once, or has failed, and while there is none.
    var isStarting: Bool {
      guard let expected, !expected.isEmpty else { return true }
      return expected.contains { members[$0] == nil && closed[$0] == nil && !failed.contains($0) }
    }
  }

  private enum Choice {
    case member(Member)
    case nobody
    /// The account cannot be served now, or it is not known whose the secret is.
    case unavailable
    /// The account has no place left.
    case busy
  }

  /// The log-in for names and secrets that no account has.
  private let stranger: WebLogin
  /// The page for names that may be those of accounts that were not open yet.
  private let waiting: WebRouter
  /// Makes the log-in of an account whose store cannot be used, and its pages; `hash` is that of the login password.
  private let closedPage: ClosedPage
  private let state = Mutex(State())
  private let secrets = SecretIndex()
  private let claims = ClaimedNames()
  private let started = ContinuousClock.now
  /// The log-ins that wait for the start.
  private let early = HandlerSlots(limit: 16)

  typealias ClosedPage = @Sendable (_ name: String, _ hash: String?) -> (login: WebLogin, routes: [WebRoute])

  /// For so long after the start, log-ins wait until all accounts are open, each at most for `patience`.
  private static let start = Duration.seconds(15)
  private static let patience = Duration.seconds(2)

  /// `shared` are routes that need no account. `templates` are the routes of an account without clients: all accounts have
  /// the same paths. `waiting` are the routes of a log-in page that counts no wrong passwords.
  init(
    stranger: WebLogin,
    shared: [WebRoute],
    templates: [WebRoute],
    waiting: [WebRoute],
    closedPage: @escaping ClosedPage
  ) {
    self.stranger = stranger
    self.waiting = WebRouter(waiting)
    self.closedPage = closedPage
    let router = WebRouter(shared + templates.map(chosenLater))
    state.withLock { $0.router = router }
  }

  // MARK: Accounts

  var members: [Member] { state.withLock { $0.members.values.sorted { $0.name < $1.name } } }

  /// True if every account that may hold something of a person is open.
  var isComplete: Bool {
    state.withLock { state in
      guard let expected = state.expected else { return false }
      let names = expected.subtracting(state.foreign).union(state.closed.keys)
      return names.allSatisfy { state.members[$0] != nil }
    }
  }

  /// The accounts that shall be served, but are not open.
  var closedNames: [String] {
    state.withLock { state in
      (state.expected ?? []).union(state.closed.keys).filter { state.members[$0] == nil }.sorted()
    }
  }

  /// Notes which accounts shall be served, even if they cannot be opened; nil: that is not known. The stores of those in
  /// `foreign` hold nothing of a person.
  func expect(_ names: Set<String>?, foreign: Set<String> = []) {
    state.withLock { state in
      state.expected = names
      state.foreign = foreign
      // Accounts fail while their folder or server is away.
      state.failed.formIntersection(names ?? [])
    }
  }

  /// Notes that an account can only be opened after a repair.
  func fail(_ name: String) {
    state.withLock { state in
      if state.expected?.contains(name) == true { state.failed.insert(name) }
    }
  }

  func add(_ member: Member) async {
    await secrets.read(member.name, member.login)
    await member.proofs.read(member.login)
    state.withLock { state in
      var member = member
      // Streams that began before the account was closed continue.
      if let closed = state.closed.removeValue(forKey: member.name) { member.removal = closed.removal }
      state.members[member.name] = member
      state.failed.remove(member.name)
    }
  }

  /// Ends serving an account that will be opened again.
  func close(_ name: String) async {
    guard let member = state.withLock({ $0.members[name] }) else { return }
    await secrets.read(name, member.login)
    await member.proofs.read(member.login)
    let (login, routes) = closedPage(name, member.proofs.hash)
    let closed = Closed(
      login: login,
      router: WebRouter(routes),
      proofs: member.proofs,
      removal: member.removal
    )
    state.withLock { state in
      guard state.members.removeValue(forKey: name) != nil else { return }
      state.closed[name] = closed
    }
    await member.close()
  }

  func remove(_ name: String) async {
    let (member, closed) = state.withLock { state in
      (state.members.removeValue(forKey: name), state.closed.removeValue(forKey: name))
    }
    (member?.removal ?? closed?.removal)?.happen()
    secrets.forget(name)
    await member?.close()
  }

  func route(for path: [String], method: HTTPMethod) -> WebRoute? {
    state.withLock { $0.router }.route(for: path, method: method)
  }

  // MARK: Requests

  /// The route with the same properties, whose account is chosen when a request is there.
  private func chosenLater(_ template: WebRoute) -> WebRoute {
    var route = template
    if case .nobody = template.owner { return route }
    if !template.isOpen {
      route.access = .head { [self] in await admission(of: $0, template) }
    }
    route.instant = nil
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

  /// The answer to a client whose account may be served soon.
  private static func unavailable(_ text: String) -> HTTPReply {
    .text(503, text + "\n").with("Retry-After", "10").with("Cache-Control", "no-store")
  }

  private static let isClosed = unavailable("newsd cannot open this account at the moment; try again")

  /// The account's name in a cookie or a set-up token, or the name that a proxy gives. Strangers can claim any.
  private static func claimedName(_ request: HTTPRequest, _ template: WebRoute) -> String? {
    switch template.owner {
    case .session where isSetUp(request): account(in: request.query.first("token") ?? "")
    case .session, .cookie: request.proxyUser.name ?? account(in: request.sessionCookie ?? "")
    case .secret, .picture, .nobody: nil
    }
  }

  private static func isSetUp(_ request: HTTPRequest) -> Bool { request.path.first == "setup" }

  /// True if the head of a request proves that its claimed name is right: by the word of a trusted proxy, or by a cookie that
  /// was seen to be that of a session.
  private static func isProven(_ request: HTTPRequest, by proofs: SeenProofs?) -> Bool {
    guard !isSetUp(request) else { return false }
    return request.proxyUser.name != nil || proofs?.has(cookie: request.sessionCookie ?? "") == true
  }

  /// The share in which the request is worked on: that of its account, but as long as a name is only claimed, that of the name.
  /// Otherwise strangers could take the places of an account, and learn from it that the account exists.
  private func share(of request: HTTPRequest, _ template: WebRoute, _ choice: Choice) -> WorkShare? {
    let name = Self.claimedName(request, template)
    if case .member(let member) = choice,
      name == nil || request.account != nil || Self.isProven(request, by: member.proofs)
    {
      return member.share(of: template)
    }
    return name.map { claimedShare(of: $0, request) }
  }

  /// The share of a name that the request only claims.
  private func claimedShare(of name: String, _ request: HTTPRequest) -> WorkShare {
    let proofs = state.withLock { $0.members[name]?.proofs ?? $0.closed[name]?.proofs }
    let isKnown = proofs?.knows(request.address) ?? false
    return claims.share(of: name, from: request.address, isKnown: isKnown)
  }

  /// Has the account that the head of the request names admit it.
  private func admission(of request: HTTPRequest, _ template: WebRoute) async -> Admission {
    let chosen: Choice
    if let account = request.account {
      // Only the account that has admitted the request may still do so. It is gone if it is disabled.
      let (member, isClosed) = state.withLock { ($0.members[account], $0.closed[account] != nil) }
      guard member != nil || isClosed else { return .stranger }
      chosen = member.map { .member($0) } ?? .unavailable
    } else {
      chosen = await choice(byHeadOf: request, template)
    }
    if let share = share(of: request, template, chosen), !request.place.enter(share) {
      return .refused(.noPlace)
    }
    await endFormerSession(request, template)
    if case .unavailable = chosen { return .refused(Self.isClosed) }
    var own: Admission?
    if case .member(let member) = chosen,
      let route = member.router.route(for: request.path, method: request.method)
    {
      let answer = await request.place.run { await route.admission(of: request, account: member.login) }
      if case .session = answer {
        if let cookie = request.sessionCookie { member.proofs.add(cookie: cookie, from: request.address) }
        guard request.place.enter(member.share(of: template)) else { return .refused(.noPlace) }
      }
      // The session has ended.
      if case .stranger = answer, let cookie = request.sessionCookie { member.proofs.remove(cookie: cookie) }
      if !mustHide(answer, of: member, request, template) { own = answer }
    }
    let admission: Admission
    if let own {
      admission = own
    } else {
      admission = await template.admission(of: request, account: stranger)
    }
    guard request.account == nil, mayBeLater(admission, request, template) else { return admission }
    let place = request.site.url("/login")
    return .refused(
      Self.unavailable("newsd has not opened all accounts yet; try again, or log in at \(place)")
    )
  }

  /// Ends the session of another account if a trusted proxy gives a name.
  private func endFormerSession(_ request: HTTPRequest, _ template: WebRoute) async {
    let cookie = request.sessionCookie ?? ""
    guard [.session, .cookie].contains(template.owner), !Self.isSetUp(request),
      let given = request.proxyUser.name, let former = Self.account(in: cookie), given != former,
      let owner = member(former)
    else { return }
    try? await request.place.run { try await owner.login.endSession(cookie: cookie) }
  }

  /// True if the store of the account that a cookie names cannot be read, and the cookie was never seen to be one of its
  /// sessions: the answer would show that the account exists.
  private func mustHide(
    _ admission: Admission,
    of member: Member,
    _ request: HTTPRequest,
    _ template: WebRoute
  ) -> Bool {
    guard case .refused(let reply) = admission, reply.status == 503, template.owner != .secret,
      request.proxyUser.name == nil
    else { return false }
    return !member.proofs.has(cookie: request.sessionCookie ?? "")
  }

  /// True if a browser was refused, and may be one of an account that was not open yet. Answers alike for all names.
  private func mayBeLater(_ admission: Admission, _ request: HTTPRequest, _ template: WebRoute) -> Bool {
    switch admission {
    case .app, .session: return false
    case .refused(let reply) where ![401, 403].contains(reply.status): return false
    case .stranger, .refused: break
    }
    guard [.session, .cookie].contains(template.owner), state.withLock({ $0.isStarting }) else {
      return false
    }
    switch request.path.first {
    case "login": return false
    case "setup":
      if case .stranger = admission { return false }
      return request.query.first("token") != nil
    default: return request.sessionCookie != nil
    }
  }

  private func reply(to request: HTTPRequest, _ template: WebRoute) async -> HTTPReply {
    if case .session = template.owner, request.path == ["login"], request.method == .post {
      return await logIn(request, template)
    }
    let chosen: Choice
    if let account = request.account {
      // Only the account that has admitted the request may answer it.
      chosen = member(account).map { .member($0) } ?? .unavailable
    } else {
      chosen = await choice(byRestOf: request, template)
    }
    switch chosen {
    case .unavailable: return Self.isClosed
    case .busy: return .noPlace
    case .member(let member):
      guard let route = member.router.route(for: request.path, method: request.method) else {
        return .text(404, "there is nothing at this address\n")
      }
      if let share = share(of: request, template, chosen), !request.place.enter(share) { return .noPlace }
      let reply = await request.place.run { await route.handler.reply(to: request) }
      return Self.bounded(reply, member.removal)
    case .nobody:
      guard template.owner != .picture else { return .text(404, "there is no picture at this address\n") }
      return await template.handler.reply(to: request)
    }
  }

  /// Has an endless stream end when the account is removed.
  private static func bounded(_ reply: HTTPReply, _ removal: OneTimeEvent) -> HTTPReply {
    guard case .stream(let stream) = reply.body, stream.isEndless else { return reply }
    var reply = reply
    reply.body = .stream(BoundedStream(stream: stream, end: removal))
    return reply
  }

  // MARK: Choosing

  private func choice(byHeadOf request: HTTPRequest, _ template: WebRoute) async -> Choice {
    switch template.owner {
    case .session, .cookie:
      guard let name = Self.claimedName(request, template) else { return .nobody }
      let (member, closed) = state.withLock { ($0.members[name], $0.closed[name]) }
      if let member { return .member(member) }
      return closed != nil && Self.isProven(request, by: closed?.proofs) ? .unavailable : .nobody
    case .secret, .picture, .nobody: return await choice(by: WebSecrets(inHead: request))
    }
  }

  /// Chooses by credentials in the body or in the address.
  private func choice(byRestOf request: HTTPRequest, _ template: WebRoute) async -> Choice {
    switch template.owner {
    // A cookie that no account has admitted must not show whether there is an account of that name.
    case .session where !Self.isSetUp(request): return .nobody
    case .session, .cookie: return await choice(byHeadOf: request, template)
    case .picture: return await owner(ofPicture: request.path.last ?? "", request, template)
    case .secret, .nobody: return await choice(by: WebSecrets(inBody: request))
    }
  }

  /// Finds the account that has made the name of a picture. A name that a stranger has made up costs no look into a store.
  private func owner(ofPicture name: String, _ request: HTTPRequest, _ template: WebRoute) async -> Choice {
    let signers = members.filter { FeedIcons.isName(name, signedWith: $0.secret) }
    guard signers.count > 1 else { return signers.first.map { .member($0) } ?? .nobody }
    // Copies of one store have the same secret, but not the same pictures.
    for signer in signers {
      guard request.place.enter(signer.share(of: template)) else { return .busy }
      let picture = try? await request.place.run { try await signer.icons.picture(named: name) }
      if picture != nil { return .member(signer) }
    }
    return .nobody
  }

  private func choice(by found: WebSecrets) async -> Choice {
    guard !found.isEmpty else { return .nobody }
    if let member = owners(of: found).open { return .member(member) }
    // Another process may have made the password, or its account has another name now.
    guard await secrets.refresh(members.map { ($0.name, $0.login) }) else { return .unavailable }
    let (open, isClosed) = owners(of: found)
    if let open { return .member(open) }
    return isClosed || secrets.isIncomplete || state.withLock { $0.isStarting } ? .unavailable : .nobody
  }

  /// The first open account with one of the secrets, and whether a closed account has one of them.
  private func owners(of found: WebSecrets) -> (open: Member?, isClosed: Bool) {
    let names = secrets.accounts(of: found)
    return state.withLock { state in
      (names.compactMap { state.members[$0] }.first, names.contains { state.closed[$0] != nil })
    }
  }

  /// The account in a cookie or set-up token, which begin with `NAME.`; the last dot ends the name. Nil: no account can have the
  /// name.
  private static func account(in text: String) -> String? {
    text.cut(atLast: ".").map { String($0.before) }.flatMap { Account.isName($0) ? $0 : nil }
  }

  /// Waits, while newsd starts, until all accounts are open: whether the name in the form is one of them must not matter.
  private func waitForStart() async {
    let begin = ContinuousClock.now
    guard state.withLock({ $0.isStarting }), begin - started < Self.start, early.enter() else { return }
    defer { early.leave() }
    while state.withLock({ $0.isStarting }), ContinuousClock.now - begin < Self.patience {
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
    }
  }

  /// Logs in to the account with the name in the form. An account without a login password looks like none.
  private func logIn(_ request: HTTPRequest, _ template: WebRoute) async -> HTTPReply {
    // The page of a stranger says for how long.
    guard !stranger.refusesLogIns(from: request.address) else {
      return await template.handler.reply(to: request)
    }
    let typed = request.form.first("name") ?? ""
    let name = Account.isName(typed) ? typed : ""
    guard request.place.enter(claimedShare(of: name, request)) else { return .noPlace }
    await waitForStart()
    let (named, closed, isStarting) = state.withLock { ($0.members[name], $0.closed[name], $0.isStarting) }
    var chosen = isStarting ? waiting.route(for: request.path, method: request.method) ?? template : template
    var isClosed = closed != nil
    if var login = named?.login ?? closed?.login, var router = named?.router ?? closed?.router {
      do {
        let sessions = try await login.sessions()
        named?.proofs.note(sessions)
        await named?.proofs.readHash(login)
      } catch {
        // Without the right password, the answer must not show that the account exists.
        let page = closedPage(name, named?.proofs.hash)
        (login, router, isClosed) = (page.login, WebRouter(page.routes), true)
      }
      if (try? await login.hasLoginPassword()) == true,
        let route = router.route(for: request.path, method: request.method)
      {
        chosen = route
      }
    }
    let former = request.session
    var request = request
    // Only a session of the same account is known to it.
    if former?.account != named?.name { request.session = nil }
    let reply = await chosen.handler.reply(to: request)
    if reply.status == 303, request.session == nil, let former, let owner = member(former.account) {
      _ = try? await owner.login.removeSession(former.id)
    }
    if reply.status == 503, isClosed { return Self.isClosed }
    guard isStarting, reply.status == 403 else { return reply }
    return Self.unavailable(
      "the name or the password is wrong, or newsd cannot open the account at the moment; go back and try again"
    )
  }
}

/// An endless stream that ends at an event.
private struct BoundedStream: HTTPBodyStream {
  let stream: any HTTPBodyStream
  let end: OneTimeEvent

  var isEndless: Bool { true }

  func next() async throws -> [UInt8]? {
    let piece: [UInt8]? = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await stream.next() }
      group.addTask {
        await end.wait()
        return nil
      }
      return try await group.next() ?? nil
    }
    return end.hasHappened ? nil : piece
  }
}

/// Shares for requests that claim the name of an account, with nothing that proves it. Each name has few places for each
/// address, so that a few strangers do not take those of its owner, and more over all addresses, so that the owner of a slow
/// store does not take those of all others; and whether an account has it or not. The addresses of an account's sessions have
/// places of their own, which no number of strangers takes. The requests are not worked on in turns of an account, which would
/// take longer if there is one.
private final class ClaimedNames: Sendable {
  private static let (placesOfAddress, placesOfKnownAddress) = (2, 8)
  private static let placesOfName = 16
  private let running = KeyedSlots()

  /// `isKnown` is true for the address of a session.
  func share(of name: String, from address: String, isKnown: Bool) -> WorkShare {
    let network = LoginGate.network(of: address)
    let places: KeyValuePairs<String, Int> = [
      "\(network) \(name)": isKnown ? Self.placesOfKnownAddress : Self.placesOfAddress,
      "\(isKnown ? "known" : "*") \(name)": Self.placesOfName,
    ]
    return WorkShare(turns: nil) { [running] in
      running.enter(places)
    } leave: { [running] in
      running.leave(places)
    }
  }
}

/// What has proved that a client belongs to an account.
private final class SeenProofs: Sendable {
  private struct State {
    /// SHA-256 of cookies.
    var cookies: Set<[UInt8]> = []
    /// The networks of sessions.
    var networks: Set<String> = []
    var hash: String?
  }

  private let state = Mutex(State())
  /// Of cookies, and of networks.
  private static let most = 1000

  /// The hash of the login password that was read last.
  var hash: String? { state.withLock { $0.hash } }

  /// Reads the addresses of sessions and the login password's hash; keeps the former ones if the store cannot be read.
  func read(_ login: WebLogin) async {
    if let sessions = try? await login.sessions() { note(sessions) }
    await readHash(login)
  }

  func note(_ sessions: [WebSession]) {
    let networks = Set(sessions.map { LoginGate.network(of: $0.address) })
    state.withLock { $0.networks = networks }
  }

  func readHash(_ login: WebLogin) async {
    guard let hash = try? await login.loginPasswordHash() else { return }
    state.withLock { $0.hash = hash }
  }

  func add(cookie: String, from address: String) {
    let hash = SecureHash.sha256.digest(cookie.utf8)
    let network = LoginGate.network(of: address)
    state.withLock { state in
      if state.cookies.count >= Self.most { state.cookies = [] }
      state.cookies.insert(hash)
      if state.networks.count >= Self.most { state.networks = [] }
      state.networks.insert(network)
    }
  }

  func remove(cookie: String) {
    let hash = SecureHash.sha256.digest(cookie.utf8)
    state.withLock { _ = $0.cookies.remove(hash) }
  }

  /// True for the address of a session.
  func knows(_ address: String) -> Bool {
    let network = LoginGate.network(of: address)
    return state.withLock { $0.networks.contains(network) }
  }

  func has(cookie: String) -> Bool {
    let hash = SecureHash.sha256.digest(cookie.utf8)
    return state.withLock { $0.cookies.contains(hash) }
  }
}
