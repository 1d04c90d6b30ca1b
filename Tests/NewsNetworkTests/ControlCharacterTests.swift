import NewsCore
import TestServer
import Testing

@testable import NewsNetwork

/// No setting of a feed can add a field or a second request to the bytes sent.
@Suite(.timeLimit(.minutes(5)))
struct `Control characters` {
  static let smuggled = "x\r\nX-Smuggled: 1\r\n\r\nPUT http://169.254.169.254/latest/api/token HTTP/1.1\r\n"

  private func settings(_ change: (inout FeedSettings) -> Void) -> FeedSettings {
    var settings = FeedSettings()
    change(&settings)
    return settings
  }

  @Test(arguments: [
    "x\r\nX-Smuggled: 1", "x\nX-Smuggled: 1", "x\rX", "x\u{0}y", "x\u{7F}", "x\u{1B}[m", smuggled,
  ])
  func `A user agent with a control character is rejected, with and without a proxy`(agent: String)
    async throws
  {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let request = FetchRequest(url: server.url("/feed"), settings: settings { $0.userAgent = agent })
      for proxy in ["", server.origin] {
        let error = await CurlFetcher.forTests { $0.proxy = proxy }.failure(request)
        #expect(error?.code == .badURL)
        #expect(error?.message.contains("user agent") == true)
      }
      let general = CurlFetcher.forTests { $0.userAgent = agent }
      #expect(await general.failure(FetchRequest(url: server.url("/feed")))?.code == .badURL)
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `A line break ends the credential, and the text after it is not sent`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let fetcher = CurlFetcher.forTests { $0.environment = ["SECRET": "bob:se\r\ncret: 1"] }
      let request = FetchRequest(
        url: server.url("/feed"),
        settings: settings { $0.credential = "env:SECRET" }
      )
      #expect(await fetcher.failure(request) == nil)
      #expect(server.requests.count == 1)
      let received = try #require(server.requests.first)
      // The Base64 form of `bob:se`.
      #expect(received.header("Authorization") == "Basic Ym9iOnNl")
      #expect(received.header("cret") == nil)
    }
  }

  @Test(arguments: ["bob\u{7}:secret", "bob:se\u{7}cret", "Bearer secret\u{0}b"])
  func `A credential with a control character is rejected, and the error does not show it`(secret: String)
    async throws
  {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let fetcher = CurlFetcher.forTests { $0.environment = ["SECRET": secret] }
      let request = FetchRequest(
        url: server.url("/feed"),
        settings: settings { $0.credential = "env:SECRET" }
      )
      let error = await fetcher.failure(request)
      #expect(error?.code == .badURL)
      #expect(error?.message.contains("cret") == false)
      #expect(server.connectionCount == 0)
    }
  }

  @Test(arguments: ["/a%0D%0Ab:c@", "/a:b%0Ac@"])
  func `User information that decodes to a control character is rejected`(user: String) async throws {
    try await withServer { server in
      let url = "http:/\(user)127.0.0.1:\(server.port)/feed"
      #expect(await CurlFetcher.forTests().failure(FetchRequest(url: url))?.code == .badURL)
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `A proxy with a control character is rejected`() async throws {
    try await withServer { server in
      let proxy = server.origin + "/\r\nX-Smuggled: 1"
      let error = await CurlFetcher.forTests()
        .failure(FetchRequest(url: server.url("/feed"), settings: settings { $0.proxy = proxy }))
      #expect(error?.code == .badURL)
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `Header lines and validators with control characters are not sent`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      var request = FetchRequest(
        url: server.url("/feed"),
        settings: settings { $0.headers = ["X-A: a\r\nX-B: b", "X-C: c\u{0}d", "X-D: d\u{1B}", "X-E: e\tf"] }
      )
      request.validators = Validators(etag: "\"1\"\nX-F: f", lastModified: nil, url: request.url)
      _ = try await CurlFetcher.forTests().fetch(request)
      let received = try #require(server.requests.first)
      #expect(received.headers.map(\.name).filter { $0.hasPrefix("X-") } == ["X-E"])
      #expect(received.header("If-None-Match") == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `Untrusted settings with control characters are removed`() {
    let clean = settings {
      $0.userAgent = "a\r\nb"
      $0.headers = ["X: 1", "Y: 2\r\nZ: 3"]
      $0.credential = "env:A\u{0}"
      $0.proxy = "http://p\n/"
      $0.secretsFor = "https://a\u{1B}"
    }
    .clamped()
    #expect(clean == settings { $0.headers = ["X: 1"] })
  }
}
