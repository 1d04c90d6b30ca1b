import Glibc
import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `On the wire: plans and settings` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
  }

  @Test func `Interval limits changed during a fetch apply to the next due time`() throws {
    try wire.add("/feed", .ok(Self.one), Reply.ok(Sample.rss(["Two", "One"])).delayed(1500))
    let server = wire.server
    let running = try wire.newsd.start(["fetch"])
    #expect(running.wait { _ in server.count("/feed") == 2 })
    #expect(try wire.run("feeds", "set", "1", "maximum-interval=2h").status == 0)
    #expect(try running.finish().status == 0)
    let feed = try wire.feed()
    #expect(feed.items == 2)
    #expect(feed.wait == 2 * 3600, "\(feed)")
  }

  @Test func `Interval limits from a reload apply to polls already scheduled`() throws {
    try wire.add("/feed", .ok(Self.one, headers: [("Cache-Control", "max-age=20000")]))
    try wire.add("/own", .ok(Self.one, headers: [("Cache-Control", "max-age=20000")]))
    try wire.add("/failing", .ok(Self.one), .status(503, headers: [("Retry-After", "40000")]))
    #expect(try wire.run("feeds", "set", "2", "minimum-interval=3h").status == 0)
    #expect(try wire.run("fetch", "3").status == 69)
    let path = wire.directory.write("poll:\n  maximum_interval: 24h\n", to: "newsd.yaml")
    let daemon = try wire.newsd.start(["--config", path, "run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    wire.directory.write("poll:\n  maximum_interval: 1h\n", to: "newsd.yaml")
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("event=reload") }, "\(daemon.errors)")
    let feeds = try wire.feeds()
    #expect(feeds[0].wait == 3600)
    // The feed's own bounds take precedence, and Retry-After takes precedence over all bounds.
    #expect(feeds[1].wait == 3 * 3600)
    #expect(try #require(feeds[2].wait) >= 39_000)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `No interval limit moves a poll into skipped hours`() throws {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    let allowed = (Int(parts.tm_hour) + 5) % 24
    let hours = (0..<24).filter { $0 != allowed }.map { "<hour>\($0)</hour>" }.joined()
    let feed = Self.one.replacing("<item>", with: "<skipHours>\(hours)</skipHours><item>", maxReplacements: 1)
    try wire.add("/feed", .ok(feed))
    let before = try wire.feed()
    #expect(before.next_due_reason == "skipHours")
    #expect(try #require(before.wait) > 2 * 3600)
    #expect(try wire.run("feeds", "set", "1", "maximum-interval=1h").status == 0)
    #expect(try wire.feed().next_due == before.next_due)
    #expect(try wire.feed().next_due_reason == "skipHours")
    // A longer interval moves the poll to the next allowed hour after it.
    #expect(try wire.run("feeds", "set", "1", "maximum-interval=", "minimum-interval=26h").status == 0)
    let after = try wire.feed()
    #expect(try #require(after.wait) >= 26 * 3600, "\(after)")
    #expect(after.next_due_reason == "skipHours", "\(after)")
  }

  @Test func `Removing a minimum interval reschedules the feed`() throws {
    // Without dates, the feed is polled every hour.
    let feed = Self.one.replacing("pubDate", with: "pubDay")
    wire.server.on("/feed", .ok(feed))
    let url = wire.server.url("/feed")
    #expect(try wire.run("feeds", "add", url, "--set", "minimum-interval=30h").status == 0)
    #expect(try wire.feed().next_due_reason == "user")
    #expect(try #require(try wire.feed().wait) >= 30 * 3600)
    #expect(try wire.run("feeds", "set", "1", "minimum-interval=").status == 0)
    let after = try wire.feed()
    #expect(after.wait == 3600, "\(after)")
    #expect(after.next_due_reason == "adaptive")
    // The general bounds apply again.
    #expect(try wire.run("feeds", "set", "1", "minimum-interval=30h").status == 0)
    wire.environment["NEWSD_POLL_MINIMUM_INTERVAL"] = "3h"
    #expect(try wire.run("feeds", "set", "1", "minimum-interval=").status == 0)
    #expect(try wire.feed().wait == 3 * 3600)
  }

  @Test func `A feed that becomes overdue by new interval limits is polled at once`() async throws {
    try wire.add("/feed", .ok(Self.one, headers: [("ETag", "\"1\"")]), .status(304))
    let path = wire.directory.write("poll:\n  minimum_interval: 1h\n", to: "newsd.yaml")
    let daemon = try wire.newsd.start(["--config", path, "run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    // By the new limits it is overdue a second after its last fetch.
    let fetched = try #require(FeedLine.seconds(try wire.feed().last_fetched))
    try await eventually { time(nil) > fetched + 1 }
    wire.directory.write("poll:\n  minimum_interval: 1s\n  maximum_interval: 1s\n", to: "newsd.yaml")
    daemon.send(signal: SIGHUP)
    let server = wire.server
    #expect(daemon.wait { _ in server.count("/feed") >= 2 }, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `At the daemon's start each overdue feed is polled once`() throws {
    let servers = try (2..<14).map { try wire.anotherServer("127.0.0.\($0)") }
    for server in servers { server.on("/feed", .ok(Self.one)) }
    let list = servers.map { $0.url("/feed") }.joined(separator: "\n") + "\n"
    #expect(try wire.run("feeds", "import", wire.directory.write(list, to: "urls")).status == 0)
    let daemon = try wire.newsd.start(["run"])
    #expect(daemon.wait { _ in servers.allSatisfy { $0.count("/feed") == 1 } }, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
    #expect(servers.allSatisfy { $0.count("/feed") == 1 })
  }

  @Test(arguments: [
    ("proxy=socks4://127.0.0.1:1", "socks5h://"), ("proxy=socks5h://", "socks5h://"),
    ("proxy=ftp://proxy.example", "http://"), ("encoding=klingon", "windows-1251"), ("timeout=0", "duration"),
    ("minimum-interval=-5s", "duration"), ("maximum-size=-1", "size"), ("verify-tls=maybe", "true or false"),
    ("header=nocolon", "Name: value"), ("credential=alice:secret", "env:NAME"), ("nosuch=1", "nosuch"),
  ])
  func `feeds set and feeds add reject an invalid setting and name the accepted values`(
    _ setting: String,
    _ reason: String
  ) throws {
    try wire.add("/feed", .ok(Self.one))
    let before = try wire.run("feeds", "set", "1").output
    let set = try wire.run("feeds", "set", "1", setting)
    #expect(set.status == 64)
    #expect(set.errors.contains(reason), "\(set.errors)")
    #expect(try wire.run("feeds", "set", "1").output == before)
    let added = try wire.run("feeds", "add", wire.server.url("/other"), "--set", setting)
    #expect(added.status == 64)
    #expect(added.errors.contains(reason), "\(added.errors)")
    #expect(wire.server.count("/other") == 0)
  }

  @Test func `Invalid settings in an imported OPML list are ignored and reported`() throws {
    let outline = """
      <opml version="2.0" xmlns:newsd="https://newsd.example/opml"><body>
      <outline type="rss" xmlUrl="http://feeds.example/a" newsd:encoding="klingon" newsd:timeout="30"/>
      <outline type="rss" xmlUrl="http://feeds.example/b" newsd:proxy="socks4://127.0.0.1:1"/>
      <outline type="rss" xmlUrl="http://feeds.example/c" newsd:encoding="windows-1251"/>
      </body></opml>
      """
    let file = wire.directory.write(outline, to: "list.opml")
    let result = try wire.run("feeds", "import", "--trust", file)
    #expect(result.status == 0)
    #expect(result.errors.contains("the encoding klingon"))
    #expect(result.errors.contains("the proxy socks4://127.0.0.1:1"))
    let settings = try (1...3).map { try wire.run("feeds", "set", "\($0)").output }
    #expect(settings[0].contains("timeout") && !settings[0].contains("klingon"))
    #expect(!settings[1].contains("socks4"))
    #expect(settings[2].contains("windows-1251"))
  }
}
