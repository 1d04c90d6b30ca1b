import Glibc
import TestServer
import TestSupport
import Testing

/// The daemon with a hub whose part the test plays (W3C WebSub).
@Suite(.enabled(if: !Tool.openssl.isEmpty, "openssl is not installed"), .blocking)
struct `On the wire: hubs` {
  let wire: Wire
  let port: UInt16

  init() throws {
    wire = try Wire()
    port = try UnusedPort.next()
    wire.server.on("/hub", .status(202))
  }

  private var callback: String { "http://127.0.0.1:\(port)/hooks" }

  private func links(_ extra: [(String, String)] = []) -> [(String, String)] {
    [("Link", "<\(wire.server.url("/hub"))>; rel=\"hub\", <\(wire.server.url("/feed"))>; rel=\"self\"")]
      + extra
  }

  private func undated(_ titles: [String]) -> String {
    Sample.rss(titles).replacing("pubDate", with: "x-date")
  }

  private func start() throws -> RunningProgram {
    let daemon = try wire.newsd.start(["run", "--websub", callback])
    guard daemon.wait(until: { $0.errors.contains("event=start") }) else {
      throw Program.Failure(message: daemon.errors)
    }
    return daemon
  }

  private func stop(_ daemon: RunningProgram) throws {
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  /// The form fields of the hub's `count`th request.
  private func asked(_ daemon: RunningProgram, _ count: Int = 1) throws -> [String: String] {
    let server = wire.server
    guard daemon.wait(until: { _ in server.count("/hub") >= count }) else {
      throw Program.Failure(message: "the hub was not asked: \(daemon.errors)")
    }
    let request = server.requests(to: "/hub")[count - 1]
    #expect(request.method == "POST")
    var fields: [String: String] = [:]
    for pair in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      fields[parts[0]] = parts.last?.replacing("%3A", with: ":").replacing("%2F", with: "/")
    }
    return fields
  }

  /// Verifies the intent of the subscription, as a hub must.
  private func verify(_ fields: [String: String], lease: Int) throws -> Client.Answer {
    let topic = fields["hub.topic"] ?? ""
    let query = "?hub.mode=subscribe&hub.topic=\(topic)&hub.challenge=riddle&hub.lease_seconds=\(lease)"
    return try Client.send("GET", (fields["hub.callback"] ?? "") + query)
  }

  private func sign(_ body: String, _ secret: String) throws -> String {
    var openssl = wire.newsd
    openssl.executable = Tool.openssl
    let digest = try openssl.run(["dgst", "-sha256", "-hmac", secret, "-r"], input: body).output
    return "sha256=\(digest.prefix { $0.isHexDigit })"
  }

  private func push(_ body: String, _ fields: [String: String], signature: String) throws -> Int {
    try Client.send(
      "POST",
      fields["hub.callback"] ?? "",
      headers: [("Content-Type", "application/rss+xml"), ("X-Hub-Signature", signature)],
      body: body
    ).status
  }

  @Test
  func `newsd subscribes at a hub, polls rarely, stores only signed pushes, and resumes the lease`()
    throws
  {
    // Without dates, the feed would be polled every hour.
    let one = undated(["One"])
    let two = undated(["Two", "One"])
    try wire.add("/feed", .ok(one, headers: links([("ETag", "\"1\"")])), .status(304))
    var daemon = try start()

    // The hub is known from `feeds add`, so asking it needs no poll.
    let fields = try asked(daemon)
    #expect(fields["hub.mode"] == "subscribe")
    #expect(fields["hub.topic"] == wire.server.url("/feed"))
    #expect(fields["hub.callback"]?.hasPrefix(callback + "/") == true)
    let secret = try #require(fields["hub.secret"])
    #expect(secret.utf8.count >= 32)
    #expect(wire.server.count("/feed") == 1)

    // newsd confirms only subscriptions that it has asked for.
    #expect(try Client.send("GET", callback + "/guess?hub.mode=subscribe&hub.challenge=x").status == 404)
    let answer = try verify(fields, lease: 864_000)
    #expect(answer.status == 200 && answer.body == "riddle")
    #expect(daemon.wait { $0.errors.contains("its hub pushes it until") }, "\(daemon.errors)")
    let planned = try wire.feed()
    #expect(planned.next_due_reason == "WebSub")
    // Every hour without a hub; with one, when no push came for six hours.
    #expect(try #require(planned.wait) > 4 * 3600)

    // Pushes: wrong signatures are discarded, the right one is stored.
    #expect(try push(two, fields, signature: "sha256=00") == 202)
    #expect(try push(two, fields, signature: try sign(two, "guess")) == 202)
    #expect(try push(two, fields, signature: try sign(two, secret)) == 202)
    #expect(daemon.wait { $0.errors.contains("pushed by its hub") }, "\(daemon.errors)")
    #expect(try wire.titles() == ["One", "Two"])
    #expect(wire.server.count("/feed") == 1)
    #expect(daemon.errors.components(of: "pushed by its hub") == 1)
    try stop(daemon)

    // After a restart pushes are still accepted, and the hub is not asked again.
    daemon = try start()
    let three = undated(["Three", "Two", "One"])
    #expect(daemon.wait { $0.errors.contains("its hub pushes it until") }, "\(daemon.errors)")
    #expect(try push(three, fields, signature: try sign(three, secret)) == 202)
    #expect(daemon.wait { $0.errors.contains("pushed by its hub") }, "\(daemon.errors)")
    #expect(try wire.titles() == ["One", "Three", "Two"])
    #expect(wire.server.count("/hub") == 1)
    #expect(try wire.feed().next_due_reason == "WebSub")

    // A denial ends the subscription: the schedule follows the feed's own rhythm again.
    let denial = "?hub.mode=denied&hub.topic=\(wire.server.url("/feed"))&hub.reason=tired"
    #expect(try Client.send("GET", (fields["hub.callback"] ?? "") + denial).status == 200)
    #expect(daemon.wait { $0.errors.contains("does not push it any more") }, "\(daemon.errors)")
    #expect(try wire.feed().next_due_reason == "adaptive")
    try stop(daemon)
    #expect(try wire.run("check").status == 0)
  }

  @Test func `A feed is polled by the end of its lease; if newsd cannot receive pushes, by its own rhythm`()
    throws
  {
    try wire.add("/feed", .ok(undated(["One"]), headers: links()))
    let daemon = try start()
    // A lease shorter than newsd's wait before a renewal; newsd counts at least a minute.
    #expect(try verify(try asked(daemon), lease: 3600 * 3).status == 200)
    #expect(daemon.wait { $0.errors.contains("its hub pushes it until") }, "\(daemon.errors)")
    let feed = try wire.feed()
    #expect(feed.next_due_reason == "WebSub")
    // The next poll is due by the end of the lease.
    let wait = try #require(feed.wait)
    #expect((10_000...10_810).contains(wait))
    try stop(daemon)
    // Without `--websub`, newsd cannot receive pushes.
    let deaf = try wire.newsd.start(["run"])
    #expect(deaf.wait { $0.errors.contains("event=start") })
    #expect(try wire.feed().next_due_reason == "adaptive")
    try stop(deaf)
  }

  @Test
  func `For a feed added during a run, newsd subscribes at its hub; pushes for a removed feed are rejected`()
    throws
  {
    let daemon = try start()
    try wire.add("/feed", .ok(Sample.rss(["One"]), headers: links()))
    let fields = try asked(daemon)
    #expect(try verify(fields, lease: 864_000).status == 200)
    #expect(try wire.run("feeds", "remove", "1").status == 0)
    let callback = try #require(fields["hub.callback"])
    #expect(
      daemon.wait(seconds: 30) { _ in
        (try? Client.send("POST", callback, body: "x").status) == 410
      }
    )
    try stop(daemon)
  }

  @Test(arguments: ["hub.example", "https://hub.example/", "ftp://127.0.0.1/", "http://127.0.0.1:1/?x=1"])
  func `An invalid callback URL is rejected`(callback: String) throws {
    #expect(try wire.run("run", "--websub", callback).status == 64)
  }

  @Test func `A listening address in use is an error at the start`() throws {
    #expect(try wire.run("run", "--websub", wire.server.url("/")).status == 73)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
