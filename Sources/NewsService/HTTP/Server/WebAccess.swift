public import NewsCore
import NewsToolbox

/// Finds out who sends a request, from its head.
struct WebAccess: Sendable {
  struct Credentials: Sendable {
    /// The user name; nil if the password was sent without one.
    var user: String?
    var password: String
  }

  /// Checks passwords; if nil, all passwords are refused.
  var account: (any WebAccount)?

  static let challenge = HTTPReply.text(
    401,
    "this address takes an app password (newsd web apps add NAME)\n"
  )
  .with("WWW-Authenticate", "Basic realm=\"newsd\", charset=\"UTF-8\"")

  /// Returns the credentials of a request; nil if it has none.
  static func credentials(_ fields: HTTPFields, field: String?) -> Credentials? {
    if let field, let password = fields.first(field), !password.isEmpty {
      return Credentials(password: password)
    }
    guard let (scheme, value) = fields.first("Authorization")?.trimmingBlanks.cut(atFirst: " ") else {
      return nil
    }
    let text = String(value.trimmingBlanks)
    if scheme.isEqual(ignoringASCIICase: "bearer") { return Credentials(password: text) }
    guard scheme.isEqual(ignoringASCIICase: "basic"), let decoded = decoded(text),
      let (user, password) = decoded.cut(atFirst: ":")
    else { return nil }
    return Credentials(user: String(user), password: String(password))
  }

  private static func decoded(_ base64: String) -> String? {
    base64.withBytes { bytes in
      guard let decoded = Base64.decode(bytes) else { return nil }
      return decoded.string()
    }
  }

  /// Returns the answer to a request that is refused without looking anything up.
  func refusal(of request: HTTPRequest, to route: WebRoute) -> HTTPReply? {
    // Without a challenge: for a picture, the browser would ask its user for a password.
    if route.refusesOrigin(of: request) {
      return .text(
        403,
        "newsd refuses this request, because it comes from a page of another site; newsd answers pages of "
          + "\(request.site.origin). If that is not the address in the browser, correct web.url in newsd's "
          + "configuration\n"
      )
    }
    if route.refusesPart(request) {
      return .text(403, "this address cannot be a picture or another part of a page\n")
    }
    guard case .appPassword(let field) = route.access else { return nil }
    return Self.credentials(request.fields, field: field) == nil ? Self.challenge : nil
  }

  func admission(of request: HTTPRequest, to route: WebRoute) async -> Admission {
    switch route.access {
    case .open: return .stranger
    case .head(let check): return await check(request)
    case .appPassword(let field):
      guard let credentials = Self.credentials(request.fields, field: field) else {
        return .refused(Self.challenge)
      }
      return await check(credentials, address: request.countedAddress)
    }
  }

  /// `address` is nil for credentials that do not count as a guess.
  private func check(_ credentials: Credentials, address: String?) async -> Admission {
    guard let account else { return .refused(Self.challenge) }
    do {
      switch try await account.app(user: credentials.user, password: credentials.password, address: address) {
      case .granted(let app): return .app(app)
      case .refused: return .refused(Self.challenge)
      case .blocked(let seconds):
        let reply = HTTPReply.text(429, "Too many wrong passwords. Try again in \(seconds) seconds.\n")
        return .refused(reply.with("Retry-After", "\(seconds)"))
      case .busy: return .refused(.unavailable)
      }
    } catch {
      return .refused(.text(503, error.clientMessage + "\n").with("Retry-After", "5"))
    }
  }

  /// True if the credentials of an admitted request are still valid, or if the store cannot tell.
  func isStillAdmitted(_ request: HTTPRequest, to route: WebRoute) async -> Bool {
    // The request has left its place. If the check needed one, taking all places would keep revoked credentials valid.
    var request = request
    request.place = RequestPlace(takesPlaces: false)
    return switch await admission(of: request, to: route) {
    case .app, .session: true
    case .stranger: false
    case .refused(let reply): reply.status >= 500
    }
  }
}

extension WebRoute {
  /// Checks a request's credentials as the server does, with the passwords of `account`.
  public func admission(of request: HTTPRequest, account: any WebAccount) async -> Admission {
    await WebAccess(account: account).admission(of: request, to: self)
  }
}
