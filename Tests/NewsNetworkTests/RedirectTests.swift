import NewsNetwork
import NewsCore
import TestServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `Redirects` {
  @Test(arguments: [301, 302, 303, 307, 308])
  func `Every redirect status is followed and reported`(status: Int) async throws {
    try await withServer { server in
      server.on("/a/old", .redirect(status, to: "../b/new?x=1#part"))
      server.on("/b/new?x=1", .ok("there"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/a/old")))
      #expect(response.text == "there")
      #expect(response.url == server.url("/b/new?x=1"))
      #expect(response.hops == [RedirectHop(status: status, location: server.url("/b/new?x=1"))])
    }
  }

  @Test func `A chain of redirects is followed to its end and reported in order`() async throws {
    try await withServer { server in
      server.on("/1", .redirect(301, to: "/2"))
      server.on("/2", .redirect(302, to: "/3"))
      server.on("/3", .ok("end"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/1")))
      #expect(response.hops.map(\.status) == [301, 302])
      #expect(response.hops.map(\.location) == [server.url("/2"), server.url("/3")])
      #expect(server.connectionCount == 1)
    }
  }

  @Test(arguments: [307, 308])
  func `A body with credentials is not sent to another server`(status: Int) async throws {
    try await withServer { server in
      try await withServer { other in
        server.on("/login", .redirect(status, to: other.url("/login")))
        server.on("/moved", .redirect(status, to: "/here"))
        server.on("/here", .ok("in"))
        other.on("/login", .ok("stolen"))
        var request = FetchRequest(url: server.url("/login"), reach: .anywhere)
        request.keepsOrigin = true
        let fetcher = CurlFetcher.forTests()
        let body = Array("password=secret".utf8)
        do throws(FetchError) {
          _ = try await fetcher.post(raw: body, request)
          Issue.record("the redirect was followed")
        } catch {
          #expect(error.code == .badResponse && error.message.contains("another server"))
        }
        #expect(other.requests.isEmpty)
        request.url = server.url("/moved")
        let response = try await fetcher.post(raw: body, request)
        #expect(response.text == "in")
      }
    }
  }

  @Test func `More redirects than allowed end the fetch`() async throws {
    try await withServer { server in
      for n in 0..<12 { server.on("/\(n)", .redirect(302, to: "/\(n + 1)")) }
      let error = await CurlFetcher.forTests()
        .failure(FetchRequest(url: server.url("/0"), limits: .with { $0.redirects = 3 }))
      #expect(error?.code == .tooManyRedirects)
      #expect(server.requests.count == 4)
    }
  }

  @Test func `A redirect loop is detected before a URL is requested again`() async throws {
    try await withServer { server in
      server.on("/a", .redirect(302, to: "/b"))
      server.on("/b", .redirect(302, to: "/a"))
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/a")))
      #expect(error?.code == .redirectLoop)
      #expect(error?.hops.count == 2)
      #expect(server.requests.count == 2)
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "dict://127.0.0.1:1/"])
  func `A redirect to another scheme is rejected`(target: String) async throws {
    try await withServer { server in
      server.on("/feed", .redirect(301, to: target))
      let error = await CurlFetcher.forTests()
        .failure(FetchRequest(url: server.url("/feed"), reach: .anywhere))
      #expect(error?.code == .badResponse)
    }
  }

  @Test func `A redirect without a target is returned as the response`() async throws {
    try await withServer { server in
      server.on("/feed", .status(301, body: "no idea where"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.status == 301)
      #expect(response.hops.isEmpty)
    }
  }

  @Test func `A redirect with a long body of unknown length is followed`() async throws {
    try await withServer { server in
      server.on(
        "/feed",
        .raw("HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n" + String(repeating: "x", count: 1 << 20))
      )
      server.on("/new", .ok("there"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.text == "there")
    }
  }

  @Test func `The error for an invalid target contains the target`() async throws {
    try await withServer { server in
      server.on("/feed", .redirect(302, to: "http://[bad/"))
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))
      #expect(error?.code == .badResponse)
      #expect(error?.message.contains("[bad") == true)
    }
  }

  @Test func `A target is normalized as in browsers`() async throws {
    try await withServer { server in
      server.on("/feed", .redirect(302, to: "\\q?a=\"b\"&c=<d>"))
      server.on("/q?a=%22b%22&c=%3Cd%3E", .ok("there"))
      let response = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      #expect(response.text == "there")
    }
  }
}
