import NewsCore
import TestServer
import Testing

@testable import NewsNetwork

@Suite(.timeLimit(.minutes(5)))
struct `Address guard` {
  private func fetcher(allowing allowed: [String] = []) -> CurlFetcher {
    .forTests {
      $0.allowsPrivateAddresses = false
      $0.allowedDestinations = allowed.compactMap(AllowedDestination.init)
    }
  }

  @Test(arguments: [
    "127.0.0.1", "localhost", "2130706433", "0x7f000001", "017700000001", "127.1", "0.0.0.0", "[::1]", "[::]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
  ])
  func `Loopback is refused in every notation`(host: String) async throws {
    try await withServer { server in
      server.on("/feed", .ok("secret"))
      let error = await fetcher().failure(FetchRequest(url: "http://\(host):\(server.port)/feed"))
      #expect(error?.code == .forbiddenAddress, "\(error?.message ?? "no error")")
      #expect(server.connectionCount == 0)
    }
  }

  @Test(arguments: [
    "127.0.0.1.", "127.1.", "0x7f.1.", "10.0.0.1.", "169.254.169.254.", "0.0.0.0.", "localhost.",
  ])
  func `With a proxy, a final dot does not hide an address`(host: String) async throws {
    try await withServer { proxy in
      let fetcher = CurlFetcher.forTests {
        $0.allowsPrivateAddresses = false
        $0.proxy = proxy.origin
      }
      let error = await fetcher.failure(FetchRequest(url: "http://\(host)/feed"))
      #expect(error?.code == .forbiddenAddress)
      #expect(proxy.connectionCount == 0)
    }
  }

  @Test func `A redirect to loopback is refused`() async throws {
    try await withServer { inside in
      try await withServer(address: "127.0.0.2") { outside in
        outside.on("/feed", .redirect(301, to: inside.url("/admin")))
        let error = await fetcher(allowing: ["127.0.0.2"]).failure(FetchRequest(url: outside.url("/feed")))
        #expect(error?.code == .forbiddenAddress)
        #expect(error?.hops.count == 1)
        #expect(inside.connectionCount == 0)
      }
    }
  }

  @Test func `A typed local URL and redirects within its origin are allowed`() async throws {
    try await withServer { server in
      server.on("/feed", .redirect(302, to: "/there"))
      server.on("/there", .ok("x"))
      let response = try await fetcher()
        .fetch(FetchRequest(url: server.url("/feed"), reach: .localOrigin(of: server.url("/feed"))))
      #expect(response.text == "x")
    }
  }

  @Test func `A redirect from a typed local URL to another port is refused`() async throws {
    try await withServer { typed in
      try await withServer { other in
        typed.on("/feed", .redirect(302, to: other.url("/admin")))
        let error = await fetcher()
          .failure(FetchRequest(url: typed.url("/feed"), reach: .localOrigin(of: typed.url("/feed"))))
        #expect(error?.code == .forbiddenAddress)
        #expect(other.connectionCount == 0)
      }
    }
  }

  @Test func `A connection opened for a permitted fetch is not reused for a forbidden one`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let fetcher = fetcher()
      _ = try await fetcher.fetch(FetchRequest(url: server.url("/feed"), reach: .anywhere))
      let error = await fetcher.failure(FetchRequest(url: server.url("/feed")))
      #expect(error?.code == .forbiddenAddress)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: ["127.0.0.0/8", "127.0.0.1", "localhost"])
  func `The allow-list permits its entries`(entry: String) async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let host = entry == "localhost" ? "localhost" : "127.0.0.1"
      let response = try await fetcher(allowing: [entry])
        .fetch(FetchRequest(url: "http://\(host):\(server.port)/feed"))
      #expect(response.text == "x")
    }
  }

  /// Creates a fetcher that resolves `name` to `address`.
  private func fetcher(_ name: String, _ port: UInt16, leadsTo address: String, allowing: [String] = [])
    -> CurlFetcher
  {
    .forTests {
      $0.allowsPrivateAddresses = false
      $0.resolved = ["\(name):\(port):\(address)"]
      $0.allowedDestinations = allowing.compactMap(AllowedDestination.init)
    }
  }

  @Test func `A public name that resolves to loopback is refused, unless the URL is a typed local origin`()
    async throws
  {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let url = "http://feeds.example.org:\(server.port)/feed"
      let fetcher = fetcher("feeds.example.org", server.port, leadsTo: "127.0.0.1")
      #expect(await fetcher.failure(FetchRequest(url: url))?.code == .forbiddenAddress)
      #expect(server.connectionCount == 0)
      let response = try await fetcher.fetch(FetchRequest(url: url, reach: .localOrigin(of: url)))
      #expect(response.reachedLocalAddress == true)
    }
  }

  @Test(arguments: ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "169.254.170.23"])
  func `A cloud metadata address requires the allow-list, even for a typed URL`(address: String) async {
    let url = "http://feeds.example.org/feed"
    let fetcher = fetcher("feeds.example.org", 80, leadsTo: address)
    for reach in [FetchRequest.Reach.publicOnly, .localOrigin(of: url), .anywhere] {
      let error = await fetcher.failure(FetchRequest(url: url, reach: reach))
      #expect(error?.code == .forbiddenAddress)
      #expect(error?.message.contains("network.allow") == true)
      #expect(error?.message.contains("NEWSD_ALLOW_PRIVATE") == false)
    }
    let literal = "http://\(address.contains(":") ? "[\(address)]" : address)/"
    let error = await fetcher.failure(FetchRequest(url: literal, reach: .localOrigin(of: literal)))
    #expect(error?.code == .forbiddenAddress)
  }

  @Test func `The allow-list permits a cloud metadata address`() throws {
    let url = try RequestURL("http://feeds.example.org/")
    func refusal(_ allowed: [String]) throws -> AddressGuard.Refusal? {
      AddressGuard(
        reach: .publicOnly,
        target: url,
        allowed: allowed.compactMap(AllowedDestination.init),
        allowsPrivate: true
      )
      .refusal(of: try #require(IPAddress("169.254.169.254")))
    }
    #expect(try refusal([])?.needsListing == true)
    #expect(try refusal(["169.254.169.254"]) == nil)
  }

  @Test func `Only the allow-list permits an address for a model, whatever else is allowed`() throws {
    func refusal(_ host: String, _ allowed: [String]) throws -> AddressGuard.Refusal? {
      let rule = AddressGuard(
        reach: .listedOnly,
        target: try RequestURL("http://\(host)/"),
        allowed: allowed.compactMap(AllowedDestination.init),
        allowsPrivate: true
      )
      return rule.refusal(of: try #require(IPAddress("127.0.0.1"))) ?? rule.refusalOfName()
    }
    for host in ["127.0.0.1", "feeds.example.org"] {
      let error = try #require(try refusal(host, [])).error
      #expect(error.message.contains("network.allow") && !error.message.contains("NEWSD_ALLOW_PRIVATE"))
      #expect(try refusal(host, ["127.0.0.1"]) == nil)
    }
    #expect(try refusal("nas.local", ["127.0.0.1"]) != nil)
    // The page gives the first word of a message a capital unless it is quoted.
    #expect(try refusal("nas", [])?.reason == "the host nas resolves to 127.0.0.1, a loopback address")
    let reason = try refusal("nas", ["127.0.0.1"])?.reason
    #expect(reason == "'nas' is a name for hosts of a private network")
  }

  @Test func `With a proxy, the host name decides whether the typed origin is local`() async throws {
    try await withServer { proxy in
      let names = ["http://nas.local/feed": true, "http://feeds.example.org/feed": false]
      for (url, isLocal) in names {
        proxy.on(url, .ok("x"))
        let fetcher = CurlFetcher.forTests {
          $0.allowsPrivateAddresses = false
          $0.proxy = proxy.origin
        }
        let response = try await fetcher.fetch(FetchRequest(url: url, reach: .localOrigin(of: url)))
        #expect(response.reachedLocalAddress == isLocal)
      }
    }
  }

  @Test func `A request that is not limited to public addresses may connect to loopback`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      _ = try await fetcher().fetch(FetchRequest(url: server.url("/feed"), reach: .anywhere))
    }
  }

  @Test(arguments: [
    "http://127.0.0.1/", "http://2130706433/", "http://[::1]/", "http://localhost/", "http://a.localhost/",
    "http://printer/", "http://nas.local/", "http://metadata.google.internal/", "http://router.home.arpa/",
    "http://localhost./", "http://127.0.0.1./f", "http://127.1./", "http://0x7f.1./", "http://10.0.0.1./",
    "http://169.254.169.254./", "http://0.0.0.0./",
  ])
  func `With a proxy, names and address literals are checked instead of addresses`(url: String) async throws {
    try await withServer { proxy in
      let fetcher = CurlFetcher.forTests {
        $0.allowsPrivateAddresses = false
        $0.proxy = proxy.origin
      }
      #expect(await fetcher.failure(FetchRequest(url: url))?.code == .forbiddenAddress)
      #expect(proxy.connectionCount == 0)
    }
  }

  @Test func `With a local proxy, public names are allowed`() async throws {
    try await withServer { proxy in
      proxy.on("http://feeds.example.org/rss", .ok("x"))
      let fetcher = CurlFetcher.forTests {
        $0.allowsPrivateAddresses = false
        $0.proxy = proxy.origin
      }
      let response = try await fetcher.fetch(FetchRequest(url: "http://feeds.example.org/rss"))
      #expect(response.text == "x")
    }
  }
}

@Suite struct `Local files` {
  private let path = "/etc/hostname"

  @Test func `A file is read if the user typed its URL`() async throws {
    let url = "file://\(path)"
    let response = try await CurlFetcher.forTests()
      .fetch(FetchRequest(url: url, reach: .localOrigin(of: url)))
    #expect(response.status == 200)
    #expect(!response.body.isEmpty)
    #expect(response.header("Last-Modified")?.hasSuffix(" GMT") == true)
  }

  @Test func `A file is not read unless the user typed its URL`() async {
    let fetcher = CurlFetcher.forTests()
    #expect(await fetcher.failure(FetchRequest(url: "file://\(path)"))?.code == .forbiddenAddress)
    let other = FetchRequest(url: "file:///etc/passwd", reach: .localOrigin(of: "file://\(path)"))
    #expect(await fetcher.failure(other)?.code == .forbiddenAddress)
    // Lifting the guard against private addresses does not open files.
    let unguarded = FetchRequest(url: "file://\(path)", reach: .anywhere)
    #expect(await fetcher.failure(unguarded)?.code == .forbiddenAddress)
  }

  @Test(arguments: ["/nonexistent/feed.xml", "/etc", "/dev/zero"])
  func `A path that is not a regular file is reported as not found`(path: String) async {
    let url = "file://\(path)"
    let error = await CurlFetcher.forTests().failure(FetchRequest(url: url, reach: .localOrigin(of: url)))
    #expect(error?.code == .fileNotFound)
  }

  @Test func `A file above the size limit is rejected`() async {
    let url = "file:///etc/passwd"
    let request = FetchRequest(url: url, limits: .with { $0.bodyBytes = 10 }, reach: .localOrigin(of: url))
    let error = await CurlFetcher.forTests().failure(request)
    #expect(error?.code == .bodyTooLarge)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_826_154, "Tue, 29 Feb 2000 12:09:14 GMT"),
  ])
  func `Times are formatted as HTTP dates`(seconds: Int64, text: String) {
    #expect(HTTPDate.text(Timestamp(seconds: seconds)) == text)
  }
}
