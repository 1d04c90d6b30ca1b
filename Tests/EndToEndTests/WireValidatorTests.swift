import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `On the wire: validators` {
  let wire: Wire
  static let one = Sample.rss(["One"])
  static let two = Sample.rss(["Two", "One"])

  init() throws {
    wire = try Wire()
  }

  private var sent: [[String?]] {
    wire.server.requests(to: "/feed").map { [$0.header("If-None-Match"), $0.header("If-Modified-Since")] }
  }

  @Test func `Both validators are sent back byte for byte, and a 304 keeps all items`() throws {
    let etag = "W/\"weak, with a comma\""
    let date = "Tue, 10 Nov 2026 08:00:00 GMT"
    try wire.add("/feed", .ok(Self.one, headers: [("ETag", etag), ("Last-Modified", date)]), .status(304))
    #expect(try wire.run("fetch").status == 0)
    #expect(try wire.run("fetch").status == 0)
    #expect(sent == [[nil, nil], [etag, date], [etag, date]])
    #expect(try wire.titles() == ["One"])
    #expect(try wire.feed().last_status == 304)
  }

  @Test func `An ETag or Last-Modified with an invalid value is sent back unchanged`() throws {
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("ETag", "unquoted"), ("Last-Modified", "10.11.2026, 8 Uhr")]),
      .status(304)
    )
    try wire.run("fetch")
    #expect(sent.last == ["unquoted", "10.11.2026, 8 Uhr"])
  }

  @Test func `Every 200 replaces both validators`() throws {
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("ETag", "\"1\""), ("Last-Modified", "Tue, 10 Nov 2026 08:00:00 GMT")]),
      .ok(Self.two, headers: [("ETag", "\"2\"")]),
      .status(304)
    )
    try wire.run("fetch")
    try wire.run("fetch")
    #expect(sent.last == ["\"2\"", nil])
    #expect(try wire.titles() == ["One", "Two"])
  }

  @Test func `A document with a new ETag but the old Last-Modified is stored`() throws {
    let date = ("Last-Modified", "Tue, 10 Nov 2026 08:00:00 GMT")
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("ETag", "\"1\""), date]),
      .ok(Self.two, headers: [("ETag", "\"2\""), date])
    )
    try wire.run("fetch")
    #expect(try wire.titles() == ["One", "Two"])
  }

  @Test func `The ETag of a 304 replaces the stored one`() throws {
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("ETag", "\"1\"")]),
      .status(304, headers: [("ETag", "\"1b\"")])
    )
    try wire.run("fetch")
    try wire.run("fetch")
    #expect(sent.map { $0[0] } == [nil, "\"1\"", "\"1b\""])
  }

  @Test(arguments: [429, 500, 503, 404]) func `Validators are kept after an error`(_ status: Int) throws {
    try wire.add("/feed", .ok(Self.one, headers: [("ETag", "\"1\"")]), .status(status), .status(304))
    #expect(try wire.run("fetch", "1").status == 69)
    try wire.run("fetch", "1")
    #expect(sent.map { $0[0] } == [nil, "\"1\"", "\"1\""])
    #expect(try wire.feed().failures == 0)
  }

  @Test(arguments: [
    "<html><body>Under repair</body></html>", "", "just text", "<?xml version=\"1.0\"?><other/>",
  ])
  func `After a body that is not a feed the next request is unconditional, and the items stay`(_ body: String)
    throws
  {
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("ETag", "\"1\"")]),
      .ok(body, headers: [("ETag", "\"2\"")]),
      .ok(Self.two)
    )
    try wire.run("fetch", "1")
    let failing = try wire.feed()
    #expect(failing.failures == 1)
    #expect(failing.last_error != nil)
    #expect(try wire.titles() == ["One"])
    try wire.run("fetch", "1")
    #expect(sent.last == [nil, nil])
    #expect(try wire.titles() == ["One", "Two"])
  }

  @Test func `After a truncated body the next request is unconditional`() throws {
    let cut = String(Self.two.prefix(Self.two.count - 120))
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("ETag", "\"1\"")]),
      .short(cut, announced: Self.two.utf8.count, headers: [("ETag", "\"2\"")]),
      .ok(Self.two)
    )
    try wire.run("fetch", "1")
    try wire.run("fetch", "1")
    #expect(sent.last == [nil, nil])
    #expect(try wire.titles() == ["One", "Two"])
  }

  @Test func `An unchanged body adds nothing to the change log`() throws {
    try wire.add("/feed", .ok(Self.one))
    let before = try wire.run("changes", "--after", "0", "--format", "jsonl").output
    #expect(try wire.run("fetch").status == 0)
    #expect(try wire.run("changes", "--after", "0", "--format", "jsonl").output == before)
    #expect(wire.server.count("/feed") == 2)
  }

  @Test func `Validators of one URL are not sent to another`() throws {
    wire.server.on("/new", .ok(Self.one, headers: [("ETag", "\"new\"")]))
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("ETag", "\"old\"")]),
      .redirect(301, to: wire.server.url("/new"))
    )
    try wire.run("fetch")
    #expect(wire.server.requests(to: "/new").map { $0.header("If-None-Match") } == [nil])
    try wire.run("fetch")
    #expect(wire.server.requests(to: "/new").map { $0.header("If-None-Match") } == [nil, "\"new\""])
  }
}

@Suite(.blocking) struct `On the wire: politeness` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
  }

  @Test func `A request has User-Agent and Accept fields, but no Cookie, Referer or Authorization`() throws {
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("Set-Cookie", "id=1; Path=/"), ("ETag", "\"1\"")]),
      .status(304)
    )
    try wire.run("fetch")
    for request in wire.server.requests {
      #expect(request.method == "GET")
      #expect(request.target == "/feed")
      let agent = request.header("User-Agent") ?? ""
      #expect(agent.hasPrefix("newsd/"))
      let accept = request.header("Accept") ?? ""
      #expect(accept.contains("application/atom+xml"))
      #expect(accept.contains("application/rss+xml"))
      #expect(accept.contains("q="))
      #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
      for field in ["Cookie", "Referer", "Authorization", "Cache-Control", "Pragma"] {
        #expect(request.header(field) == nil, "\(field)")
      }
    }
  }

  @Test func `At most two concurrent requests go to a host, and connections are reused`() throws {
    for n in 0..<12 {
      try wire.add("/\(n)", .ok(Self.one), Reply.ok(Self.one).delayed(40))
    }
    let before = wire.server.connectionCount
    #expect(try wire.run("fetch").status == 0)
    #expect(wire.server.mostInFlight <= 2)
    #expect(wire.server.connectionCount - before <= 2)
  }

  @Test func `The limit on concurrent requests per host applies also to feeds that the fetch command names`()
    throws
  {
    for n in 0..<8 {
      try wire.add("/\(n)", .ok(Self.one), Reply.ok(Self.one).delayed(40))
    }
    #expect(try wire.run("fetch", "1", "2", "3", "4", "5", "6", "7", "8").status == 0)
    #expect(wire.server.requests.count == 16)
    #expect(wire.server.mostInFlight <= 2)
  }

  @Test func `Scheduled requests to a host are spaced`() throws {
    wire.environment["NEWSD_NETWORK_SPACING"] = "300ms"
    for n in 0..<4 { wire.server.on("/\(n)", .ok(Self.one)) }
    let list = (0..<4).map { wire.server.url("/\($0)") }.joined(separator: "\n") + "\n"
    let file = wire.directory.write(list, to: "urls")
    #expect(try wire.run("feeds", "import", file).status == 0)
    // Arrivals at a busy server can be close together; the requests before the last one still take their time.
    let start = ContinuousClock.now
    #expect(try wire.run("fetch", "--due").status == 0)
    let time = ContinuousClock.now - start
    #expect(wire.server.requests.count == 4)
    #expect(time >= .milliseconds(3 * 300))
  }

  @Test func `Subscribing by a page's URL takes two requests, and the next fetch is conditional`() throws {
    wire.server.on("/feed", .ok(Self.one, headers: [("ETag", "\"1\"")]))
    wire.server.on(
      "/",
      .ok(
        "<html><head><link rel='alternate' type='application/rss+xml' href='/feed'></head></html>",
        headers: [("Content-Type", "text/html")]
      )
    )
    #expect(try wire.run("feeds", "add", wire.server.url("/")).status == 0)
    #expect(wire.server.requests.map(\.target) == ["/", "/feed"])
    #expect(try wire.titles() == ["One"])
    try wire.run("fetch")
    #expect(wire.server.requests.last?.header("If-None-Match") == "\"1\"")
  }

  @Test func `One of several feeds of a page can be picked`() throws {
    wire.server.on("/feed", .ok(Self.one))
    wire.server.on(
      "/",
      .ok(
        """
        <html><head><link rel='alternate' type='application/rss+xml' title='A' href='/other'>
        <link rel='alternate' type='application/atom+xml' title='B' href='/feed'></head></html>
        """,
        headers: [("Content-Type", "text/html")]
      )
    )
    let choice = try wire.run("feeds", "add", wire.server.url("/"))
    #expect(choice.status == 65)
    #expect((choice.output + choice.errors).contains("/other"))
    #expect(try wire.feeds().isEmpty)
    let number =
      choice.output.contains("1 ") && choice.output.split(separator: "\n").first?.contains("/feed") == true
      ? "1" : "2"
    #expect(try wire.run("feeds", "add", wire.server.url("/"), "--pick", number).status == 0)
  }

  @Test func `An unreachable feed is added only with --force`() throws {
    wire.server.on("/gone", .status(404))
    #expect(try wire.run("feeds", "add", wire.server.url("/gone")).status == 69)
    #expect(try wire.feeds().isEmpty)
    #expect(try wire.run("feeds", "add", "--force", wire.server.url("/gone")).status == 0)
    #expect(try wire.feed().failures == 1)
    #expect(try wire.run("feeds", "add", "ftp://127.0.0.1/feed").status == 64)
    wire.server.on("/text", .ok("words"))
    #expect(try wire.run("feeds", "add", wire.server.url("/text")).status == 65)
  }

  @Test func `A duplicate is rejected without a request, and the error names the feed`() throws {
    try wire.add("/feed", .ok(Self.one))
    let again = try wire.run("feeds", "add", wire.server.url("/feed"))
    #expect(again.status != 0)
    #expect(again.errors.contains("Sample"))
    #expect(wire.server.count("/feed") == 1)
  }
}
