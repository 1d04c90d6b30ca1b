import NewsNetwork
import NewsCore
import TestServer
import Testing

/// Tests that a server's mistakes do not affect the next request on a persistent connection (RFC 9112 section 9.3).
@Suite(.timeLimit(.minutes(5)))
struct `Reused connections` {
  private static let foreign = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nEVIL!".utf8)

  @Test func `Sequential requests use one connection`() async throws {
    try await withServer { server in
      server.on("/a", .ok("a"))
      server.on("/b", .ok("b"))
      let fetcher = CurlFetcher.forTests()
      for path in ["/a", "/b", "/a"] { _ = try await fetcher.fetch(FetchRequest(url: server.url(path))) }
      #expect(server.requests.map(\.connection) == [1, 1, 1])
    }
  }

  @Test func `A body after a 304 is not read as the next response`() async throws {
    try await withServer { server in
      let gate = ReplyGate()
      server.on("/a", Reply.status(304).followed(by: Self.foreign, behind: gate))
      server.on("/b", .ok("b"))
      let fetcher = CurlFetcher.forTests()
      let url = server.url("/a")
      let first = try await fetcher.fetch(
        FetchRequest(url: url, validators: Validators(etag: "\"1\"", url: url))
      )
      #expect(first.status == 304)
      try await gate.open()
      let second = try await fetcher.fetch(FetchRequest(url: server.url("/b")))
      #expect(second.text == "b")
      #expect(server.requests.map(\.target) == ["/a", "/b"])
      #expect(server.requests.map(\.connection) == [1, 2])
    }
  }

  @Test func `Bytes beyond Content-Length are not read as the next response`() async throws {
    try await withServer { server in
      let gate = ReplyGate()
      server.on("/a", Reply.ok("a").followed(by: Self.foreign, behind: gate))
      server.on("/b", .ok("b"))
      let fetcher = CurlFetcher.forTests()
      #expect(try await fetcher.fetch(FetchRequest(url: server.url("/a"))).text == "a")
      try await gate.open()
      #expect(try await fetcher.fetch(FetchRequest(url: server.url("/b"))).text == "b")
      #expect(server.requests.map(\.connection) == [1, 2])
    }
  }

  @Test func `After a late reply that is not HTTP, the request is repeated on a new connection`() async throws
  {
    try await withServer { server in
      server.on("/a", .status(304))
      // The client reads this as the rest of the first response.
      server.on("/b", .bytes(Array("<rss>late</rss>".utf8)), .ok("b"))
      let fetcher = CurlFetcher.forTests()
      let url = server.url("/a")
      _ = try await fetcher.fetch(FetchRequest(url: url, validators: Validators(etag: "\"1\"", url: url)))
      #expect(try await fetcher.fetch(FetchRequest(url: server.url("/b"))).text == "b")
      #expect(server.requests.map(\.target) == ["/a", "/b", "/b"])
      #expect(server.requests.map(\.connection) == [1, 1, 2])
    }
  }

  @Test func `After a 408 on an idle connection, the request is repeated on a new connection`() async throws {
    try await withServer { server in
      server.on("/a", .ok("a"))
      server.on("/b", Reply.status(408, headers: [("Connection", "close")]).thenClose, .ok("b"))
      let fetcher = CurlFetcher.forTests()
      _ = try await fetcher.fetch(FetchRequest(url: server.url("/a")))
      #expect(try await fetcher.fetch(FetchRequest(url: server.url("/b"))).text == "b")
      #expect(server.requests.map(\.target) == ["/a", "/b", "/b"])
      #expect(server.requests.map(\.connection) == [1, 1, 2])
    }
  }

  @Test func `A 408 on a new connection is returned as the response`() async throws {
    try await withServer { server in
      server.on("/a", .status(408))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/a")))
      #expect(response.status == 408)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `After a reply that is not HTTP on a new connection, the request is not repeated`() async throws
  {
    try await withServer { server in
      server.on("/a", .raw("<rss>no status line</rss>"))
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/a")))
      #expect(error?.code == .badResponse)
      #expect(server.requests.count == 1)
    }
  }
}
