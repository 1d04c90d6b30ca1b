import NewsNetwork
import NewsHTTP
import Glibc
import NewsCore
import Synchronization
import Testing

@testable import NewsHTTP
@testable import NewsNetwork

@Suite struct `Web server` {
  private static let text = Handler { _ in .text(200, "hello") }
  private static let echo = Handler { request in
    let form = request.form.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    let files = request.files.map { "\($0.name):\($0.fileName):\($0.bytes.count)" }.joined(separator: "|")
    let path = request.path.joined(separator: "|")
    let query = request.query.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    return .text(
      200,
      "path=\(path) query=\(query) form=\(form) files=\(files) from=\(request.address) bytes=\(request.body.count)"
    )
  }
  private static let routes = [
    WebRoute(api: "text", path: ["text"], handler: text),
    WebRoute(api: "secret", path: ["secret"], access: .appPassword(field: nil), handler: text),
    WebRoute(api: "instant", path: ["instant"]) { _ in .text(200, "now") },
    WebRoute(
      api: "echo",
      path: ["echo"],
      methods: [.get, .post],
      bodyLimit: 1000,
      readsForm: true,
      handler: echo
    ),
    WebRoute(
      api: "stream",
      path: ["stream"],
      handler: Handler { _ in
        HTTPReply(
          status: 200,
          fields: HTTPFields([("Content-Type", "text/plain")]),
          body: .stream(Pieces(1000, "0123456789"))
        )
      }
    ),
    WebRoute(
      api: "tagged",
      path: ["tagged"],
      handler: Handler { _ in .text(200, String(repeating: "a", count: 5000)).with("ETag", "\"1\"") }
    ),
  ]

  private func withServer(
    _ change: (inout HTTPServerConfiguration) -> Void = { _ in },
    _ body: (HTTPServer, RawClient) async throws -> Void
  ) async throws {
    let server = try makeServer(Self.routes, change)
    let client = try RawClient(port: #require(server.port))
    try await body(server, client)
    await server.stop(within: .seconds(5))
  }

  @Test func `Requests on one connection are answered in order`() async throws {
    try await withServer { (_, client) async throws in
      let host = "Host: localhost\r\n\r\n"
      client.send(
        "GET /text HTTP/1.1\r\n\(host)GET /instant HTTP/1.1\r\n\(host)GET /none HTTP/1.1\r\n\(host)"
      )
      let first = try await client.answer()
      #expect(first.status == 200)
      #expect(first.text == "hello")
      #expect(first.fields.first("X-Content-Type-Options") == "nosniff")
      #expect(first.fields.first("Content-Security-Policy") != nil)
      #expect(try await client.answer().text == "now")
      #expect(try await client.answer().status == 404)
    }
  }

  @Test func `Methods that a route does not take get 405 and the list of those it takes`() async throws {
    try await withServer { (_, client) async throws in
      let answer = try await client.ask("DELETE /text HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(answer.status == 405)
      #expect(answer.fields.first("Allow") == "GET, HEAD, OPTIONS")
      let options = try await client.ask("OPTIONS /echo HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(options.status == 204)
      #expect(options.fields.first("Allow") == "GET, HEAD, POST, OPTIONS")
      #expect(options.fields.first("Access-Control-Allow-Methods") == nil)
    }
  }

  @Test(arguments: ["GET /none", "POST /instant", "GET /secret", "HEAD /none"])
  func `An error response closes the connection only if the request has a body`(_ request: String)
    async throws
  {
    try await withServer { (_, client) async throws in
      let host = "HTTP/1.1\r\nHost: localhost\r\n"
      client.send("\(request) \(host)\r\n")
      let answer = try await client.answer(toHead: request.hasPrefix("HEAD"))
      #expect(answer.status >= 400)
      #expect(answer.fields.first("Connection") == nil)
      #expect(try await client.ask("GET /text \(host)\r\n").text == "hello")
      client.send("\(request) \(host)Content-Length: 5\r\n\r\n")
      #expect(try await client.answer(toHead: request.hasPrefix("HEAD")).status >= 400)
      #expect(await client.rest().isEmpty)
    }
  }

  @Test func `Long assets are sent whole, to many clients at once`() async throws {
    let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let asset = StaticAsset(bytes)
    let route = WebRoute(api: "asset", path: ["asset"]) { _ in
      HTTPReply(status: 200, body: .asset(asset))
    }
    let server = try makeServer([route])
    let port = try #require(server.port)
    let request = "HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let client = try RawClient(port: port)
          for _ in 0..<3 { #expect(try await client.ask("GET /asset \(request)").body == bytes) }
          client.send("HEAD /asset \(request)")
          #expect(try await client.answer(toHead: true).fields.first("Content-Length") == "1048576")
        }
      }
      try await group.waitForAll()
    }
    await server.stop(within: .seconds(5))
  }

  @Test func `Each path segment and query value is percent-decoded once`() async throws {
    try await withServer { (_, client) async throws in
      let target = "/echo/feed%2F3/a+b/%E6%97%A5/?s=feed%2F1&s=a+b&empty&x=%00%zz"
      let answer = try await client.ask("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(answer.text.hasPrefix("path=echo|feed/3|a+b|日| query=s=feed/1|s=a b|empty=|x=\u{0}%zz form="))
    }
  }

  @Test(arguments: [
    ("localhost", 200), ("LOCALHOST:1", 200), ("127.0.0.1:8788", 200), ("[::1]", 200),
    ("example.org:443", 200), ("kept.example", 200),
    ("evil.example", 421), ("192.0.2.1", 421), ("localhost.evil.example", 421),
  ])
  func `Requests for a host that is neither loopback nor the configured one get 421`(
    host: String,
    status: Int
  ) async throws {
    try await withServer {
      $0.site = WebSite(isSecure: true, host: "example.org")
      $0.knownHosts.insert("Kept.example:8788")
      $0.misdirected = { .text(421, "unknown \($0), not \($1.sorted().joined(separator: ", "))") }
    } _: { (_, client) async throws in
      let answer = try await client.ask("GET /text HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(answer.status == status)
      #expect(
        status == 200
          || answer.text == "unknown \(host), not 127.0.0.1, ::1, example.org, kept.example, localhost"
      )
    }
    try await withServer {
      $0.site = WebSite(isSecure: true, host: "example.org")
      $0.knownHosts.insert("kept.example")
    } _: { (_, client) async throws in
      let answer = try await client.ask("GET http://\(host)/text HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(answer.status == status)
    }
  }

  @Test(arguments: ["/news/text", "/text"])
  func `Requests are served with and without the configured path prefix`(path: String) async throws {
    try await withServer {
      $0.site = WebSite(isSecure: true, host: "example.org", prefix: "/news")
    } _: { (_, client) async throws in
      #expect(try await client.ask("GET \(path) HTTP/1.1\r\nHost: example.org\r\n\r\n").text == "hello")
      #expect(try await client.ask("GET /newspaper HTTP/1.1\r\nHost: example.org\r\n\r\n").status == 404)
    }
  }

  @Test(arguments: [
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\na=b",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\na=b",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: +3\r\n\r\na=b",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3, 3\r\n\r\na=b",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length : 3\r\n\r\na=b",
    "GET /text HTTP/1.1\r\nHost: localhost\r\nX: a\u{0}b\r\n\r\n",
    "GET /text HTTP/1.1\r\nHost: localhost\r\nX: a\rContent-Length: 3\r\n\r\n",
    "GET /text HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    "GET /text HTTP/1.1\r\n\r\n",
  ])
  func `Ambiguous framing is refused and the connection closed`(request: String) async throws {
    try await withServer { (_, client) async throws in
      client.send(request + "GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let text = await client.rest()
      // libmicrohttpd closes the connection without an answer in some cases.
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 4"))
      #expect(!text.contains("hello"))
    }
  }

  @Test(arguments: ["text", "stream", "tagged", "echo"])
  func `HEAD has the length of GET and no body`(path: String) async throws {
    try await withServer { (_, client) async throws in
      let request = " /\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
      let got = try await client.ask("GET" + request)
      let head = try await client.ask("HEAD" + request, toHead: true)
      #expect(head.status == 200)
      #expect(head.fields.first("Content-Length") == "\(got.body.count)")
      // The connection still works: the next request is answered.
      #expect(try await client.ask("GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n").text == "hello")
    }
  }

  @Test func `Bodies that are too long get 413 before they are read`() async throws {
    try await withServer { (_, client) async throws in
      let head =
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n"
      client.send(head)
      #expect(await client.rest().hasPrefix("HTTP/1.1 413 "))
    }
    try await withServer { (_, client) async throws in
      let chunk = "3E8\r\n" + String(repeating: "x", count: 1000) + "\r\n"
      client.send(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)0\r\n\r\n"
      )
      #expect(try await client.answer().status == 413)
    }
  }

  @Test func `URL-encoded and multipart forms are read, with files apart from fields`() async throws {
    try await withServer { (_, client) async throws in
      let body = "a=1+2&a=%26&b"
      let head = "POST /echo HTTP/1.1\r\nHost: localhost\r\n"
      let type = "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n"
      #expect(
        try await client.ask("\(head)\(type)Content-Length: \(body.utf8.count)\r\n\r\n\(body)").text.contains(
          "form=a=1 2|a=&|b= files= "
        )
      )
      let parts =
        "preamble\r\n--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n2\r\n--XX\r\n"
        + "Content-Type: text/xml\r\nContent-Disposition: form-data; name=\"f\"; filename=\"list.opml\"\r\n\r\n<opml/>\r\n--XX--\r\n"
      let multi = "Content-Type: multipart/form-data; boundary=\"XX\"\r\n"
      #expect(
        try await client.ask("\(head)\(multi)Content-Length: \(parts.utf8.count)\r\n\r\n\(parts)").text
          .contains("form=a=1\r\n2 files=f:list.opml:7 ")
      )
      let other = "Content-Type: text/plain\r\n"
      #expect(
        try await client.ask("\(head)\(other)Content-Length: 3\r\n\r\na=b").text.contains(
          "form= files=  from=127.0.0.1 bytes=3"
        ) == false
      )
      #expect(
        try await client.ask("\(head)\(other)Content-Length: 3\r\n\r\na=b").text.contains(
          "form= files= from=127.0.0.1 bytes=3"
        )
      )
    }
  }

  @Test func `Answers are compressed for clients that accept gzip, and a matching If-None-Match gets 304`()
    async throws
  {
    try await withServer { (_, client) async throws in
      let packed = try await client.ask(
        "GET /tagged HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br, gzip\r\n\r\n"
      )
      #expect(packed.fields.first("Content-Encoding") == "gzip")
      #expect(packed.fields.first("Vary") == "Accept-Encoding")
      #expect(packed.body.count < 200)
      #expect(try Unpacking.gunzip(packed.body) == Array(repeating: UInt8(ascii: "a"), count: 5000))
      let plain = try await client.ask(
        "GET /tagged HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip;q=0\r\n\r\n"
      )
      #expect(plain.body.count == 5000)
      let known = try await client.ask(
        "GET /tagged HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"0\", W/\"1\"\r\n\r\n"
      )
      #expect(known.status == 304)
      #expect(known.body.isEmpty)
      let stream = try await client.ask(
        "GET /stream HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
      )
      #expect(try Unpacking.gunzip(stream.body).count == 10_000)
      #expect(try await client.ask("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n").body.count == 10_000)
    }
  }

  @Test func `The client's address is the rightmost one that is not a trusted proxy's`() async throws {
    try await withServer {
      $0.trustedProxies = ["127.0.0.1", "10.0.0.0/8"]
    } _: { (_, client) async throws in
      for (field, address) in [
        ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7, 10.1.2.3", "203.0.113.7"),
        ("198.51.100.1, nonsense", "127.0.0.1"), ("[2001:db8::1]:443", "2001:db8::1"),
        ("10.1.1.1", "10.1.1.1"),
      ] {
        let answer = try await client.ask(
          "GET /echo HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(field)\r\n\r\n"
        )
        #expect(answer.text.contains("from=\(address) "))
      }
    }
    try await withServer {
      $0.trustedProxies = []
    } _: { (_, client) async throws in
      let answer = try await client.ask(
        "GET /echo HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n"
      )
      #expect(answer.text.contains("from=127.0.0.1 "))
    }
  }
}

enum Unpacking {
  struct Incomplete: Error {}

  static func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let unpacker = Unpacker([.gzip]) else { throw Incomplete() }
    var output: [UInt8] = []
    bytes.withUnsafeBytes { unpacker.take($0) }
    _ = unpacker.unpack { piece in
      output.append(contentsOf: piece)
      return true
    }
    guard unpacker.isComplete else { throw Incomplete() }
    return output
  }
}
