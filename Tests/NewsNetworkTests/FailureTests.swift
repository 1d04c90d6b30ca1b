import NewsNetwork
import NewsCore
import TestServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `Failed fetches` {
  @Test func `The error for a closed port names the host`() async throws {
    let server = try TestServer()
    let url = server.url("/feed")
    server.stop()
    // The listener closes with its thread; a connection accepted before that is reset, which is a transport error.
    var error: FetchError?
    for _ in 0..<100 where error?.code != .refused {
      error = await CurlFetcher.forTests().failure(FetchRequest(url: url))
    }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("127.0.0.1") == true)
    #expect(error?.neverConnected == false)
  }

  @Test func `A host name that does not exist is reported as not found`() async throws {
    let error = await CurlFetcher.forTests().failure(FetchRequest(url: "http://no-such-host.invalid/feed"))
    #expect(error?.code == .hostNotFound)
    #expect(error?.message.contains("no-such-host.invalid") == true)
    #expect(error?.neverConnected == true)
  }

  @Test func `An https URL of a server without TLS is a TLS error`() async throws {
    try await withServer { server in
      let url = "https://127.0.0.1:\(server.port)/feed"
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: url))
      #expect(error?.code == .tls)
    }
  }

  @Test func `A connection closed without a response is a bad response`() async throws {
    try await withServer { server in
      server.on("/feed", .closes)
      #expect(
        await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))?.code == .badResponse
      )
    }
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "<html>no status line</html>", "HTTP/1.1 abc\r\n\r\n"])
  func `A response that is not HTTP is a bad response`(bytes: String) async throws {
    try await withServer { server in
      server.on("/feed", .raw(bytes))
      #expect(
        await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))?.code == .badResponse
      )
    }
  }

  @Test func `A body that is not in the announced coding is a bad response`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("not gzip at all", headers: [("Content-Encoding", "gzip")]))
      #expect(
        await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))?.code == .badResponse
      )
    }
  }

  @Test(arguments: ["", "feed", "http://", "http:///x y", "//example.org/feed", "http://exa mple.org/"])
  func `Text that is not a URL is rejected`(url: String) async {
    #expect(await CurlFetcher.forTests().failure(FetchRequest(url: url))?.code == .badURL)
  }

  @Test(arguments: ["ftp://example.org/feed", "exec:echo hello", "javascript:alert(1)", "data:text/xml,x"])
  func `URLs with schemes other than http and https are rejected`(url: String) async {
    let code = await CurlFetcher.forTests().failure(FetchRequest(url: url))?.code
    #expect(code == .unsupportedScheme || code == .badURL)
  }

  @Test func `Error messages contain no password`() async throws {
    let error = await CurlFetcher.forTests()
      .failure(FetchRequest(url: "http://user:secret@no-such-host.invalid/"))
    #expect(error?.message.contains("secret") == false)
    let bad = await CurlFetcher.forTests().failure(FetchRequest(url: "ftp://user:secret@example.org/"))
    #expect(bad?.message.contains("secret") == false)
  }

  @Test func `Cancelling the task ends the transfer`() async throws {
    try await withServer { server in
      server.on("/feed", .neverResponds)
      let fetcher = CurlFetcher.forTests()
      let task = Task { await fetcher.failure(FetchRequest(url: server.url("/feed"))) }
      try await eventually { !server.requests.isEmpty }
      task.cancel()
      #expect(await task.value?.code == .cancelled)
    }
  }

  @Test func `A fetch cancelled before its start sends no request`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let fetcher = CurlFetcher.forTests()
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return await fetcher.failure(FetchRequest(url: server.url("/feed")))
      }
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `Fetches cancelled at arbitrary times all end`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      let fetcher = CurlFetcher.forTests()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          group.addTask {
            let task = Task { await fetcher.failure(FetchRequest(url: server.url("/feed"))) }
            for _ in 0..<index { await Task.yield() }
            task.cancel()
            let error = await task.value
            #expect(error == nil || error?.code == .cancelled, "\(error?.message ?? "")")
          }
        }
      }
    }
  }

  @Test func `Shutdown cancels all current and later fetches`() async throws {
    try await withServer { server in
      server.on("/feed", .neverResponds)
      let fetcher = CurlFetcher.forTests()
      let tasks = (0..<10).map { _ in
        Task { await fetcher.failure(FetchRequest(url: server.url("/feed"))) }
      }
      try await eventually { server.requests.count >= 10 }
      await fetcher.shutdown()
      for task in tasks { #expect(await task.value?.code == .cancelled) }
      #expect(await fetcher.failure(FetchRequest(url: server.url("/feed")))?.code == .cancelled)
      await fetcher.shutdown()
    }
  }

  @Test func `A fetcher without fetches shuts down`() async {
    await CurlFetcher.forTests().shutdown()
  }
}
