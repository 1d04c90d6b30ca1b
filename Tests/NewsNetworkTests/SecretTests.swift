import NewsCore
import TestServer
import Testing

@testable import NewsNetwork

@Suite(.timeLimit(.minutes(5)))
struct `Secrets and settings of a feed` {
  private func request(_ url: String, _ change: (inout FeedSettings) -> Void) -> FetchRequest {
    var request = FetchRequest(url: url)
    change(&request.settings)
    return request
  }

  @Test(arguments: [
    ("alice:open sesame", "Basic YWxpY2U6b3BlbiBzZXNhbWU="), ("alice:", "Basic YWxpY2U6"),
    ("a:b:c\n", "Basic YTpiOmM="), ("Bearer abc.def", "Bearer abc.def"), ("bearer  abc", "Bearer abc"),
  ])
  func `A credential from the environment or the configuration is sent`(secret: String, expected: String)
    async throws
  {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let fetcher = CurlFetcher.forTests {
        $0.environment = ["FEED_SECRET": secret]
        $0.credentials = ["work": secret]
      }
      _ = try await fetcher.fetch(request(server.url("/feed")) { $0.credential = "env:FEED_SECRET" })
      _ = try await fetcher.fetch(request(server.url("/feed")) { $0.credential = "config:work" })
      #expect(server.requests.map { $0.header("Authorization") } == [expected, expected])
    }
  }

  @Test(arguments: ["exec:/usr/bin/true", "ingest:Script"])
  func `The secrets of a feed without an origin are sent nowhere`(subscription: String) async throws {
    try await withServer { server in
      server.on("/page", .ok("x"))
      let fetcher = CurlFetcher.forTests { $0.credentials = ["work": "alice:secret"] }
      var request = request(server.url("/page")) {
        $0.credential = "config:work"
        $0.headers = ["X-Key: secret"]
      }
      request.subscriptionURL = subscription
      let response = try await fetcher.fetch(request)
      #expect(response.status == 200)
      #expect(server.requests.map { $0.header("Authorization") } == [nil])
      #expect(server.requests.map { $0.header("X-Key") } == [nil])
    }
  }

  @Test func `User information in the URL is sent as a credential and removed from all other URLs`()
    async throws
  {
    try await withServer { server in
      server.on("/feed", .redirect(302, to: "there"))
      server.on("/there", .ok("x"))
      let response = try await CurlFetcher.forTests()
        .fetch(FetchRequest(url: "http://bob:p%40ss@127.0.0.1:\(server.port)/feed"))
      #expect(
        server.requests.map { $0.header("Authorization") } == ["Basic Ym9iOnBAc3M=", "Basic Ym9iOnBAc3M="]
      )
      #expect(response.url == server.url("/there"))
      #expect(response.hops.first?.location == server.url("/there"))
    }
  }

  @Test func `The URL of a response contains no user information`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let response = try await CurlFetcher.forTests()
        .fetch(FetchRequest(url: "http://bob:secret@127.0.0.1:\(server.port)/feed"))
      #expect(response.url == server.url("/feed"))
    }
  }

  @Test(arguments: ["env:NOT_SET", "config:none", "file:/nonexistent/place", "plain:text", "alice:secret"])
  func `The error for a missing credential reveals no secret`(reference: String) async throws {
    try await withServer { server in
      let error = await CurlFetcher.forTests().failure(
        request(server.url("/feed")) { $0.credential = reference }
      )
      #expect(error?.code == .fileNotFound)
      #expect(error?.message.contains("secret") == false)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `Credentials and extra fields are sent only to the feed's origin`() async throws {
    try await withServer { home in
      try await withServer(address: "127.0.0.2") { elsewhere in
        home.on("/feed", .redirect(302, to: "/next"))
        home.on("/next", .redirect(302, to: elsewhere.url("/gate")))
        elsewhere.on("/gate", .redirect(302, to: home.url("/end")))
        home.on("/end", .ok("x"))
        let fetcher = CurlFetcher.forTests { $0.credentials = ["c": "u:p"] }
        _ = try await fetcher.fetch(
          request(home.url("/feed")) {
            $0.credential = "config:c"
            $0.headers = ["X-Api-Key: 42", "Cookie: a=b"]
            $0.userAgent = "Special/1"
          }
        )
        #expect(home.requests.map { $0.header("Authorization") != nil } == [true, true, true])
        #expect(home.requests.map { $0.header("X-Api-Key") } == ["42", "42", "42"])
        let foreign = try #require(elsewhere.requests.first)
        for name in ["Authorization", "X-Api-Key", "Cookie", "Referer"] {
          #expect(foreign.header(name) == nil)
        }
        #expect(foreign.header("User-Agent") == "Special/1")
      }
    }
  }

  @Test func `The target of a remembered redirect does not receive the subscription's secrets`() async throws
  {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      var request = request(server.url("/feed")) { $0.headers = ["X-Api-Key: 42"] }
      request.subscriptionURL = "http://127.0.0.9:\(server.port)/feed"
      _ = try await CurlFetcher.forTests().fetch(request)
      #expect(server.requests.first?.header("X-Api-Key") == nil)
    }
  }

  @Test func `Cookies are not stored`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x", headers: [("Set-Cookie", "id=1")]))
      let fetcher = CurlFetcher.forTests()
      for _ in 0..<2 { _ = try await fetcher.fetch(FetchRequest(url: server.url("/feed"))) }
      #expect(server.requests.map { $0.header("Cookie") } == [nil, nil])
    }
  }

  @Test func `Extra fields replace newsd's own, and invalid ones are not sent`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      _ = try await CurlFetcher.forTests()
        .fetch(
          request(server.url("/feed")) {
            $0.headers = ["Accept: text/xml", "X-A: b\r\nX-Smuggled: 1", "no field", ": none"]
          }
        )
      let request = try #require(server.requests.first)
      #expect(request.headers.filter { $0.name == "Accept" }.map(\.value) == ["text/xml"])
      #expect(request.header("X-Smuggled") == nil)
    }
  }

  @Test func `Requests for pages and for feeds have different Accept fields`() async throws {
    try await withServer { server in
      server.on("/it", .ok("x"))
      var request = FetchRequest(url: server.url("/it"), reach: .anywhere)
      _ = try await CurlFetcher.forTests().fetch(request)
      request.content = .page
      _ = try await CurlFetcher.forTests().fetch(request)
      let accepted = server.requests.map { $0.header("Accept") ?? "" }
      #expect(accepted.map { $0.hasPrefix("application/atom+xml") } == [true, false])
      #expect(accepted.last?.hasPrefix("text/html,") == true)
    }
  }

  @Test func `A feed's own proxy receives the request with the complete URL`() async throws {
    try await withServer { proxy in
      proxy.on("http://feeds.example.org/rss", .ok("by proxy"))
      let response = try await CurlFetcher.forTests()
        .fetch(request("http://feeds.example.org/rss") { $0.proxy = proxy.origin })
      #expect(response.text == "by proxy")
    }
  }

  @Test func `With socks5h, the proxy resolves names`() async throws {
    try await withServer { proxy in
      // The proxy does not speak SOCKS; the test only shows that it was contacted instead of a resolver.
      let error = await CurlFetcher.forTests()
        .failure(request("http://no-such-host.invalid/") { $0.proxy = "socks5h://127.0.0.1:\(proxy.port)" })
      #expect(error?.code == .refused)
      #expect(proxy.connectionCount == 1)
    }
  }

  @Test func `The environment's proxy is used unless no_proxy excludes the host`() throws {
    var configuration = NetworkConfiguration(userAgent: "t")
    configuration.environment = [
      "http_proxy": "http://p:1", "HTTPS_PROXY": "http://p:2",
      "no_proxy": "inside.example,.corp.example, 10.0.0.0/8",
    ]
    func proxy(_ url: String, own: String? = nil) throws -> String? {
      ProxyChoice(configuration: configuration, own: own).proxy(for: try RequestURL(url))
    }
    #expect(try proxy("http://example.org/") == "http://p:1")
    #expect(try proxy("https://example.org/") == "http://p:2")
    #expect(try proxy("http://a.inside.example/") == nil)
    #expect(try proxy("http://notinside.example/") == "http://p:1")
    #expect(try proxy("http://corp.example/") == nil)
    #expect(try proxy("http://10.1.2.3/") == nil)
    #expect(try proxy("http://11.1.2.3/") == "http://p:1")
    #expect(try proxy("http://example.org/", own: "") == nil)
    #expect(try proxy("http://a.inside.example/", own: "socks5h://s:3") == "socks5h://s:3")
  }

  @Test func `Credentials are sent from http to https of the same host only on the default ports`() throws {
    func knows(_ url: String, _ owner: String) throws -> Bool {
      try RequestURL(url).origin.canReceiveCredentials(from: RequestURL(owner).origin)
    }
    #expect(try knows("https://a.example/x", "https://a.example/y"))
    #expect(try knows("https://a.example/", "http://a.example/"))
    #expect(try !knows("http://a.example/", "https://a.example/"))
    #expect(try !knows("https://b.a.example/", "https://a.example/"))
    #expect(try !knows("https://a.example:444/", "https://a.example/"))
    #expect(try !knows("https://a.example/", "http://a.example:8080/"))
  }
}
