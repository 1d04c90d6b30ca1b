import Glibc
import Synchronization
import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `Hooks of the daemon` {
  private let wire: Wire

  init() throws {
    wire = try Wire()
    // Keep the address guard on: each hook in these tests sets its own `allow_private`.
    wire.environment = [:]
  }

  /// Writes the configuration and returns its path.
  private func configure(_ hooks: String) -> String {
    wire.directory.write(
      "hooks:\n" + hooks + "credentials:\n  key: Jefe\npoll: {move_after: 0s, move_after_polls: 1}\n",
      to: "newsd.yaml"
    )
  }

  private func ingest(_ titles: [String], feed: String = "F", configuration: String) throws {
    let lines = titles.map {
      "{\"id\":\"\($0)\",\"title\":\"\($0)\",\"url\":\"https://example.org/\($0)\"}\n"
    }
    let result = try wire.newsd.run(
      ["--config", configuration, "ingest", "--feed", feed],
      input: lines.joined()
    )
    #expect(result.status == 0, "\(result.errors)")
  }

  private func hooks(_ configuration: String) throws -> String {
    try wire.run("--config", configuration, "hooks", "list", "--format", "tsv").output
  }

  /// Runs the daemon until it has registered the hooks and the condition holds, and stops it.
  private func daemon(_ configuration: String, until condition: () throws -> Bool) throws -> Program.Result {
    let daemon = try wire.newsd.start(["--config", configuration, "run"])
    let end = daemon.wait(seconds: 40) { $0.errors.contains("event=start") && (try? condition()) == true }
    #expect(end, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    return try daemon.finish(seconds: 20)
  }

  @Test func `Hooks deliver new items to URLs with a signature, to programs and to mailboxes`() throws {
    let log = wire.directory.path + "/out"
    let script = try wire.directory.writeScript(
      "{ echo \"$NEWSD_HOOK $NEWSD_EVENT $NEWSD_KEY\"; cat; } >> \(log).exec\n",
      to: "save"
    )
    try wire.directory.writeScript("{ echo \"$@\"; cat; } >> \(log).mail\n", to: "sendmail")
    wire.environment["PATH"] = wire.directory.path + ":/usr/bin:/bin"
    wire.server.on("/hook", .status(204))
    let path = configure(
      """
      - {name: web, url: '\(wire.server.url("/hook"))', query: 'title:rust', secret: config:key, allow_private: true}
      - {name: save, exec: [\(script)]}
      - {name: post, mail: you@example.org, query: 'title:rust'}

      """
    )
    let list = try wire.run("--config", path, "hooks")
    #expect(list.status == 66, "\(list.output)\(list.errors)")
    try ingest(["rust-1", "other-2"], configuration: path)
    #expect(try hooks(path).contains("web\turl\t1\t0\t0\t"))
    let result = try daemon(path) {
      try hooks(path) == "web\turl\t0\t0\t1\t\nsave\texec\t0\t0\t2\t\npost\tmail\t0\t0\t1\t\n"
    }
    #expect(result.status == 0, "\(result.errors)")
    let request = try #require(wire.server.requests(to: "/hook").first)
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(wire.server.count("/hook") == 1)
    #expect(body.hasPrefix("{\"schema\":1,\"id\":") && body.contains("\"title\":\"rust-1\""), "\(body)")
    #expect(request.header("Idempotency-Key")?.hasPrefix("web-") == true)
    #expect(request.header("Content-Type") == "application/json")
    let time = try #require(request.header("X-Newsd-Timestamp"))
    let signed = wire.directory.write("\(time).\(body)", to: "signed")
    let digest = try wire.newsd.run(program: Tool.openssl, ["dgst", "-sha256", "-hmac", "Jefe", signed])
      .output
    let digits = String(digest.split(separator: " ").last?.filter { $0 != "\n" } ?? "")
    #expect(request.header("X-Newsd-Signature") == "sha256=\(digits)")
    let saved = try wire.newsd.run(program: "cat", [log + ".exec"]).lines
    #expect(
      saved.count == 4 && saved[0].hasPrefix("save item save-") && saved[1].contains("rust-1"),
      "\(saved)"
    )
    let mail = try wire.newsd.run(program: "cat", [log + ".mail"]).output
    #expect(mail.hasPrefix("-i -- you@example.org\nTo: you@example.org\nSubject: rust-1\n"), "\(mail)")
    #expect(mail.contains("Message-ID: <post-") && mail.contains("https://example.org/rust-1"))
  }

  @Test func `Hooks deliver with templates, as digests, and for events`() throws {
    wire.server.on("/ntfy", .ok("ok"))
    wire.server.on("/digest", .ok("ok"))
    wire.server.on("/feed", .ok(Sample.rss(["First"])), .status(410))
    let path = configure(
      """
      - name: ntfy
        url: \(wire.server.url("/ntfy"))
        template: '\\{"topic":"news","title":{title|json},"click":{url|json}\\}'
        query: ''
        events: [feed-gone]
        allow_private: true
      - {name: daily, url: '\(wire.server.url("/digest"))', query: 'title:Second', every: 1m, allow_private: true}

      """
    )
    #expect(try wire.run("--config", path, "feeds", "add", wire.server.url("/feed")).status == 0)
    try ingest(["Second", "Second too"], configuration: path)
    let daemon = try wire.newsd.start(["--config", path, "run"])
    defer { daemon.send(signal: SIGKILL) }
    #expect(daemon.wait { _ in wire.server.count("/ntfy") == 2 }, "\(daemon.errors)")
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { _ in wire.server.count("/ntfy") == 3 }, "\(daemon.errors)")
    let bodies = wire.server.requests(to: "/ntfy").map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies[0] == "{\"topic\":\"news\",\"title\":\"Second\",\"click\":\"https://example.org/Second\"}")
    #expect(bodies[2].contains("is gone (410)"), "\(bodies)")
    #expect(wire.server.requests(to: "/ntfy").last?.header("X-Newsd-Event") == "feed-gone")
    // The digest is due at the next whole minute.
    #expect(daemon.wait(seconds: 75) { _ in wire.server.count("/digest") == 1 }, "\(daemon.errors)")
    let digest = String(decoding: wire.server.requests(to: "/digest")[0].body, as: UTF8.self)
    #expect(digest.hasPrefix("[{\"schema\":1,") && digest.hasSuffix("}]\n"))
    #expect(digest.contains("\"title\":\"Second\"") && digest.contains("\"title\":\"Second too\""))
  }

  @Test func `Saved, starred and labelled items are delivered; without a hook that saves, 'save' fails`()
    throws
  {
    let log = wire.directory.path + "/out"
    let script = try wire.directory.writeScript(
      "{ echo \"$NEWSD_EVENT $NEWSD_KEY\"; cat; } >> \(log)\n",
      to: "keep"
    )
    let path = configure("- {name: keep, events: [saved, starred, labelled], exec: [\(script)]}\n")
    try ingest(["one", "two"], configuration: path)
    #expect(try wire.run("save", "1").status == 0, "the hook is in the store")
    #expect(try wire.run("--config", path, "mark", "starred", "title:two").status == 0)
    #expect(try wire.run("label", "add", "Später lesen", "title:one").errors.contains("1 item labelled"))
    #expect(try wire.run("label", "add", "später lesen", "1", "2").errors.contains("2 items labelled"))
    #expect(try wire.run("label", "list", "--format", "tsv").output == "Später lesen\t2\n")
    #expect(try wire.run("search", "label:\"später lesen\"", "--count").output == "2\n")
    #expect(try wire.run("save", "2", "99").status == 66)
    _ = try daemon(path) { try hooks(path).contains("keep\texec\t0\t0\t5\t") }
    let lines = try wire.newsd.run(program: "cat", [log]).lines
    let events = lines.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element.split(separator: " ") }
    #expect(events.map { $0[0] } == ["saved", "starred", "labelled", "labelled", "saved"])
    #expect(Set(events.map { $0[1] }).count == 5)
    #expect(lines[5].contains("\"labels\":[\"Später lesen\"]"), "\(lines)")
    #expect(try wire.run("label", "remove", "Später lesen", "is:starred").errors.contains("from 1 item"))
    #expect(try wire.run("label", "add", "", "1").status == 64)
    #expect(try wire.run("label", "add", "x").status == 64)
    let none = configure("")
    #expect(try wire.run("--config", none, "fetch").status == 0)
    _ = try daemon(none) { try hooks(none).contains("keep\t\t0") || !hooks(none).contains("exec") }
    let refused = try wire.run("--config", none, "save", "1")
    #expect(refused.status == 78 && refused.errors.contains("newsd hooks presets"), "\(refused.errors)")
  }

  @Test func `A refused delivery is listed and can be retried; a private address needs permission`() throws {
    wire.server.on("/hook", .status(404), .ok("ok"))
    let path = configure(
      """
      - {name: web, url: '\(wire.server.url("/hook"))', allow_private: true}
      - {name: inside, url: '\(wire.server.url("/inside"))'}

      """
    )
    try ingest(["one", "two"], configuration: path)
    // The server counts a request before the daemon has its answer: a daemon that stops between them sends it again.
    _ = try daemon(path) { try hooks(path).contains("web\turl\t0\t1\t1\t") }
    #expect(wire.server.count("/hook") == 2)
    let failed = try wire.run(
      "--config",
      path,
      "hooks",
      "list",
      "--failed",
      "--format",
      "tsv",
      "--fields",
      "hook,title,error"
    )
    #expect(failed.output == "web\tone\tstatus 404\n")
    #expect(wire.server.count("/inside") == 0)
    let states = try wire.run("--config", path, "hooks").output
    #expect(states.contains("inside") && states.contains("2 pending"), "\(states)")
    #expect(!states.contains("/inside"), "the URL's path is shown: \(states)")
    #expect(
      try wire.run("--config", path, "hooks", "retry", "web").errors.contains(
        "1 delivery will be tried again"
      )
    )
    _ = try daemon(path) { try hooks(path).contains("web\turl\t0\t0\t2\t") }
    let sent = wire.server.requests(to: "/hook").compactMap { $0.header("Idempotency-Key") }
    #expect(sent[0] == sent[2] && sent[0] != sent[1])
    #expect(
      try wire.run("--config", path, "hooks", "drop", "inside").errors.contains(
        "dropped 2 deliveries of inside"
      )
    )
    #expect(try wire.run("--config", path, "hooks", "drop", "nothing").status == 66)
  }

  @Test func `hooks test sends a sample and reports the outcome`() throws {
    wire.server.on("/hook", .ok("ok"), .status(500))
    let path = configure("  - {name: web, url: '\(wire.server.url("/hook"))', allow_private: true}\n")
    try ingest(["one"], configuration: path)
    let good = try wire.run("--config", path, "hooks", "test", "web")
    #expect(good.status == 0 && good.errors.contains("delivered a sample"), "\(good.errors)")
    #expect(wire.server.requests(to: "/hook")[0].header("X-Newsd-Event") == "test")
    let bad = try wire.run("--config", path, "hooks", "test", "web")
    #expect(bad.status == 69 && bad.errors.contains("status 500"), "\(bad.errors)")
    #expect(try wire.run("--config", path, "hooks", "test", "other").status == 66)
    #expect(try hooks(path).hasPrefix("web\turl\t1\t0\t0\t"))
  }

  @Test func `A hook that hangs does not delay others, and the daemon stops without waiting for it`() throws {
    let server = wire.server
    server.on("/silent", .neverResponds)
    // Answers only while the other hook hangs.
    server.on("/hook") { _ in
      while server.count("/silent") == 0 { usleep(1000) }
      return .ok("ok")
    }
    let path = configure(
      """
      - {name: a, url: '\(wire.server.url("/silent"))', allow_private: true}
      - {name: b, url: '\(wire.server.url("/hook"))', allow_private: true}

      """
    )
    try ingest(["1", "2", "3"], configuration: path)
    let result = try daemon(path) {
      try hooks(path).contains("b\turl\t0\t0\t3\t") && wire.server.count("/silent") == 1
    }
    #expect(result.status == 0)
    #expect(wire.server.mostInFlight == 2)
    #expect(try hooks(path).hasPrefix("a\turl\t3\t0\t0\t\nb\turl\t0\t0\t3\t"))
  }

  @Test func `A hook that SIGHUP adds delivers only items that are stored later`() throws {
    wire.server.on("/hook", .ok("ok"))
    let path = configure("")
    try ingest(["before"], configuration: path)
    let daemon = try wire.newsd.start(["--config", path, "run"])
    defer { daemon.send(signal: SIGKILL) }
    #expect(daemon.wait { $0.errors.contains("event=start") })
    _ = configure("  - {name: web, url: '\(wire.server.url("/hook"))', allow_private: true}\n")
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("event=reload") })
    // A process without the hook in its configuration fires it, too.
    let other = wire.directory.write("", to: "other.yaml")
    try ingest(["after"], configuration: other)
    #expect(daemon.wait { _ in wire.server.count("/hook") == 1 }, "\(daemon.errors)")
    #expect(String(decoding: wire.server.requests(to: "/hook")[0].body, as: UTF8.self).contains("after"))
  }

  /// Items are stored, and deliveries made to a server that fails and hangs, while processes are killed.
  @Test func `Every item arrives, although the daemon is killed 100 times`() throws {
    let rounds = 100
    let arrived = Mutex<[String: Set<String>]>([:])
    let count = Mutex(0)
    wire.server.on("/hook") { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      let body = String(decoding: request.body, as: UTF8.self)
      if number % 7 == 3 { return .status(503, headers: [("Retry-After", "0")]) }
      if number % 11 == 5 { return .closes }
      if number % 29 == 7 { return .neverResponds }
      arrived.withLock { _ = $0[request.header("Idempotency-Key") ?? "", default: []].insert(body) }
      // The daemon may be killed between the answer and its end.
      return number % 5 == 1 ? .ok("ok").delayed(20) : .ok("ok")
    }
    let path = configure(
      "  - {name: web, url: '\(wire.server.url("/hook"))', allow_private: true, timeout: 300ms}\n"
    )
    try ingest(["start"], configuration: path)
    var stored = 1
    for round in 0..<rounds {
      if round % 4 == 0 {
        try ingest((0..<8).map { "r\(round)-\($0)" }, configuration: path)
        stored += 8
        // Attempts that failed make the hook pause.
        _ = try wire.run("--config", path, "hooks", "retry")
      }
      let wanted = count.withLock { $0 } + 1 + round % 4
      let daemon = try wire.newsd.start(["--config", path, "run"])
      _ = daemon.wait(seconds: 1) { _ in count.withLock { $0 } >= wanted }
      daemon.send(signal: SIGKILL)
      _ = try daemon.finish()
    }
    let daemon = try wire.newsd.start(["--config", path, "run"])
    defer { daemon.send(signal: SIGKILL) }
    for _ in 0..<60 where arrived.withLock({ $0.count }) < stored {
      _ = try wire.run("--config", path, "hooks", "retry")
      _ = daemon.wait(seconds: 1) { _ in arrived.withLock { $0.count } == stored }
    }
    let found = arrived.withLock { $0 }
    #expect(found.count == stored)
    #expect(found.values.allSatisfy { $0.count == 1 }, "a key had two bodies")
    #expect(Set(found.values.joined()).count == stored)
    #expect(try wire.run("check").status == 0)
  }
}
