import NewsHTTP
import NewsCore
import Synchronization
import Testing

@testable import NewsHTTP

@Suite struct `Web server with app passwords` {
  private static let routes = [
    WebRoute(
      api: "size",
      path: ["size"],
      methods: [.get, .post],
      bodyLimit: 1000,
      access: .appPassword(),
      handler: Handler { request in
        .text(200, "\(request.app?.name ?? "none") \(String(decoding: request.body, as: UTF8.self))")
      }
    )
  ]
  private static let right = "Host: localhost\r\nAuthorization: Bearer right\r\n"

  private func withServer(_ body: (RawClient) async throws -> Void) async throws {
    let server = try makeServer(Self.routes, account: OneApp())
    let client = try RawClient(port: #require(server.port))
    try await body(client)
    await server.stop(within: .seconds(5))
  }

  @Test(arguments: [
    "POST /size HTTP/1.1\r\n\(right)Content-Length: 4\r\n\r\nbody",
    "POST /size HTTP/1.1\r\n\(right)Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n",
  ])
  func `The body of a request with the right password reaches the handler`(request: String) async throws {
    try await withServer { (client) async throws in
      for _ in 1...2 {
        let answer = try await client.ask(request)
        #expect(answer.status == 200)
        #expect(answer.text == "test body")
      }
    }
  }

  @Test func `A request without a body is answered only if its password is right`() async throws {
    try await withServer { (client) async throws in
      #expect(try await client.ask("GET /size HTTP/1.1\r\n\(Self.right)\r\n").text == "test ")
      let empty = "POST /size HTTP/1.1\r\n\(Self.right)Content-Length: 0\r\n\r\n"
      #expect(try await client.ask(empty).text == "test ")
      let wrong = Self.right.replacing("Bearer right", with: "Bearer wrong")
      #expect(try await client.ask("GET /size HTTP/1.1\r\n\(wrong)\r\n").status == 401)
    }
  }

  @Test(arguments: ["", "Authorization: Bearer wrong\r\n", "Authorization: Basic %\r\n"])
  func `A wrong or missing password is refused before the body is read`(field: String) async throws {
    try await withServer { (client) async throws in
      let head = "POST /size HTTP/1.1\r\nHost: localhost\r\n\(field)Content-Length: 500\r\n\r\n"
      let answer = try await client.ask(head)
      #expect(answer.status == 401)
      #expect(answer.fields.first("WWW-Authenticate")?.hasPrefix("Basic") == true)
    }
  }
}

@Suite struct `The account that a proxy names` {
  private func user(_ values: [String], from peer: String?) throws -> ProxyUser {
    let rule = ProxyUserRule(field: "Remote-User", proxies: [try #require(IPNetwork("10.0.0.0/8"))])
    let fields = HTTPFields(
      values.map { (name: "remote-user", value: $0) } + [(name: "Remote-User2", value: "x")]
    )
    return rule.user(in: fields, peer: try peer.map { try #require(IPAddress($0)) })
  }

  @Test func `It counts from a named proxy and from a unix socket, if it is one name`() throws {
    for peer in ["10.1.2.3", "::ffff:10.1.2.3", nil] {
      #expect(try user([" anna\t"], from: peer) == .name("anna"))
      #expect(try user([], from: peer) == .absent)
      for values in [
        [""], [" "], ["anna", "anna"], ["", "anna"], ["a:b"], [String(repeating: "a", count: 101)],
      ] {
        #expect(try user(values, from: peer) == .invalid, "\(values)")
      }
    }
    for peer in ["127.0.0.1", "192.0.2.1", "::1"] {
      #expect(try user(["anna"], from: peer) == .untrusted)
      #expect(try user([""], from: peer) == .untrusted)
      #expect(try user([], from: peer) == .absent)
    }
  }
}

/// An account with the app password `right`, until it is revoked.
final class OneApp: WebAccount {
  let user = "newsd"
  private let state = Mutex((isRevoked: false, checks: 0, addresses: [String?]()))
  /// The number of times that a password was checked.
  var checks: Int { state.withLock { $0.checks } }
  /// The addresses that wrong passwords were to be counted for.
  var addresses: [String?] { state.withLock { $0.addresses } }
  func revoke() { state.withLock { $0.isRevoked = true } }
  /// Holds back the answers of checks until it is opened.
  private let gate: Gate?
  private let app = AppPassword(id: 1, name: "test", made: Timestamp(seconds: 0))

  init(gate: Gate? = nil) { self.gate = gate }

  func app(user: String?, password: String, address: String?) async throws(StoreError) -> LoginOutcome<
    AppPassword
  > {
    // Let other tasks run before the answer, as a store may.
    await Task.yield()
    await gate?.pass()
    return state.withLock { state in
      state.checks += 1
      state.addresses.append(address)
      return password == "right" && !state.isRevoked ? .granted(app) : .refused
    }
  }
  func app(feverKey: String, address: String?) async throws(StoreError) -> LoginOutcome<AppPassword> {
    .refused
  }
  func app(authToken: String) async throws(StoreError) -> AppPassword? { nil }
  func app(actionToken: String) async throws(StoreError) -> AppPassword? { nil }
  func authToken(of app: AppPassword) async throws(StoreError) -> String { "" }
  func actionToken(of app: AppPassword) async throws(StoreError) -> String { "" }
  func apps() async throws(StoreError) -> [AppPassword] { [app] }
  func addApp(named name: String) async throws(StoreError) -> (app: AppPassword, password: String)? { nil }
  func removeApp(named name: String) async throws(StoreError) -> Bool { false }
  func hasLoginPassword() async throws(StoreError) -> Bool { false }
  func logIn(
    user: String,
    password: String,
    address: String,
    agent: String
  ) async throws(StoreError) -> LoginOutcome<(session: WebSession, cookie: String)> { .refused }
  func session(cookie: String, address: String) async throws(StoreError) -> WebSession? { nil }
  func sessions() async throws(StoreError) -> [WebSession] { [] }
  func removeSession(_ id: Int64) async throws(StoreError) -> Bool { false }
}
