public import NewsCore
import NewsHTTP
import NewsToolbox
import Synchronization

/// The ways to log in to the page.
public struct PageLogIn: Sendable {
  public var ways: Set<LogInWay>
  /// The header field in which the reverse proxy names the account.
  public var field: String
  /// The host of the OpenID provider; nil: there is none.
  public var provider: String?
  /// Called for each refused log-in without a password.
  public var refused: @Sendable (LoginRefusal) -> Void

  public init(
    ways: Set<LogInWay> = [.password],
    field: String = "Remote-User",
    provider: String? = nil,
    refused: @escaping @Sendable (LoginRefusal) -> Void = { _ in }
  ) {
    self.ways = ways
    self.field = field
    self.provider = provider
    self.refused = refused
  }
}

/// The sessions that were opened for browsers which a reverse proxy names. A client that keeps no cookies gets the same
/// session again, so that its requests do not fill the store.
final class ProxySessions: Sendable {
  typealias Opening =
    @Sendable (_ address: String, _ agent: String) async throws(StoreError) -> (
      session: WebSession, cookie: String
    )

  private let open: Opening
  /// The cookie of each client, by address and User-Agent.
  private let cookies = Mutex<[[String]: String]>([:])
  private static let mostClients = 256

  init(_ open: @escaping Opening) { self.open = open }

  func session(for request: HTTPRequest, _ account: any WebAccount) async throws(StoreError) -> WebSession {
    let agent = request.fields.first("User-Agent") ?? ""
    let client = [request.address, agent]
    if let cookie = cookies.withLock({ $0[client] }),
      var session = try await account.session(cookie: cookie, address: request.address)
    {
      session.newCookie = cookie
      return session
    }
    let (opened, cookie) = try await open(request.address, agent)
    cookies.withLock { cookies in
      if cookies.count >= Self.mostClients { cookies = [:] }
      cookies[client] = cookie
    }
    var session = opened
    session.newCookie = cookie
    return session
  }
}

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
      return refuse(request, "\(logIn.field) counts only from web.trusted_proxies and unix sockets")
    case .invalid:
      return refuse(request, "\(logIn.field) must have one name")
    case .name(let name):
      guard name == account.user else {
        if let session { _ = try await account.removeSession(session.id) }
        return refuse(request, "\(logIn.field) names no account")
      }
      if session == nil, request.method == .get, let proxySessions {
        session = try await proxySessions.session(for: request, account)
      }
    }
    // The configuration may have changed since the log-in.
    if let session, logIn.ways.contains(session.way) { return .session(session) }
    if request.method == .post, request.path != ["login"] {
      return .refused(PageReply.text(403, "Log in first."))
    }
    return .stranger
  }

  private func refuse(_ request: HTTPRequest, _ reason: String) -> Admission {
    let named = request.fields.first(logIn.field) ?? ""
    let user = String(String.UnicodeScalarView(named.unicodeScalars.prefix(64)))
    logIn.refused(LoginRefusal(user: user, address: request.address, reason: reason))
    return .refused(PageReply.text(403, "Log-in refused: \(reason)."))
  }
}
