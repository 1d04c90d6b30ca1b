import Glibc
import NewsNetwork
import NewsCore
import NewsToolbox
import TestServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `Requests and responses on the wire` {
  /// Also applies with the address guard off and with a proxy, where libcurl could open sockets by itself.
  @Test(arguments: [false, true]) func `Child processes do not inherit connections`(_ byProxy: Bool)
    async throws
  {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      server.on("http://feeds.example.org/feed", .ok("x"))
      let fetcher = CurlFetcher.forTests { if byProxy { $0.proxy = server.origin } }
      let url = byProxy ? "http://feeds.example.org/feed" : server.url("/feed")
      _ = try await fetcher.fetch(FetchRequest(url: url))
      var found = 0
      for descriptor in 3..<getdtablesize() {
        var peer = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &peer) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
        guard isConnected, peer.sin_family == sa_family_t(AF_INET), peer.sin_port == server.port.bigEndian
        else { continue }
        found += 1
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      }
      #expect(found > 0)
      await fetcher.shutdown()
    }
  }

  @Test func `A request has the user agent and feed types, and no other identifying fields`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("<rss/>", headers: [("Content-Type", "application/rss+xml")]))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.status == 200)
      #expect(response.text == "<rss/>")
      #expect(response.header("content-type") == "application/rss+xml")
      #expect(response.url == server.url("/feed"))
      #expect(response.hops.isEmpty)
      #expect(!response.isTruncated)
      let request = try #require(server.requests.first)
      #expect(request.method == "GET")
      #expect(request.header("User-Agent") == "newsd-test/1")
      let accept = try #require(request.header("Accept"))
      #expect(accept.hasPrefix("application/atom+xml, application/rss+xml"))
      #expect(accept.contains("text/html;q=0.5"))
      #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
      for name in ["Cookie", "Referer", "Cache-Control", "Pragma", "Authorization", "If-None-Match"] {
        #expect(request.header(name) == nil, "\(name)")
      }
    }
  }

  @Test func `Both validators are returned byte for byte`() async throws {
    try await withServer { server in
      server.on("/feed", .status(304, headers: [("ETag", "W/\"x y\"")]))
      let validators = Validators(
        etag: "W/\"x y\"",
        lastModified: "Sat Nov 21 11:58:48 2026, or so",
        url: server.url("/feed")
      )
      let response = try await CurlFetcher.forTests()
        .fetch(FetchRequest(url: server.url("/feed"), validators: validators))
      #expect(response.status == 304)
      #expect(response.body.isEmpty)
      let request = try #require(server.requests.first)
      #expect(request.header("If-None-Match") == "W/\"x y\"")
      #expect(request.header("If-Modified-Since") == "Sat Nov 21 11:58:48 2026, or so")
    }
  }

  @Test func `An ETag that is not UTF-8 round-trips`() async throws {
    try await withServer { server in
      let tag: [UInt8] = [0x22, 0xE9, 0xFF, 0x22]
      server.on(
        "/feed",
        .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nETag: ".utf8) + tag + Array("\r\n\r\nx".utf8))
      )
      let fetcher = CurlFetcher.forTests()
      let url = server.url("/feed")
      let etag = try #require(try await fetcher.fetch(FetchRequest(url: url)).header("ETag"))
      _ = try await fetcher.fetch(FetchRequest(url: url, validators: Validators(etag: etag, url: url)))
      let sent = try #require(server.requests.last?.header("If-None-Match"))
      // The test server repairs ill-formed UTF-8: two invalid bytes in quotation marks.
      #expect(sent == "\"\u{FFFD}\u{FFFD}\"")
    }
  }

  @Test func `A 200 response with an unchanged Last-Modified is delivered`() async throws {
    try await withServer { server in
      let date = "Sat, 21 Nov 2026 11:00:00 GMT"
      server.on("/feed", .ok("new", headers: [("ETag", "\"2\""), ("Last-Modified", date)]))
      let response = try await CurlFetcher.forTests()
        .fetch(
          FetchRequest(
            url: server.url("/feed"),
            validators: Validators(etag: "\"1\"", lastModified: date, url: server.url("/feed"))
          )
        )
      #expect(response.status == 200)
      #expect(response.text == "new")
    }
  }

  @Test func `On each hop of a redirect, validators are sent only to the URL that set them`() async throws {
    try await withServer { server in
      server.on("/old", .redirect(302, to: "/new"))
      server.on("/new", .ok("x"))
      _ = try await CurlFetcher.forTests()
        .fetch(
          FetchRequest(
            url: server.url("/old"),
            validators: Validators(etag: "\"n\"", url: server.url("/new"))
          )
        )
      #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"n\""])
    }
  }

  @Test(arguments: [404, 410, 429, 500, 503])
  func `An error status is returned as a response with its fields`(status: Int) async throws {
    try await withServer { server in
      server.on("/feed", .status(status, headers: [("Retry-After", "120")], body: "no"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.status == status)
      #expect(response.header("Retry-After") == "120")
    }
  }

  @Test func `Compressed bodies are unpacked`() async throws {
    try await withServer { server in
      server.on("/feed", .gzip("<feed/>"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.text == "<feed/>")
    }
  }

  @Test func `Chunked bodies are joined`() async throws {
    try await withServer { server in
      server.on("/feed", .chunked("one two three", size: 4, pause: 5))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.text == "one two three")
      #expect(!response.isTruncated)
    }
  }

  @Test func `Interim responses are skipped and folded fields are joined`() async throws {
    try await withServer { server in
      server.on(
        "/feed",
        .raw(
          "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nX-Long: one\r\n  two\r\nContent-Length: 1\r\n\r\nx"
        )
      )
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.status == 200)
      #expect(response.header("X-Long") == "one two")
      #expect(response.header("Link") == nil)
    }
  }

  @Test func `A body shorter than announced is marked as truncated`() async throws {
    try await withServer { server in
      server.on("/feed", .short("<rss>", announced: 100))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.isTruncated)
      #expect(response.text == "<rss>")
    }
  }

  @Test func `A body cut off by a reset is marked as truncated`() async throws {
    try await withServer { server in
      server.on("/feed", .resetAfter("<rss>", announced: 100))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.isTruncated)
    }
  }

  @Test func `Connections are reused`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let fetcher = CurlFetcher.forTests()
      for _ in 0..<5 { _ = try await fetcher.fetch(FetchRequest(url: server.url("/feed"))) }
      #expect(server.connectionCount == 1)
      #expect(server.requests.count == 5)
    }
  }

  @Test func `IPv6 addresses are reached`() async throws {
    try await withServer(address: "::1") { server in
      server.on("/feed", .ok("six"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.text == "six")
    }
  }

  @Test func `Spaces and non-ASCII characters in a URL are percent-encoded`() async throws {
    try await withServer { server in
      server.on("/a%20b/%c3%bc?q=%c3%a4", .ok("x"))
      _ = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/a b/ü?q=ä#part")))
      #expect(server.requests.first?.target == "/a%20b/%c3%bc?q=%c3%a4")
    }
  }
}
