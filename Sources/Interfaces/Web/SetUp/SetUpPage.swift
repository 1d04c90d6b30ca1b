public import NewsHTTP
public import Modules
public import NewsCore
import NewsToolbox

/// The page that sets the first login password. Its address has a token, which is checked before the body of a request
/// is read; the address of the form has it, too.
public struct SetUpPage: HTTPHandling {
  private let login: WebLogin
  private let times: @Sendable () -> TimeDisplay
  private let announce: @Sendable () async -> Void
  private let keepsHost: Bool
  private let isOfMany: Bool
  private let kept: @Sendable (_ host: String) -> Void

  /// `announce` writes the address with the valid token to the log, unless it was written before. With `keepsHost`, the
  /// host by which the page was reached is stored, and `kept` is called with it. With `isOfMany`, the page is of one of
  /// several accounts, and a wrong token learns nothing about them.
  public init(
    login: WebLogin,
    times: @escaping @Sendable () -> TimeDisplay,
    announce: @escaping @Sendable () async -> Void,
    keepsHost: Bool,
    isOfMany: Bool = false,
    kept: @escaping @Sendable (_ host: String) -> Void
  ) {
    self.login = login
    self.times = times
    self.announce = announce
    self.keepsHost = keepsHost
    self.isOfMany = isOfMany
    self.kept = kept
  }

  /// The path of the page with a token, which is hexadecimal.
  public static func path(_ token: SetUpToken) -> String { "/setup?token=\(token.text)" }

  /// The page's route. It is served at any host: only a holder of the token can use it.
  public var route: WebRoute {
    WebRoute(
      api: "page",
      path: ["setup"],
      isExact: true,
      methods: [.get, .post],
      bodyLimit: 8 << 10,
      readsForm: true,
      access: .head { await self.admission(of: $0) },
      acceptsAnyHost: true,
      owner: .session,
      handler: self
    )
  }

  private func admission(of request: HTTPRequest) async -> Admission {
    do {
      if try await login.admitsSetUp(token: request.query.first("token") ?? "") { return .stranger }
      let isSetUp = try await login.hasLoginPassword()
      if !isSetUp { await announce() }
      return .refused(refusal(request, isSetUp: isSetUp))
    } catch {
      return .refused(PageReply.text(503, error.clientMessage))
    }
  }

  public func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      guard request.method == .post else { return try await form(request) }
      return try await finish(request)
    } catch {
      return PageReply.text(503, error.clientMessage)
    }
  }

  private func finish(_ request: HTTPRequest) async throws(StoreError) -> HTTPReply {
    let password = request.form.first("password") ?? ""
    guard password == request.form.first("again") else {
      return try await form(request, problem: Wording.theTwoPasswordsDiffer)
    }
    // A proxy may pass another Host than the browser's, so newsd keeps what it receives.
    let host = keepsHost ? request.site.host : nil
    let outcome = try await login.finishSetUp(
      token: request.query.first("token") ?? "",
      user: request.form.first("name") ?? "",
      password: password,
      host: host
    )
    switch outcome {
    case .invalid(let problem): return try await form(request, problem: Wording.refused(problem))
    case .expired: return refusal(request, isSetUp: try await login.hasLoginPassword())
    case .done: break
    }
    if let host { kept(host) }
    let entry = try await login.logIn(
      user: login.user,
      password: password,
      address: request.address,
      agent: request.fields.first("User-Agent") ?? ""
    )
    guard case .granted(let (_, cookie)) = entry else {
      return PageReply.redirect(to: "/login", on: request.site)
    }
    return PageReply.redirect(to: "/unread", on: request.site)
      .with("Set-Cookie", request.site.sessionCookie(cookie))
  }

  private func form(_ request: HTTPRequest, problem: String? = nil) async throws(StoreError) -> HTTPReply {
    let asksName = try await login.asksName()
    let token = request.query.first("token") ?? ""
    return page(request, status: problem == nil ? 200 : 422) { html in
      html.element("p", text: Wording.setTheLoginPassword)
      if let problem {
        html.element("div", .class("note failure"), .value("role", "alert")) { html in
          html.element("p", text: problem)
        }
      }
      let action = "/setup?token=\(PagePath.segment(token))"
      html.element("form", .value("method", "post"), .path("action", action)) { html in
        if asksName {
          let name = request.form.first("name") ?? WebLogin.defaultUser
          FormView.field(
            &html,
            Wording.name,
            name: "name",
            value: name,
            isRequired: true,
            complete: "username"
          )
        } else {
          html.element("p", text: Wording.nameIs(login.user))
        }
        for (label, name) in [(Wording.password, "password"), (Wording.passwordAgain, "again")] {
          FormView.field(
            &html,
            label,
            name: name,
            type: "password",
            isRequired: true,
            complete: "new-password"
          )
        }
        html.element("button", .class("main"), text: Wording.setPassword)
      }
    }
  }

  private func refusal(_ request: HTTPRequest, isSetUp: Bool) -> HTTPReply {
    page(request, status: 403) { html in
      if isSetUp, !isOfMany {
        html.element("p", text: Wording.aLoginPasswordIsSetAlready)
        html.element("pre", .class("code"), text: "newsd web password")
        return
      }
      html.element(
        "p",
        text: Wording.theSetUpAddressIsNotValid
      )
    }
  }

  private func page(
    _ request: HTTPRequest,
    status: Int,
    content: (inout HTMLBuilder) -> Void
  ) -> HTTPReply {
    PageReply.gate(Wording.setUp, request.site, times(), status: status, content: content)
  }
}
