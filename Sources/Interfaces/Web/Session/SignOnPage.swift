public import Modules
public import NewsCore
public import NewsHTTP
import NewsToolbox

/// The pages of the log-in at an OpenID provider: its start, its callback, and the page after the log-out.
///
/// The callback is the only request that another site makes and that logs in. A cookie of this browser must belong to it.
public struct SignOnPage: HTTPHandling {
  private static let path = ["login", "oidc"]
  /// The page that sends the browser to the provider.
  static let start = "/login/oidc"
  /// The page to which the provider sends the browser back.
  private static let callback = "/login/oidc/callback"
  /// The page after the log-out.
  static let farewell = "/login/oidc/out"

  private let client: OpenIDClient
  private let directory: SignOnDirectory
  private let clock: any WallClock
  private let times: @Sendable () -> TimeDisplay
  private let refused: @Sendable (LoginRefusal) -> Void
  private let failed: @Sendable (String) -> Void
  private let limits = SignOnLimits()

  /// `refused` is called for each person or request that is refused, `failed` with each failure of the provider.
  public init(
    client: OpenIDClient,
    directory: SignOnDirectory,
    clock: any WallClock,
    times: @escaping @Sendable () -> TimeDisplay,
    refused: @escaping @Sendable (LoginRefusal) -> Void,
    failed: @escaping @Sendable (String) -> Void
  ) {
    self.client = client
    self.directory = directory
    self.clock = clock
    self.times = times
    self.refused = refused
    self.failed = failed
  }

  public var route: WebRoute {
    WebRoute(
      api: "page",
      path: Self.path,
      handler: self
    )
  }

  public func reply(to request: HTTPRequest) async -> HTTPReply {
    // A HEAD must not use up a code.
    guard request.method == .get else { return PageReply.text(405, Wording.theLogInKnowsOnlyGET) }
    switch Array(request.path.dropFirst(Self.path.count)) {
    case []: return await begin(request)
    case ["callback"]: return await finish(request).with("Set-Cookie", request.site.signOnCookie(""))
    case ["out"]: return farewell(request)
    default: return PageReply.text(404, Wording.thereIsNothingAtThisAddress)
    }
  }

  private func begin(_ request: HTTPRequest) async -> HTTPReply {
    let attempt = SignOnAttempt(now: clock.now())
    do {
      let address = try await client.authorization(attempt, redirect: request.site.url(Self.callback))
      // The page that was wanted waits in the cookie: the provider has no need to know it.
      let next = PagePath.afterLogIn(request.query.first("to")).map { "~" + $0 } ?? ""
      return PageReply.guarded(.see(address)).with(
        "Set-Cookie",
        request.site.signOnCookie(attempt.text + next)
      )
    } catch {
      return failure(error, request)
    }
  }

  private func finish(_ request: HTTPRequest) async -> HTTPReply {
    let query = request.query
    let cookie = RequestGuard.cookie(request.site.signOnCookieName, of: request) ?? ""
    let (text, next) = cookie.cut(atFirst: "~").map { (String($0.before), String($0.after)) } ?? (cookie, "")
    guard let attempt = SignOnAttempt(text: text, now: clock.now()),
      SecretComparison.areEqual(query.first("state") ?? "", attempt.state),
      query.first("iss").map({ $0.isEqual(bytesOf: client.settings.issuer) }) ?? true
    else {
      return refuse(request, Wording.theCallbackBelongsToNoLogIn, as: "")
    }
    if let seconds = limits.wait(of: request.address, now: clock.now()) {
      return page(429, Wording.tooManyFailedLogIns((seconds + 59) / 60), request)
        .with("Retry-After", String(seconds))
    }
    guard limits.use(attempt, now: clock.now()) else {
      return refuse(request, Wording.thisLogInWasUsedAlready, as: "")
    }
    if let error = query.first("error") {
      limits.note(request.address, hasFailed: true, now: clock.now())
      let code = MessageText.printable(String(String.UnicodeScalarView(error.unicodeScalars.prefix(64))))
      return refuse(request, Wording.providerHasRefused(client.settings.host, code), as: "")
    }
    let wanted = PagePath.afterLogIn(next) ?? "/"
    let reply = await exchange(query.first("code") ?? "", attempt, request, leadingTo: wanted)
    if reply.status != 503 {
      limits.note(request.address, hasFailed: reply.status != 303, now: clock.now())
    }
    return reply
  }

  /// Has the provider tell for whom the code is, and logs this person in.
  private func exchange(
    _ code: String,
    _ attempt: SignOnAttempt,
    _ request: HTTPRequest,
    leadingTo wanted: String
  ) async -> HTTPReply {
    do {
      let identity = try await client.identity(
        code: code,
        attempt,
        redirect: request.site.url(Self.callback)
      )
      return try await directory.enter(identity) { try await enter(identity, request, leadingTo: wanted) }
        ?? .noPlace
    } catch let error as SignOnError {
      return failure(error, request)
    } catch let error as StoreError {
      return PageReply.text(503, error.clientMessage)
    } catch {
      return PageReply.text(500, Wording.newsdCouldNotLogYouIn)
    }
  }

  /// Logs the identity in, and ends the browser's former session.
  private func enter(
    _ identity: ProviderIdentity,
    _ request: HTTPRequest,
    leadingTo wanted: String
  ) async throws -> HTTPReply {
    switch try await directory.login(of: identity) {
    case .refused(let reason):
      return refuse(request, reason, as: OpenIDClient.shown(identity))
    case .unavailable:
      return page(503, Wording.notAllAccountsAreOpen, request).with("Retry-After", "10")
    case .granted(let login):
      if let former = request.sessionCookie { await directory.endSession(cookie: former) }
      let (_, cookie) = try await login.openSession(
        by: .oidc,
        address: request.address,
        agent: request.fields.first("User-Agent") ?? ""
      )
      return PageReply.redirect(to: wanted, on: request.site)
        .with("Set-Cookie", request.site.sessionCookie(cookie))
    }
  }

  private func farewell(_ request: HTTPRequest) -> HTTPReply {
    let address = client.logOut(returningTo: request.site.url("/login"))
    return PageReply.gate(Wording.loggedOut, request.site, times()) { html in
      html.element("p", text: Wording.loggedOutButNotOf(client.settings.host))
      html.element("p") { html in
        if let address {
          html.element(
            "a",
            .class("button"),
            .href(outside: address),
            text: Wording.logOutOf(client.settings.host)
          )
        }
        html.element("a", .href("/login"), text: Wording.logInAgain)
      }
    }
  }

  // MARK: Failures

  private func failure(_ error: SignOnError, _ request: HTTPRequest) -> HTTPReply {
    switch error {
    case .refused(let reason): return refuse(request, reason, as: "")
    case .busy:
      return page(503, Wording.tooManyLogInsWait(client.settings.host), request)
        .with("Retry-After", "5")
    case .unreachable(let reason):
      let problem = Wording.theProviderCannotBeAsked
      failed("\(problem): \(reason)")
      return page(502, Wording.theLogInWithFailed(client.settings.host, problem), request)
    case .provider(let reason):
      failed(reason)
      return page(502, Wording.theLogInWithFailed(client.settings.host, reason), request)
    }
  }

  private func refuse(_ request: HTTPRequest, _ reason: String, as user: String) -> HTTPReply {
    refused(LoginRefusal(user: user.isEmpty ? "unknown" : user, address: request.address, reason: reason))
    return page(403, Wording.theLogInIsRefused(reason), request)
  }

  private func page(_ status: Int, _ text: String, _ request: HTTPRequest) -> HTTPReply {
    PageReply.gate(Wording.logIn, request.site, times(), status: status) { html in
      html.element("div", .class("note failure"), .value("role", "alert")) { html in
        html.element("p", text: text)
      }
      html.element("p", text: Wording.ifItFailsAgain)
      html.element("p") { html in html.element("a", .href("/login"), text: Wording.logInAgain) }
    }
  }
}
