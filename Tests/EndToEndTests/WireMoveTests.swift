import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `On the wire: moves` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
  }

  private var asked: [String] { wire.server.requests.map(\.target) }

  @Test(arguments: [301, 308]) func `A permanent redirect is followed directly from the next request on`(
    _ status: Int
  ) throws {
    wire.server.on("/new", .ok(Self.one))
    try wire.add("/old", .redirect(status, to: "/new"))
    try wire.run("fetch")
    try wire.run("fetch")
    #expect(asked == ["/old", "/new", "/new", "/new"])
    #expect(try wire.feed().url == wire.server.url("/old"))
  }

  @Test(arguments: [302, 303, 307]) func `A temporary redirect is requested each time`(_ status: Int) throws {
    wire.server.on("/new", .ok(Self.one))
    try wire.add("/old", .redirect(status, to: "/new"))
    try wire.run("fetch")
    #expect(asked == ["/old", "/new", "/old", "/new"])
  }

  @Test(arguments: [404, 410, 500]) func `A permanent redirect is forgotten when its target fails`(
    _ status: Int
  ) throws {
    wire.server.on("/new", .ok(Self.one), .status(status))
    try wire.add("/old", .redirect(301, to: "/new"), .ok(Self.one))
    #expect(try wire.run("fetch").status == 0)
    #expect(asked == ["/old", "/new", "/new", "/old"])
    try wire.run("fetch")
    #expect(asked.last == "/old")
  }

  @Test func `A permanent redirect is forgotten when its target becomes an HTML page`() throws {
    wire.server.on("/new", .ok(Self.one), .ok("<html><title>Buy this domain</title></html>"))
    try wire.add("/old", .redirect(301, to: "/new"), .ok(Self.one))
    #expect(try wire.run("fetch").status == 0)
    #expect(asked == ["/old", "/new", "/new", "/old"])
    #expect(try wire.feed().url == wire.server.url("/old"))
  }

  @Test func `A permanent redirect to an HTML page is a failure and changes nothing`() throws {
    wire.environment["NEWSD_POLL_MOVE_AFTER_POLLS"] = "1"
    wire.environment["NEWSD_POLL_MOVE_AFTER"] = "0s"
    wire.server.on("/page", .ok("<html><title>Buy this domain</title></html>"))
    try wire.add("/old", .ok(Self.one), .redirect(301, to: "/page"))
    for _ in 0..<3 { try wire.run("fetch") }
    #expect(asked == ["/old", "/old", "/page", "/old", "/page", "/old", "/page"])
    #expect(try wire.feed().url == wire.server.url("/old"))
    #expect(try wire.feed().failures == 3)
    #expect(try wire.titles() == ["One"])
  }

  @Test func `Once enough polls over enough time confirm a permanent redirect, its target is the feed's URL`()
    throws
  {
    wire.environment["NEWSD_POLL_MOVE_AFTER_POLLS"] = "3"
    wire.environment["NEWSD_POLL_MOVE_AFTER"] = "0s"
    wire.server.on("/new", .ok(Self.one, headers: [("ETag", "\"n\"")]), .status(304))
    try wire.add("/old", .redirect(301, to: "/new"))
    try wire.run("fetch")
    #expect(try wire.feed().url == wire.server.url("/old"))
    // The move is reported even without `-v`.
    #expect(try wire.run("fetch").errors.contains("its URL is now \(wire.server.url("/new"))"))
    let feed = try wire.feed()
    #expect(feed.url == wire.server.url("/new"))
    #expect(feed.id == 1)
    #expect(try wire.titles() == ["One"])
    try wire.run("fetch")
    #expect(wire.server.requests.last?.header("If-None-Match") == "\"n\"")
    #expect(try wire.run("feeds", "moves", "--revert", "1").status == 0)
    #expect(try wire.feed().url == wire.server.url("/old"))
    #expect(try wire.titles() == ["One"])
  }

  @Test func `Only the leading permanent redirects of a chain are remembered`() throws {
    wire.server.on("/mid", .redirect(302, to: "/new"))
    wire.server.on("/new", .ok(Self.one))
    try wire.add("/old", .redirect(301, to: "/mid"))
    try wire.run("fetch")
    #expect(asked == ["/old", "/mid", "/new", "/mid", "/new"])
  }

  @Test func `410 that does not change ends the polls and keeps the items`() throws {
    let file = wire.directory.write("poll: {move_after: 0s}\n", to: "newsd.yaml")
    try wire.add("/feed", .ok(Self.one), .status(410))
    for _ in 0..<4 { try wire.run("--config", file, "fetch") }
    try wire.run("fetch", "--due")
    #expect(wire.server.count("/feed") == 4)
    #expect(try wire.titles() == ["One"])
    let feed = try wire.feed()
    #expect(feed.next_due == nil)
    #expect(feed.next_due_reason == "gone")
    #expect(try wire.run("status", "--failing").output.contains("gone for good"))
    #expect(try wire.run("status", "--plan", "30d", "--format", "tsv").output.isEmpty)
  }

  @Test func `Redirect loops and endless chains fail after a bounded number of requests`() throws {
    wire.server.on("/a", .redirect(301, to: "/b"))
    wire.server.on("/b", .redirect(301, to: "/a"))
    #expect(try wire.run("feeds", "add", wire.server.url("/a")).status == 69)
    #expect(wire.server.requests.count <= 20)
    for n in 0..<50 { wire.server.on("/chain\(n)", .redirect(302, to: "/chain\(n + 1)")) }
    #expect(try wire.run("feeds", "add", wire.server.url("/chain0")).status == 69)
    #expect(wire.server.requests.filter { $0.target.hasPrefix("/chain") }.count <= 12)
  }

  @Test func `A redirect to another host gets no credentials`() throws {
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.one))
    wire.server.on("/feed", .redirect(302, to: other.url("/feed")))
    let url = wire.server.url("/feed").replacing("http://", with: "http://me:secret@")
    let added = try wire.run("feeds", "add", url)
    #expect(added.status == 0, "\(added.errors)")
    try wire.run("-v", "fetch")
    #expect(
      wire.server.requests.map { $0.header("Authorization") } == ["Basic bWU6c2VjcmV0", "Basic bWU6c2VjcmV0"]
    )
    #expect(other.requests.count == 2)
    #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
    #expect(!(added.output + added.errors).contains("secret"))
  }
}

@Suite(.blocking) struct `On the wire: servers that misbehave` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
    wire.environment["NEWSD_FETCH_FIRST_BYTE_TIMEOUT"] = "3s"
    wire.environment["NEWSD_FETCH_TOTAL_TIMEOUT"] = "6s"
    wire.environment["NEWSD_FETCH_MAXIMUM_SIZE"] = "1MiB"
  }

  private static let badReplies: [String: Reply] = [
    "says nothing": .neverResponds,
    "sends a gzip bomb": .gzipBomb(200 << 20),
    "never ends": .endless(),
    "drips its body": .drip(Sample.rss(["One"]), every: 500),
    "has huge headers": .hugeHeaders(1 << 20),
    "drips its headers": .dripHeaders(every: 500),
    "hangs up": .closes,
    "speaks no HTTP": .raw("nonsense\r\n\r\n"),
    "stalls in its body": .stall(after: Array("<rss>".utf8), announced: 5000),
  ]

  @Test(arguments: badReplies.keys.sorted())
  func `Each faulty server causes one failure in bounded time, and other feeds are stored`(_ name: String)
    throws
  {
    let reply = try #require(Self.badReplies[name])
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.one), .ok(Sample.rss(["Two", "One"])))
    try wire.add("/bad", .ok(Sample.rss(["Bad"])), reply)
    #expect(try wire.run("feeds", "add", other.url("/feed")).status == 0)
    #expect(try wire.run("fetch").status == 75)
    #expect(try wire.titles() == ["Bad", "One", "Two"])
    let feed = try wire.feed(0)
    #expect(feed.failures == 1)
    #expect(feed.last_error?.isEmpty == false)
  }

  @Test func `More silent servers than transfer slots do not delay other feeds`() throws {
    wire.environment["NEWSD_NETWORK_CONCURRENCY"] = "8"
    wire.environment["NEWSD_FETCH_FIRST_BYTE_TIMEOUT"] = "30s"
    wire.environment["NEWSD_FETCH_TOTAL_TIMEOUT"] = "30s"
    var urls: [String] = []
    for n in 0..<20 {
      let dead = try wire.anotherServer("127.0.1.\(n + 1)")
      dead.on("/feed", .neverResponds)
      urls.append(dead.url("/feed"))
    }
    wire.server.on("/feed", .ok(Self.one))
    urls.append(wire.server.url("/feed"))
    let file = wire.directory.write(urls.joined(separator: "\n") + "\n", to: "urls")
    #expect(try wire.run("feeds", "import", file).status == 0)
    let fetch = try wire.newsd.start(["fetch"])
    let server = wire.server
    // The feed is fetched long before the first dead server times out.
    #expect(fetch.wait(seconds: 20) { _ in server.count("/feed") == 1 })
    fetch.send(signal: 15)
    _ = try fetch.finish(seconds: 20)
  }

  @Test func `A chain of slow redirects shares one timeout`() throws {
    for n in 0..<6 {
      wire.server.on("/slow\(n)", Reply.redirect(302, to: "/slow\(n + 1)").delayed(1500))
    }
    #expect(try wire.run("feeds", "add", wire.server.url("/slow0"), "--set", "timeout=3s").status == 69)
    #expect(wire.server.requests.count <= 3)
  }

  @Test func `Responses are stored while another server stalls`() throws {
    wire.environment["NEWSD_FETCH_FIRST_BYTE_TIMEOUT"] = "60s"
    wire.environment["NEWSD_FETCH_TOTAL_TIMEOUT"] = "60s"
    let other = try wire.anotherServer()
    try wire.add("/bad", .ok(Sample.rss(["Bad"])), .neverResponds)
    for n in 0..<5 {
      other.on("/\(n)", .ok(Sample.rss(["A\(n)"])), .ok(Sample.rss(["B\(n)", "A\(n)"])))
      #expect(try wire.run("feeds", "add", other.url("/\(n)")).status == 0)
    }
    let fetch = try wire.newsd.start(["fetch"])
    let isStored = fetch.wait(seconds: 30) { _ in (try? wire.titles().count) == 11 }
    #expect(isStored)
    #expect(wire.server.count("/bad") == 2)
    fetch.send(signal: 15)
    _ = try fetch.finish(seconds: 20)
    #expect(try wire.titles().count == 11)
  }

  @Test func `A connection reset within a body is a failure, and stored items stay`() throws {
    try wire.add(
      "/feed",
      .ok(Self.one),
      .resetAfter(String(Self.one.prefix(200)), announced: 5000),
      .ok(Self.one)
    )
    try wire.run("fetch", "1")
    #expect(try wire.feed().failures == 1)
    #expect(try wire.titles() == ["One"])
    try wire.run("fetch", "1")
    #expect(try wire.feed().failures == 0)
  }

  @Test func `Neither an imported URL nor a redirect to another host may lead to a local address`() throws {
    wire.environment["NEWSD_ALLOW_PRIVATE"] = nil
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.one))
    wire.server.on("/feed", .redirect(302, to: other.url("/feed")))
    let file = wire.directory.write(other.url("/feed") + "\n", to: "urls")
    #expect(try wire.run("feeds", "import", file).status == 0)
    #expect(try wire.run("fetch").status == 69)
    #expect(try wire.run("feeds", "add", wire.server.url("/feed")).status == 69)
    #expect(other.requests.isEmpty)
    wire.server.on("/own", .redirect(302, to: "/there"))
    wire.server.on("/there", .ok(Self.one))
    #expect(try wire.run("feeds", "add", wire.server.url("/own")).status == 0)
  }
}
