import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `On the wire: when to poll again` {
  let wire: Wire
  static let hour = 3600

  init() throws {
    wire = try Wire()
  }

  private static func rss(_ extra: String = "") -> String {
    Sample.rss(["One"]).replacing("<description>A sample", with: "\(extra)<description>A sample")
  }

  @Test(arguments: [
    ("Cache-Control: max-age=50000", 50_000), ("Cache-Control: max-age=50000\nAge: 10000", 40_000),
    ("Cache-Control: max-age=604800", 86_400), ("Cache-Control: no-cache", 900), ("Expires: 0", 900),
    ("Expires: Tue, 10 Nov 2026 22:00:00 GMT\nDate: Tue, 10 Nov 2026 08:00:00 GMT", 50_400),
  ])
  func `The poll interval follows caching fields`(_ fields: String, _ least: Int) throws {
    let headers = fields.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), String(parts[1].dropFirst()))
    }
    try wire.add("/feed", .ok(Self.rss(), headers: headers + [("ETag", "\"1\"")]), .status(304))
    let wait = try #require(try wire.feed().wait)
    #expect((least...90_000).contains(wait), "\(wait)")
    #expect(try wire.run("fetch", "--due").status == 0)
    #expect(wire.server.count("/feed") == 1)
    #expect(try wire.run("fetch").status == 0)
    #expect(wire.server.count("/feed") == 2)
  }

  @Test func `max-age of a 200 still applies after a 304 without max-age`() throws {
    try wire.add(
      "/feed",
      .ok(Self.rss(), headers: [("Cache-Control", "max-age=80000"), ("ETag", "\"1\"")]),
      .status(304)
    )
    try wire.run("fetch")
    let feed = try wire.feed()
    #expect((80_000...86_400).contains(try #require(feed.wait)))
  }

  @Test(arguments: [
    ("<ttl>1200</ttl>", 72_000),
    (
      "<sy:updatePeriod xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>daily</sy:updatePeriod>",
      86_400
    ),
    (
      "<sy:updatePeriod xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>daily</sy:updatePeriod>"
        + "<sy:updateFrequency xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>2</sy:updateFrequency>",
      43_200
    ),
  ])
  func `The poll interval follows the document's hints`(_ hint: String, _ least: Int) throws {
    try wire.add("/feed", .ok(Self.rss(hint)))
    #expect(try #require(try wire.feed().wait) >= least)
    try wire.run("fetch", "--due")
    #expect(wire.server.count("/feed") == 1)
  }

  @Test func `No poll is scheduled in skipped hours or days`() throws {
    let hours = (0..<24).filter { $0 != 5 }.map { "<hour>\($0)</hour>" }.joined()
    try wire.add("/hours", .ok(Self.rss("<skipHours>\(hours)</skipHours>")))
    #expect(try wire.feed(0).next_due?.contains("T05:") == true)
    let days = ["Monday", "Tuesday", "Wednesday", "Friday", "Saturday", "Sunday"].map { "<day>\($0)</day>" }
      .joined()
    try wire.add("/days", .ok(Self.rss("<skipDays>\(days)</skipDays>")))
    let due = try #require(FeedLine.seconds(try wire.feed(1).next_due))
    // 1 January 1970 was a Thursday.
    #expect(due / 86_400 % 7 == 0)
  }

  @Test func `A feed without hints is due within a day, and the list of feeds gives the reason`() throws {
    try wire.add("/feed", .ok(Self.rss()))
    let feed = try wire.feed()
    #expect((900...86_400).contains(try #require(feed.wait)))
    #expect(feed.next_due_reason == "adaptive")
  }

  // MARK: Retry-After and backoff

  @Test func `Retry-After applies to the feed and its host, but not to another host`() throws {
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.rss()))
    try wire.add("/a", .ok(Self.rss()), .status(429, headers: [("Retry-After", "5000")]))
    try wire.add("/b", .ok(Self.rss()))
    #expect(try wire.run("feeds", "add", other.url("/feed")).status == 0)
    #expect(try wire.run("fetch", "1").status == 69)
    let held = try wire.feed(0)
    #expect((4999...5001).contains(try #require(held.wait)))
    #expect(held.next_due_reason == "Retry-After")
    let all = try wire.run("-v", "fetch")
    #expect(all.errors.contains("Retry-After"))
    #expect(wire.server.count("/a") == 2)
    #expect(wire.server.count("/b") == 1)
    #expect(other.count("/feed") == 2)
    let until = try #require(FeedLine.seconds(held.next_due))
    #expect(try #require(FeedLine.seconds(try wire.feed(1).next_due)) >= until)
    // A feed named by the user is fetched in spite of Retry-After.
    try wire.run("fetch", "2")
    #expect(wire.server.count("/b") == 2)
  }

  @Test func `A redirect to a host with a pending Retry-After is not followed`() throws {
    let other = try wire.anotherServer()
    other.on("/feed", replies: [.ok(Self.rss()), .status(429, headers: [("Retry-After", "7200")])])
    wire.server.on("/moved", .redirect(302, to: other.url("/feed")))
    #expect(try wire.run("feeds", "add", other.url("/feed")).status == 0)
    other.on("/target", .ok(Self.rss()))
    try wire.add("/plain", .ok(Self.rss()), .redirect(302, to: other.url("/target")))
    #expect(try wire.run("fetch", "1").status == 69)
    #expect(try wire.run("-v", "fetch").errors.contains("Retry-After"))
    #expect(other.count("/target") == 0)
    #expect(try wire.feed(1).failures == 0)
  }

  @Test func `A feed is polled again when its Retry-After is over`() async throws {
    wire.environment["NEWSD_POLL_MINIMUM_INTERVAL"] = "1s"
    try wire.add("/a", .ok(Self.rss()), .status(503, headers: [("Retry-After", "1")]), .ok(Self.rss()))
    #expect(try wire.run("fetch", "1").status == 69)
    try await eventually {
      let due = try wire.run("fetch", "--due")
      #expect(due.status == 0)
      return wire.server.count("/a") == 3
    }
    #expect(try wire.feed().failures == 0)
  }

  @Test func `If Retry-After is a date in the past, and Date is days off, the answer is an ordinary failure`()
    throws
  {
    try wire.add(
      "/a",
      .ok(Self.rss()),
      .status(
        503,
        headers: [
          ("Retry-After", "Tue, 10 Nov 2026 10:00:00 GMT"), ("Date", "Tue, 10 Nov 2026 09:00:00 GMT"),
        ]
      )
    )
    try wire.run("fetch", "1")
    // The server's clock is days off, so its Date field is ignored, and the date in Retry-After is in the past.
    let feed = try wire.feed()
    #expect(feed.failures == 1)
    #expect(feed.next_due_reason == "backoff 1")
    #expect(try #require(feed.wait) >= 900)
  }

  @Test func `Repeated failures back off, and a success resets the backoff`() throws {
    try wire.add("/a", .ok(Self.rss()), .status(500), .status(502), .status(500), .ok(Self.rss()))
    var waits: [Int] = []
    for count in 1...3 {
      try wire.run("fetch", "1")
      let feed = try wire.feed()
      #expect(feed.failures == count)
      #expect(feed.next_due_reason == "backoff \(count)")
      waits.append(try #require(feed.wait))
    }
    #expect(waits[0] < waits[1])
    #expect(waits[1] < waits[2])
    try wire.run("fetch", "--due")
    #expect(wire.server.count("/a") == 4)
    try wire.run("fetch", "1")
    let feed = try wire.feed()
    #expect(feed.failures == 0)
    #expect(feed.last_error == nil)
    #expect(try #require(feed.wait) <= 86_400)
  }

  @Test func `If no host can be reached, no feed counts a failure`() async throws {
    let others = try [wire.anotherServer("127.0.0.2"), wire.anotherServer("127.0.0.3")]
    for other in others {
      other.on("/feed", .ok(Self.rss()))
      #expect(try wire.run("feeds", "add", other.url("/feed")).status == 0)
      try await other.stopAndClose()
    }
    #expect(try wire.run("fetch").status == 69)
    for feed in try wire.feeds() {
      #expect(feed.failures == 0)
      #expect(feed.next_due_reason == "network down")
    }
    // A host that answers proves that the network is up and the others are down.
    try wire.add("/feed", .ok(Self.rss()))
    #expect(try wire.run("fetch").status == 75)
    #expect(try wire.feeds().map(\.failures) == [1, 1, 0])
  }
}
