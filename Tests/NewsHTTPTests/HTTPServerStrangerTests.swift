import NewsHTTP
import NewsCore
import NewsToolbox
import TestSupport
import Testing

@testable import NewsHTTP

/// What clients can make the server hold and do before it knows them.
@Suite struct `Web server and strangers` {
  private static let large = 1 << 20
  private static let page = WebRoute(
    api: "page",
    path: ["page"],
    methods: [.get, .post],
    bodyLimit: large,
    readsForm: true,
    access: .head { request in
      switch request.fields.first("Cookie") {
      case "session": .session(session)
      case "key in body": .stranger
      default: .refused(.text(403, "Log in first.\n"))
      }
    },
    handler: Handler { .text(200, "\($0.session?.id ?? 0) \($0.body.count) \($0.form.pairs.count)") }
  )
  private static let session = WebSession(
    id: 7,
    made: Timestamp(seconds: 0),
    lastSeen: Timestamp(seconds: 0),
    agent: "",
    address: ""
  )

  private static func post(_ fields: String, length: Int) -> String {
    "POST /page HTTP/1.1\r\nHost: localhost\r\n\(fields)Content-Length: \(length)\r\n\r\n"
  }

  private func withServer(
    _ routes: [WebRoute] = [page],
    _ change: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (HTTPServer, UInt16) async throws -> Void
  ) async throws {
    let server = try makeServer(routes, change)
    try await body(server, try #require(server.port))
    await server.stop(within: .seconds(5))
  }

  @Test func `A refused stranger's body is not read`() async throws {
    try await withServer { server, port in
      let client = try RawClient(port: port)
      let answer = try await client.ask(Self.post("", length: Self.large))
      #expect(answer.status == 403)
      #expect(server.core.incoming.received == 0)
    }
  }

  @Test(arguments: [
    ("known by its session", "session", large, 200), ("unknown, short", "key in body", 64 << 10, 200),
    ("unknown, long", "key in body", (64 << 10) + 1, 413),
  ])
  func `An unknown client may send 64 KiB, a known one what the route allows`(
    name: String,
    cookie: String,
    length: Int,
    status: Int
  ) async throws {
    try await withServer { server, port in
      let client = try RawClient(port: port)
      client.send(Self.post("Cookie: \(cookie)\r\nContent-Type: text/plain\r\n", length: length))
      if status == 200 { client.send([UInt8](repeating: 7, count: length)) }
      #expect(try await client.answer().status == status)
      #expect(server.core.incoming.received == (status == 200 ? length : 0))
    }
  }

  @Test func `A chunked body of an unknown client ends at 64 KiB`() async throws {
    try await withServer { server, port in
      let client = try RawClient(port: port)
      let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
      client.send(
        "POST /page HTTP/1.1\r\nHost: localhost\r\nCookie: key in body\r\nTransfer-Encoding: chunked\r\n\r\n"
          + chunk + chunk + chunk + "0\r\n\r\n"
      )
      #expect(try await client.answer().status == 413)
      #expect(server.core.incoming.received <= WebRoute.strangersBody)
    }
  }

  @Test(arguments: [
    ("20,000 fields", "application/x-www-form-urlencoded", String(repeating: "a&", count: 19_999) + "a", 200),
    ("20,001 fields", "application/x-www-form-urlencoded", String(repeating: "a&", count: 20_000) + "a", 400),
    (
      "a boundary of 70 bytes", "multipart/form-data; boundary=" + String(repeating: "-", count: 70), "--",
      200
    ),
    (
      "a boundary of 71 bytes", "multipart/form-data; boundary=" + String(repeating: "-", count: 71), "--",
      400
    ),
    ("an empty boundary", "multipart/form-data; boundary=", "--", 400),
    (
      "1,001 parts", "multipart/form-data; boundary=b", String(repeating: "--b\r\n\r\n\r\n", count: 1002), 400
    ),
  ])
  func `A form has limits on fields, parts and boundary`(
    name: String,
    type: String,
    body: String,
    status: Int
  ) async throws {
    try await withServer { _, port in
      let fields = "Cookie: session\r\nContent-Type: \(type)\r\n"
      let client = try RawClient(port: port)
      #expect(try await client.ask(Self.post(fields, length: body.utf8.count) + body).status == status)
    }
  }

  @Test func `Bodies from one address have a limit together, which one body of a known client may exceed`()
    throws
  {
    let bytes = IncomingBytes(limit: 64 << 20, ofAddress: 4 << 20)
    let mebibyte = 1 << 20
    #expect(bytes.add(4 * mebibyte, to: 0, from: "192.0.2.1", isKnown: false))
    #expect(!bytes.add(1, to: 0, from: "192.0.2.1", isKnown: false))
    // An upload of a known client does not stop log-ins from its address, nor the reverse.
    #expect(bytes.add(5 * mebibyte, to: 0, from: "192.0.2.1", isKnown: true))
    #expect(bytes.add(100, to: 0, from: "192.0.2.2", isKnown: false))
    #expect(bytes.add(30 * mebibyte, to: 0, from: "192.0.2.2", isKnown: true))
    #expect(!bytes.add(mebibyte, to: 0, from: "192.0.2.2", isKnown: true))
    // Beside a large body, a small one is accepted, and so are further bytes of the large one.
    #expect(bytes.add(100, to: 0, from: "192.0.2.2", isKnown: true))
    #expect(bytes.add(mebibyte, to: 30 * mebibyte, from: "192.0.2.2", isKnown: true))
    bytes.remove(100, from: "192.0.2.2", isKnown: true)
    #expect(!bytes.add(5 * mebibyte, to: 0, from: "192.0.2.3", isKnown: false))
    bytes.remove(4 * mebibyte, from: "192.0.2.1", isKnown: false)
    #expect(bytes.add(1, to: 0, from: "192.0.2.1", isKnown: false))
    // IPv6 clients of one network share the limit.
    #expect(bytes.add(4 * mebibyte, to: 0, from: "2001:db8::1", isKnown: false))
    #expect(!bytes.add(1, to: 0, from: "2001:db8::2", isKnown: false))
  }

  @Test func `Bodies on an open route count for their address`() async throws {
    let open = WebRoute(
      api: "open",
      path: ["page"],
      methods: [.post],
      bodyLimit: WebRoute.strangersBody,
      handler: Handler { .text(200, "\($0.body.count)") }
    )
    try await withServer([open]) {
      $0.incomingBytesOfAddress = 150
    } _: { server, port in
      let (first, second) = (try RawClient(port: port), try RawClient(port: port))
      let text = String(repeating: "x", count: 100)
      first.send(Self.post("", length: 101) + text)
      try await eventually { server.core.incoming.received == 100 }
      #expect(try await second.ask(Self.post("", length: 100) + text).status == 503)
      first.send("x")
      #expect(try await first.answer().text == "101")
      try await eventually {
        try await RawClient(port: port).ask(Self.post("", length: 100) + text).text == "100"
      }
    }
  }

  @Test func `Large bodies of one account leave room for those of others, except one that is alone`() {
    let bytes = IncomingBytes(limit: 64 << 20, ofAddress: 64 << 20)
    func add(_ mebibytes: Int, to held: Int = 0, from address: String, of account: String) -> Bool {
      bytes.add(mebibytes << 20, to: held << 20, from: address, isKnown: true, account: account)
    }
    #expect(add(20, from: "192.0.2.1", of: "eve"))
    #expect(!add(9, from: "192.0.2.2", of: "eve"))
    #expect(add(8, from: "192.0.2.2", of: "eve"))
    #expect(!add(1, to: 20, from: "192.0.2.1", of: "eve"))
    // A small body does not count, and others have the rest.
    #expect(bytes.add(64 << 10, to: 0, from: "192.0.2.3", isKnown: true, account: "eve"))
    #expect(add(27, from: "192.0.2.2", of: "anna"))
    for (mebibytes, host, account) in [(27, 2, "anna"), (20, 1, "eve"), (8, 2, "eve")] {
      bytes.remove(mebibytes << 20, from: "192.0.2.\(host)", isKnown: true, account: account)
    }
    #expect(add(48, from: "192.0.2.1", of: "eve"))
    #expect(!add(1, from: "192.0.2.2", of: "eve"))
    #expect(add(7, from: "192.0.2.2", of: "anna"))
  }

  @Test func `Large bodies leave room for small ones`() {
    let bytes = IncomingBytes(limit: 64 << 20, ofAddress: 64 << 20)
    #expect(bytes.add(56 << 20, to: 0, from: "192.0.2.1", isKnown: true))
    #expect(!bytes.add(1 << 20, to: 0, from: "192.0.2.2", isKnown: true))
    #expect(bytes.add(64 << 10, to: 0, from: "192.0.2.2", isKnown: false))
  }

  @Test func `A head whose body does not begin is ended after the time for a head`() async throws {
    try await withServer { server, port in
      let silent = try RawClient(port: port)
      silent.send(Self.post("Cookie: session\r\n", length: 10))
      let slow = try RawClient(port: port)
      slow.send(Self.post("Cookie: session\r\n", length: 10) + "x")
      try await eventually { server.core.incoming.received == 1 }
      try await eventually {
        server.closeOverdue(now: Monotonic.now() + ConnectionDeadlines.headTime + 1)
        return silent.isEnded
      }
      #expect(!slow.isEnded)
    }
  }

  @Test(arguments: [
    ("Content-Length:\r\n 45", "length"), ("Content-Length: 4\r\n 5", "length"),
    ("Content-Length:", "length"),
    ("Transfer-Encoding:\r\n chunked", "coding"), ("Transfer-Encoding:", "coding"),
    ("X: a\r\n\tb\r\nContent-Length: 45", "another field"),
  ])
  func `A folded field or an empty framing field is refused, and the body is no request`(
    field: String,
    name: String
  )
    async throws
  {
    try await withServer { _, port in
      let client = try RawClient(port: port)
      client.send(
        "POST /page HTTP/1.1\r\nHost: localhost\r\nCookie: session\r\n\(field)\r\n\r\n"
          + "GET /page HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"
      )
      let text = await client.rest()
      #expect(text.split(separator: "HTTP/1.1 ").allSatisfy { $0.hasPrefix("400 ") }, "\(text)")
    }
  }

  @Test func `The connections of an address are limited, except of this machine and of trusted proxies`()
    throws
  {
    var configuration = HTTPServerConfiguration()
    configuration.connectionsOfAddress = 2
    configuration.trustedProxies = ["198.51.100.1"]
    let core = ServerCore(
      configuration,
      routes: WebRouter([]),
      account: nil,
      observer: nil,
      hosts: HostRule()
    )
    for text in ["192.0.2.1", "127.0.0.1", "198.51.100.1"] {
      let peer = try #require(IPAddress(text))
      for _ in 1...2 { #expect(core.reserve() && core.admits(peer)) }
      #expect(core.admits(peer) == (text != "192.0.2.1"))
      core.disconnected(1, from: peer)
      #expect(core.connectionCount == 1)
      #expect(core.admits(peer))
      core.release()
    }
    #expect(core.admits(nil))
  }

  @Test func `The requests of a client behind a proxy are limited, and others are answered`() async throws {
    let gate = Gate()
    let route = WebRoute(
      api: "slow",
      path: [],
      handler: Handler { _ in
        await gate.pass()
        return .text(200, "late")
      }
    )
    try await withServer([route]) {
      $0.requestsOfAddress = 2
    } _: { _, port in
      func get(_ address: String) -> String {
        "GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(address)\r\n\r\n"
      }
      let clients = try (0..<4).map { _ in try RawClient(port: port) }
      for client in clients[..<2] { client.send(get("192.0.2.1")) }
      try await eventually { gate.arrived == 2 }
      #expect(try await clients[2].ask(get("192.0.2.1")).status == 503)
      clients[3].send(get("192.0.2.2"))
      try await eventually { gate.arrived == 3 }
      gate.open()
      for index in [0, 1, 3] { #expect(try await clients[index].answer().text == "late") }
      // The places are free again.
      #expect(try await clients[2].ask(get("192.0.2.1")).status == 200)
    }
  }
}

/// Requests that pages of other sites make with the visitor's browser.
@Suite struct `Web server and foreign origins` {
  private static let routes: [WebRoute] = [
    ("page", WebRoute.Access.head { _ in .stranger }, ForeignOrigins.refused),
    ("token", .head { _ in .stranger }, .withToken), ("app", .appPassword(), .withToken),
    ("field", .appPassword(field: "X-Auth-Token"), .withToken), ("key", .open, .accepted),
  ]
  .map { name, access, foreign in
    WebRoute(
      api: name,
      path: [name],
      methods: [.get, .post],
      bodyLimit: 100,
      access: access,
      foreign: foreign,
      handler: Handler { _ in .text(200, "done") }
    )
  }

  @Test(arguments: [
    ("page", "", 403), ("page", "Authorization: Bearer right", 403), ("token", "", 403),
    ("token", "Authorization: GoogleLogin auth=x", 200), ("token", "X-Auth-Token: right", 403),
    ("app", "Authorization: Basic bmV3c2Q6cmlnaHQ=", 403), ("app", "Authorization: Bearer right", 200),
    ("app", "X-Auth-Token: right\r\nAuthorization: Basic bmV3c2Q6cmlnaHQ=", 403),
    ("field", "X-Auth-Token: right", 200), ("field", "Authorization: Basic bmV3c2Q6cmlnaHQ=", 403),
    ("field", "X-Auth-Token:\r\nAuthorization: Basic bmV3c2Q6cmlnaHQ=", 403), ("key", "", 200),
  ])
  func `A foreign origin may write only with a token, and reads are answered`(
    path: String,
    field: String,
    status: Int
  ) async throws {
    let server = try makeServer(Self.routes, account: OneApp())
    let client = try RawClient(port: #require(server.port))
    let own = field.isEmpty ? "" : field + "\r\n"
    for origin in [
      "Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Site: same-site",
    ] {
      let head = "/\(path) HTTP/1.1\r\nHost: localhost\r\n\(own)\(origin)\r\n"
      #expect(try await client.ask("POST \(head)Content-Length: 0\r\n\r\n").status == status, "\(origin)")
    }
    // The page's own requests.
    if path == "page" {
      let head = "POST /page HTTP/1.1\r\nHost: localhost:8788\r\nOrigin: http://localhost:8788\r\n"
      #expect(
        try await client.ask(head + "Sec-Fetch-Site: same-origin\r\nContent-Length: 0\r\n\r\n").status == 200
      )
      let read = "GET /page HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n"
      #expect(try await client.ask(read).status == 200)
    }
    await server.stop(within: .seconds(5))
  }

  @Test func `A wrong password that a page of another site sends counts for no address`() async throws {
    let account = OneApp()
    let server = try makeServer(Self.routes, account: account)
    let client = try RawClient(port: #require(server.port))
    let head = "GET /app HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic bmV3c2Q6d3Jvbmc=\r\n"
    for origin in ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: none"] {
      #expect(try await client.ask(head + origin + "\r\n\r\n").status == 401)
    }
    #expect(account.addresses == [nil, nil, "127.0.0.1"])
    await server.stop(within: .seconds(5))
  }

  @Test(arguments: [
    ("localhost:8788", "http://localhost:8788", 200), ("localhost:8788", "https://LOCALHOST:8788", 200),
    ("localhost", "http://localhost:80", 200), ("localhost:443", "https://localhost", 200),
    ("[::1]:8788", "http://[::1]:8788", 200), ("[::1]", "http://[::1]", 200),
    ("localhost:8788", "http://localhost:8788:80", 403),
    ("localhost:8788", "https://localhost:8788:443", 403),
    ("localhost:8788", "http://localhost:80:8788", 403), ("localhost", "http://localhost:80:80", 403),
    ("localhost", "http://localhost:443", 403), ("localhost", "http://localhost:", 403),
    ("localhost", "http://localhost/", 403), ("localhost", "http://a@localhost", 403),
    ("localhost", "localhost", 403),
    ("localhost", "http://localhost http://evil.example", 403), ("localhost", "http://", 403),
    ("localhost", "", 403), ("[::1]", "http://[::1]:8788:80", 403),
    ("[::1]:8788", "http://[::1]:8788:80", 403),
  ])
  func `An origin that is not newsd's own, or is malformed, is foreign`(
    host: String,
    origin: String,
    status: Int
  ) async throws {
    let server = try makeServer(Self.routes, account: OneApp())
    let client = try RawClient(port: #require(server.port))
    let head = "POST /page HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\nContent-Length: 0\r\n\r\n"
    #expect(try await client.ask(head).status == status)
    await server.stop(within: .seconds(5))
  }

  @Test func `A client is not ended while the store checks its password`() async throws {
    let gate = Gate()
    let server = try makeServer(Self.routes, account: OneApp(gate: gate))
    let client = try RawClient(port: #require(server.port))
    client.send(
      "POST /app HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\nContent-Length: 4\r\n\r\nbody"
    )
    try await eventually { gate.arrived == 1 }
    server.closeOverdue(now: Monotonic.now() + ConnectionDeadlines.bodyTime + 1)
    gate.open()
    #expect(try await client.answer().status == 200)
    await server.stop(within: .seconds(5))
  }

  @Test func `A password that is revoked during a slow body is refused`() async throws {
    let account = OneApp()
    let server = try makeServer(Self.routes, account: account)
    let client = try RawClient(port: #require(server.port))
    let head =
      "POST /app HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\nContent-Length: 4\r\n\r\n"
    client.send(head + "bo")
    try await eventually { account.checks == 1 }
    account.revoke()
    // After a second, the answer needs another check.
    let revoked = ContinuousClock.now
    try await eventually { ContinuousClock.now > revoked + .milliseconds(1100) }
    client.send("dy")
    #expect(try await client.answer().status == 401)
    #expect(account.checks == 2)
    await server.stop(within: .seconds(5))
  }

  @Test(arguments: [
    ("a picture", "Sec-Fetch-Dest: image\r\nSec-Fetch-Site: same-origin", 403),
    ("a picture of a site that is not secure", "Accept: image/avif,*/*", 403),
    (
      "a request in the background",
      "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors", 403
    ),
    ("a link", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate", 200),
    (
      "the page's script", "Sec-Fetch-Dest: empty\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors", 200
    ),
    ("a program", "Accept: */*", 200),
  ])
  func `Browsers read an address as a document or by its own page, and are asked for no password otherwise`(
    name: String,
    fields: String,
    status: Int
  ) async throws {
    let server = try makeServer(Self.routes, account: OneApp())
    let client = try RawClient(port: #require(server.port))
    let head = "GET /app HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    let answer = try await client.ask(head + "Authorization: Basic bmV3c2Q6cmlnaHQ=\r\n\r\n")
    #expect(answer.status == status)
    let refused = try await client.ask(head + "\r\n")
    #expect(refused.status == (status == 200 ? 401 : 403))
    #expect((refused.fields.first("WWW-Authenticate") != nil) == (status == 200))
    await server.stop(within: .seconds(5))
  }

  @Test(arguments: [
    (
      "a page at another port of the host",
      "Sec-Fetch-Dest: empty\r\nSec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors", 403
    ),
    ("a page of another site in an old browser", "Origin: https://other.example", 403),
    (
      "newsd's own page", "Sec-Fetch-Dest: empty\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors", 200
    ),
    ("a link", "Sec-Fetch-Dest: document\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate", 200),
  ])
  func `Only newsd's own page fetches pages with the visitor's session`(
    name: String,
    fields: String,
    status: Int
  ) async throws {
    let server = try makeServer(Self.routes, account: OneApp())
    let client = try RawClient(port: #require(server.port))
    let answer = try await client.ask("GET /page HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n")
    #expect(answer.status == status)
    await server.stop(within: .seconds(5))
  }

  @Test func `An endless stream ends when its app password is revoked`() async throws {
    let account = OneApp()
    let route = WebRoute(
      api: "follow",
      path: [],
      access: .appPassword(),
      handler: Handler { _ in HTTPReply(status: 200, body: .stream(Ticks())) }
    )
    let server = try makeServer([route], account: account) { $0.watchPeriod = .zero }
    let client = try RawClient(port: #require(server.port))
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n\r\n")
    try await eventually { account.checks > 2 }
    account.revoke()
    #expect(await client.rest().hasPrefix("HTTP/1.1 200 "))
    await server.stop(within: .seconds(5))
  }
}

/// An endless stream with an event every few milliseconds.
private struct Ticks: HTTPBodyStream {
  var isEndless: Bool { true }
  func next() async throws -> [UInt8]? {
    try await Task.sleep(for: .milliseconds(2))
    return Array(":\n\n".utf8)
  }
}
