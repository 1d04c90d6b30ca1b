import Modules
import NewsHTTP
import NewsCore

// MARK: - Log in and out

extension WebPage {
  /// Finds the session of a request, by its cookie and by the account that a reverse proxy names. A GET that names the account
  /// opens one, with a cookie, so that forms and requests from other sites are checked as after any other log-in.
  func admit(_ request: HTTPRequest) async throws(StoreError) -> Admission {
    var session: WebSession?
    if let cookie = request.sessionCookie {
      session = try await account.session(cookie: cookie, address: request.address)
    }
    switch request.proxyUser {
    case .absent:
      // A session that the proxy's word has opened does not last without it.
      if session?.way == .header { session = nil }
    case .untrusted:
      return refuse(request, Wording.countsOnlyFromTrustedProxies(logIn.field))
    case .invalid:
      return refuse(request, Wording.mustHaveOneName(logIn.field))
    case .name(let name):
      guard name.utf8.elementsEqual(account.user.utf8) else {
        if let session { _ = try await account.removeSession(session.id) }
        return refuse(request, Wording.namesNoAccount(logIn.field))
      }
      if session == nil, request.method == .get, let proxySessions {
        session = try await proxySessions.session(for: request, account)
      }
    }
    // The configuration may have changed since the log-in.
    if let session, logIn.ways.contains(session.way) { return .session(session) }
    if request.method == .post, request.path != ["login"] {
      return .refused(PageReply.text(403, Wording.logInFirst))
    }
    return .stranger
  }

  private func refuse(_ request: HTTPRequest, _ reason: String) -> Admission {
    let named = request.fields.first(logIn.field) ?? ""
    let user = String(String.UnicodeScalarView(named.unicodeScalars.prefix(64)))
    logIn.refused(LoginRefusal(user: user, address: request.address, reason: reason))
    return .refused(PageReply.text(403, Wording.logInRefused(reason)))
  }

  func showLogIn(
    _ request: HTTPRequest,
    status: Int = 200,
    problem: String? = nil,
    waiting seconds: Int? = nil
  ) async throws -> HTTPReply {
    let hasPassword = try await account.hasLoginPassword()
    var context = PageContext(site: request.site, session: nil, times: modules.times)
    context.ownStyle = files.ownStyle?.path
    let view = LogInView(
      problem: problem,
      name: request.form.first("name"),
      hasPassword: hasPassword,
      logIn: logIn,
      next: PagePath.afterLogIn(request.form.first("to") ?? request.query.first("to"))
    )
    let bytes = PageFrame(title: Wording.logIn).renderGate(context) { view.render(into: &$0) }
    let reply = PageReply.html(bytes, status: status)
    return seconds.map { reply.with("Retry-After", String($0)) } ?? reply
  }

  /// Returns the page to show after a log-in: the wanted page of newsd, else the start page. Another site can name it in a link to
  /// the log-in, so it is only shown, as after any other link.
  func pageAfterLogIn(_ wanted: String?) async -> String {
    if let page = PagePath.afterLogIn(wanted) { return page }
    return await startPage()
  }

  /// Logs in and ends the browser's former session, so that its cookie becomes invalid.
  func enter(_ request: HTTPRequest) async throws -> HTTPReply {
    guard logIn.ways.contains(.password) else {
      return PageReply.text(403, Wording.noLogInWithAPassword)
    }
    // The next request would end the session of another account.
    if let name = request.proxyUser.name {
      return PageReply.text(403, Wording.theReverseProxyLogsIn(name))
    }
    guard try await account.hasLoginPassword() else { return try await showLogIn(request, status: 403) }
    let outcome = try await account.logIn(
      user: request.form.first("name") ?? "",
      password: request.form.first("password") ?? "",
      address: request.address,
      agent: request.fields.first("User-Agent") ?? ""
    )
    switch outcome {
    case .granted(let (_, cookie)):
      if let former = request.session { _ = try await account.removeSession(former.id) }
      return PageReply.redirect(to: await pageAfterLogIn(request.form.first("to")), on: request.site)
        .with("Set-Cookie", request.site.sessionCookie(cookie))
    case .refused:
      return try await showLogIn(request, status: 403, problem: Wording.nameOrPasswordIsWrong)
    case .blocked(let seconds):
      return try await showLogIn(
        request,
        status: 429,
        problem: Wording.tooManyWrongPasswords(max(1, (seconds + 59) / 60)),
        waiting: seconds
      )
    case .busy:
      return try await showLogIn(
        request,
        status: 503,
        problem: Wording.tooManyLogInsAtOnce,
        waiting: 2
      )
    }
  }

  func logOut(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    _ = try await account.removeSession(session.id)
    notices.forget(session.id)
    let reply: HTTPReply
    switch session.way {
    case .password: reply = PageReply.redirect(to: "/login", on: request.site)
    case .oidc: reply = PageReply.redirect(to: SignOnPage.farewell, on: request.site)
    case .header:
      let text = Wording.loggedOutButTheProxyLogsIn
      reply = PageReply.gate(Wording.loggedOut, request.site, modules.times) { html in
        html.element("p", text: text)
      }
    }
    return reply.with("Set-Cookie", request.site.sessionCookie(""))
  }
}

/// The form for name and password, or, if no login password is set, how to set one; and the link to the OpenID provider.
struct LogInView {
  var problem: String?
  /// The name that was typed before; nil: none.
  var name: String?
  let hasPassword: Bool
  let logIn: PageLogIn
  /// The page to show after the log-in; nil: the start page.
  var next: String?

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: "newsd")
    if logIn.ways.contains(.password) { password(&html) }
    // A link, because the policy of the page forbids a form that leads to another site.
    if let provider = logIn.provider {
      html.element("p") { html in
        let start = PagePath.logIn(SignOnPage.start, to: next)
        html.element("a", .class("button"), .href(start), text: Wording.logInWith(provider))
      }
    }
    if logIn.ways == [.header] {
      html.element("p", text: Wording.theReverseProxyNamesNoAccount(logIn.field))
    }
  }

  private func password(_ html: inout HTMLBuilder) {
    guard hasPassword else {
      html.element("p") { html in
        html.text(Wording.noLoginPasswordIsSet)
        html.element("a", .href("/setup"), text: Wording.setUpAddress)
        html.text(Wording.whereTheSetUpAddressIs)
      }
      html.element("pre", .class("code"), text: "newsd web password")
      return
    }
    if let problem {
      html.element("div", .class("note failure"), .value("role", "alert")) { html in
        html.element("p", text: problem)
      }
    }
    html.element("form", .value("method", "post"), .path("action", "/login")) { html in
      let hasName = name?.isEmpty == false
      if let next { FormView.hidden(&html, "to", next) }
      FormView.field(
        &html,
        Wording.name,
        name: "name",
        value: name,
        isRequired: true,
        complete: "username",
        hasFocus: !hasName
      )
      FormView.field(
        &html,
        Wording.password,
        name: "password",
        type: "password",
        isRequired: true,
        complete: "current-password",
        hasFocus: hasName
      )
      html.element("button", .class("main"), text: Wording.logIn)
    }
  }
}
