import FoundationEssentials
import Glibc
import TestServer
import TestSupport
import Testing

/// The promises of docs/operations.md to publishers, beyond the plain cases.
@Suite(.blocking) struct `On the wire: the polling policy` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
  }

  /// The time `seconds` from now, as an HTTP date.
  private static func date(_ seconds: Int) -> String {
    var moment = time(nil) + seconds
    var parts = tm()
    gmtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 64)
    // Without setlocale, strftime writes English names of days and months.
    let count = strftime(&text, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A feed whose items are that many seconds apart, the newest a minute old.
  private static func rss(every seconds: Int, count: Int = 30) -> String {
    let items = (0..<count).map {
      "<item><title>\($0)</title><guid>tag:\($0)</guid><pubDate>\(date(-60 - $0 * seconds))</pubDate></item>"
    }
    return "<rss version='2.0'><channel><title>T</title>\(items.joined())</channel></rss>"
  }

  private func importing(_ urls: [String]) throws {
    let list = urls.joined(separator: "\n") + "\n"
    #expect(try wire.run("feeds", "import", wire.directory.write(list, to: "urls")).status == 0)
  }

  @Test(arguments: ["no-cache", "no-store", "no-cache, no-store, must-revalidate, max-age=0"])
  func `Requests are conditional even after no-cache or no-store`(_ control: String) throws {
    try wire.add(
      "/feed",
      .ok(Self.one, headers: [("Cache-Control", control), ("ETag", "\"1\"")]),
      .status(304, headers: [("Cache-Control", control)])
    )
    try wire.run("fetch")
    #expect(wire.server.requests.last?.header("If-None-Match") == "\"1\"")
    #expect(try wire.feed().last_status == 304)
    #expect(try wire.titles() == ["One"])
  }

  @Test func `A body with Content-Encoding gzip is decoded`() throws {
    wire.server.on("/feed", .gzip(Self.one, headers: [("ETag", "\"1\"")]))
    #expect(try wire.run("feeds", "add", wire.server.url("/feed")).status == 0)
    #expect(try wire.titles() == ["One"])
  }

  @Test(arguments: [429, 503]) func `Retry-After may be a date`(_ status: Int) throws {
    let headers = [("Date", Self.date(0)), ("Retry-After", Self.date(7200))]
    try wire.add("/feed", .ok(Self.one), .status(status, headers: headers))
    try wire.run("fetch", "1")
    let feed = try wire.feed()
    #expect((7195...7205).contains(try #require(feed.wait)), "\(feed)")
    #expect(feed.next_due_reason == "Retry-After")
  }

  @Test func `A failing feed is polled at least every seven days`() throws {
    try wire.add("/feed", .ok(Self.one), .status(500))
    for _ in 0..<14 { try wire.run("fetch", "1") }
    let feed = try wire.feed()
    #expect(feed.failures == 14)
    #expect(feed.next_due_reason == "backoff 14")
    #expect((6 * 86_400...7 * 86_400).contains(try #require(feed.wait)), "\(feed)")
    #expect(try wire.titles() == ["One"])
    wire.server.on("/feed", .ok(Self.one))
    try wire.run("fetch", "1")
    #expect(try wire.feed().failures == 0)
    #expect(try #require(try wire.feed().wait) <= 86_400)
  }

  @Test func `Feeds polled together get different due times, none of them early`() throws {
    for n in 0..<40 { wire.server.on("/\(n)", .ok(Self.one, headers: [("Cache-Control", "max-age=7200")])) }
    try importing((0..<40).map { wire.server.url("/\($0)") })
    // The adaptive interval would be longer than that.
    wire.environment["NEWSD_POLL_MAXIMUM_INTERVAL"] = "2h"
    wire.environment["NEWSD_POLL_MINIMUM_INTERVAL"] = "1h"
    #expect(try wire.run("fetch").status == 0)
    let feeds = try wire.feeds()
    #expect(feeds.allSatisfy { $0.wait == 7200 })
    wire.environment["NEWSD_POLL_MAXIMUM_INTERVAL"] = "12h"
    for n in 0..<40 {
      wire.server.on("/\(n)", .ok(Self.rss(every: 900), headers: [("Cache-Control", "max-age=7200")]))
    }
    #expect(try wire.run("fetch").status == 0)
    let waits = try wire.feeds().map { try #require($0.wait) }
    #expect(waits.allSatisfy { (7200...7560).contains($0) }, "\(waits)")
    #expect(Set(waits).count >= 20, "\(waits)")
  }

  @Test func `updatePeriod counts from updateBase`() throws {
    let syndication = "xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'"
    let base = time(nil) - 7200
    var moment = base
    var parts = tm()
    gmtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, 64, "%Y-%m-%dT%H:%M:%SZ", &parts)
    let stamp = String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let hint =
      "<sy:updatePeriod \(syndication)>daily</sy:updatePeriod><sy:updateFrequency \(syndication)>2</sy:updateFrequency>"
      + "<sy:updateBase \(syndication)>\(stamp)</sy:updateBase>"
    let feed = Self.rss(every: 900).replacing("<channel>", with: "<channel>" + hint)
    try wire.add("/feed", .ok(feed))
    let line = try wire.feed()
    // Updates come every twelve hours; the last was two hours ago.
    #expect((36_000 - 5...36_000 + 310).contains(try #require(line.wait)), "\(line)")
    #expect(line.next_due_reason == "updatePeriod")
  }

  @Test func `Busy feeds are polled often, quiet ones rarely`() throws {
    try wire.add("/busy", .ok(Self.rss(every: 1200)))
    try wire.add("/steady", .ok(Self.rss(every: 4 * 3600)))
    try wire.add("/quiet", .ok(Self.rss(every: 10 * 86_400)))
    let feeds = try wire.feeds()
    let waits = try feeds.map { try #require($0.wait) }
    #expect((900...1800).contains(waits[0]), "\(waits)")
    #expect((3600...5 * 3600).contains(waits[1]), "\(waits)")
    #expect((20 * 3600...86_400).contains(waits[2]), "\(waits)")
    #expect(feeds.allSatisfy { $0.next_due_reason == "adaptive" })
  }

  @Test func `With 1,000 feeds on one site, each is polled less often`() throws {
    wire.server.on("/0", .ok(Self.rss(every: 300)))
    try importing((0..<1000).map { wire.server.url("/\($0)") })
    #expect(try wire.run("fetch").status == 75)
    let feed = try wire.feed()
    #expect(feed.next_due_reason == "host budget")
    #expect((2000...2200).contains(try #require(feed.wait)), "\(feed)")
  }

  @Test func `status --plan and status --failing have columns for due time, reason, last error and advice`()
    throws
  {
    let other = try wire.anotherServer()
    other.on("/a", .ok(Self.rss(every: 1200)))
    #expect(try wire.run("feeds", "add", other.url("/a")).status == 0)
    try wire.add("/b", .ok(Self.one), .status(503, headers: [("Retry-After", "1800")]))
    try wire.add("/c", .ok(Self.one), .status(404))
    #expect(try wire.run("fetch", "2", "3").status == 69)
    let plan = try wire.run("status", "--plan", "1h", "--format", "tsv", "--header")
    let rows = plan.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    let head = try #require(rows.first)
    for column in ["due", "reason"] { #expect(head.contains { $0.contains(column) }, "\(head)") }
    let reason = try #require(head.firstIndex { $0.contains("reason") })
    #expect(Set(rows.dropFirst().map { $0[reason] }) == ["adaptive", "Retry-After"])
    let failing = try wire.run("status", "--failing", "--format", "jsonl")
    #expect(failing.lines.count == 2)
    for key in ["failing_since", "last_error", "advice"] {
      #expect(failing.output.contains("\"\(key)\":\""), "\(failing.output)")
    }
    let text = try wire.run("status", "--failing").output
    #expect(text.contains("check the URL"))
    #expect(text.contains("asked not to be polled before"))
  }

  @Test func `A recording contains the responses unchanged, but no secrets of the requests`() throws {
    wire.environment["FEED_SECRET"] = "alice:open sesame"
    wire.server.on("/feed", .ok(Self.one, headers: [("ETag", "\"tag\""), ("X-Odd", "kept")]))
    let url = wire.server.url("/feed")
    #expect(try wire.run("feeds", "add", url, "--set", "credential=env:FEED_SECRET").status == 0)
    let folder = wire.directory.path + "/record"
    #expect(try wire.run("fetch", "--record", folder, "1").status == 0)
    let files = try wire.newsd.run(program: "/bin/sh", ["-c", "cat '\(folder)'/*"]).output
    #expect(files.contains("X-Odd: kept"))
    #expect(files.contains("<title>One</title>"))
    #expect(!files.contains("sesame") && !files.contains("YWxpY2U6"))
  }

  @Test func `A network outage counts as no feed's failure, and the first response ends it`() async throws {
    var others = try ["127.0.0.2", "127.0.0.3"].map { try TestServer(address: $0) }
    defer { others.forEach { $0.stop() } }
    let ports = others.map(\.port)
    try importing(others.map { $0.url("/feed") })
    for other in others { try await other.stopAndClose() }
    let daemon = try wire.newsd.start(["run"])
    #expect(daemon.wait(seconds: 40) { $0.errors.contains("event=network-down") }, "\(daemon.errors)")
    others = try zip(["127.0.0.2", "127.0.0.3"], ports).map { try TestServer(address: $0, port: $1) }
    for other in others { other.on("/feed", .ok(Self.one)) }
    // newsd would retry within a minute by itself.
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait(seconds: 60) { $0.errors.contains("event=network-up") }, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
    #expect(try wire.feeds().allSatisfy { $0.failures == 0 })
  }

  @Test func `Decompression bombs and endless bodies take bounded memory`() throws {
    var urls: [String] = []
    for n in 0..<12 {
      let other = try wire.anotherServer("127.0.2.\(n + 1)")
      other.on("/feed", n.isMultiple(of: 2) ? .gzipBomb(400 << 20) : .endless("<item>"))
      urls.append(other.url("/feed"))
    }
    wire.server.on("/feed", .ok(Self.one))
    try importing(urls + [wire.server.url("/feed")])
    let fetch = try wire.newsd.start(["fetch"])
    let most = peakMemory(of: fetch)
    #expect(try fetch.finish(seconds: 60).status == 75)
    #expect(try wire.titles() == ["One"])
    #expect((1...150 << 10).contains(most), "\(most) KiB")
  }

  @Test func `An edit of a text of megabytes takes bounded memory`() throws {
    // Words of one letter: as strings in an array, they would take fifty times the size of their text.
    let text = String(repeating: "a ", count: 3 << 20)
    let feeds = ["1", "2"].map {
      "<rss version='2.0'><channel><title>T</title><item><guid>1</guid><title>One</title><description>\($0) \(text)"
        + "</description></item></channel></rss>"
    }
    try wire.add("/feed", .gzip(feeds[0]), .gzip(feeds[1]))
    let fetch = try wire.newsd.start(["fetch"])
    let most = peakMemory(of: fetch)
    #expect(try fetch.finish(seconds: 60).status == 0)
    #expect((1...200 << 10).contains(most), "\(most) KiB")
    #expect(try wire.run("show", "1", "--versions").output.contains("1 a a"))
  }

  /// The peak of a process's resident memory until it ends, in KiB.
  private func peakMemory(of process: RunningProgram) -> Int {
    let usage = "/proc/\(process.pid)/status"
    var most = 0
    _ = process.wait(seconds: 60) { _ in
      guard let text = try? String(contentsOfFile: usage, encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
      else { return true }
      most = max(most, Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0)
      return false
    }
    return most
  }
}
