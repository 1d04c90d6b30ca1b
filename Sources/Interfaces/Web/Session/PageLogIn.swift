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
