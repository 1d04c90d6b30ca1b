import Glibc
import Synchronization
import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `On the wire: several processes on one store` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
  }

  /// Counts the requests that the server is processing.
  private final class InHand: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func wait(milliseconds: Int) {
      counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      pause(milliseconds: milliseconds)
      counts.withLock { $0.now -= 1 }
    }
  }

  private let inHand = InHand()

  /// Subscribes to `count` feeds of the server, which are due at once.
  private func subscribe(_ count: Int, delay: Int) throws {
    for n in 0..<count {
      wire.server.on("/\(n)") { [inHand] _ in
        inHand.wait(milliseconds: delay)
        return .ok(Self.one)
      }
    }
    let list = (0..<count).map { wire.server.url("/\($0)") }.joined(separator: "\n") + "\n"
    #expect(try wire.run("feeds", "import", wire.directory.write(list, to: "urls")).status == 0)
  }

  /// Runs all commands at the same time.
  private func runAll(_ commands: [[String]]) throws -> [Program.Result] {
    let running = try commands.map { try wire.newsd.start($0) }
    return try running.map { try $0.finish(seconds: 60) }
  }

  @Test func `Several processes together send at most two concurrent requests to a host`() throws {
    try subscribe(12, delay: 150)
    let numbers = (1...12).map(String.init)
    let results = try runAll(
      [numbers[0..<4], numbers[4..<8], numbers[8..<12]].map { ["fetch"] + $0 }
    )
    #expect(results.map(\.status) == [0, 0, 0])
    #expect(wire.server.requests.count == 12)
    #expect(inHand.most <= 2)
    #expect(try wire.feeds().allSatisfy { $0.items == 1 })
  }

  @Test func `Several processes together keep the spacing of scheduled requests to a host`() throws {
    wire.environment["NEWSD_NETWORK_SPACING"] = "500ms"
    try subscribe(6, delay: 0)
    // Arrivals at a busy server can be close together; the requests before the last one still take their time.
    let start = ContinuousClock.now
    let results = try runAll([["fetch", "--due"], ["fetch", "--due"]])
    let time = ContinuousClock.now - start
    #expect(results.map(\.status) == [0, 0])
    #expect(wire.server.requests.count == 6)
    #expect(time >= .milliseconds(5 * 500))
  }

  @Test func `Two processes that poll due feeds request each feed once`() throws {
    try subscribe(8, delay: 300)
    wire.environment["NEWSD_NETWORK_SPACING"] = "0s"
    _ = try runAll([["fetch", "--due"], ["fetch", "--due"]])
    #expect(wire.server.requests.map(\.target).sorted() == (0..<8).map { "/\($0)" })
  }

  @Test func `Processes share locks even if one reaches the store through a symbolic link`() throws {
    try subscribe(8, delay: 300)
    wire.environment["NEWSD_NETWORK_SPACING"] = "0s"
    let store = wire.directory.path + "/real.db"
    let link = wire.directory.path + "/link.db"
    let list = (0..<8).map { wire.server.url("/\($0)") }.joined(separator: "\n") + "\n"
    #expect(try wire.run("--db", store, "feeds", "import", wire.directory.write(list, to: "l")).status == 0)
    #expect(symlink("real.db", link) == 0)
    _ = try runAll([["--db", store, "fetch", "--due"], ["--db", link, "fetch", "--due"]])
    #expect(wire.server.requests.map(\.target).sorted() == (0..<8).map { "/\($0)" })
    #expect(inHand.most <= 2)
    let daemon = try wire.newsd.start(["--db", store, "run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    #expect(try wire.run("--db", link, "run").status == 73)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `A process with many requests to a site lets another process send its request in between`()
    throws
  {
    wire.environment["NEWSD_NETWORK_PER_SITE"] = "1"
    try subscribe(30, delay: 200)
    let server = wire.server
    let first = try wire.newsd.start(["fetch"] + (1...29).map(String.init))
    #expect(first.wait { _ in !server.requests.isEmpty })
    #expect(try wire.run("fetch", "30").status == 0)
    #expect(try first.finish().status == 0)
    let targets = server.requests.map(\.target)
    #expect(targets.count == 30)
    #expect(try #require(targets.firstIndex(of: "/29")) < 15, "\(targets)")
    #expect(inHand.most == 1)
  }

  @Test func `The daemon respects a Retry-After that another process received`() throws {
    try wire.add("/a", .ok(Self.one), .status(429, headers: [("Retry-After", "5000")]))
    try wire.add("/b", .ok(Self.one))
    let daemon = try wire.newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=schedule") })
    #expect(try wire.run("fetch", "1").status == 69)
    // newsd checks every ten seconds by itself; SIGHUP makes it check now.
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("event=reload") }, "\(daemon.errors)")
    pause(milliseconds: 500)
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { $0.errors.contains("event=refresh feed_id=2") }, "\(daemon.errors)")
    #expect(daemon.errors.contains("Retry-After"))
    #expect(wire.server.count("/b") == 1)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `When a process is killed, its request slots are free for other processes`() throws {
    wire.server.on("/silent", .neverResponds)
    wire.server.on("/feed", .ok(Self.one))
    wire.environment["NEWSD_NETWORK_PER_SITE"] = "1"
    let list = "\(wire.server.url("/silent"))\n\(wire.server.url("/feed"))\n"
    #expect(try wire.run("feeds", "import", wire.directory.write(list, to: "urls")).status == 0)
    let first = try wire.newsd.start(["fetch", "1"])
    let server = wire.server
    #expect(first.wait { _ in server.count("/silent") == 1 })
    let second = try wire.newsd.start(["fetch", "2"])
    #expect(!second.wait(seconds: 1) { _ in server.count("/feed") > 0 })
    first.send(signal: SIGKILL)
    #expect(try first.finish().status == 128 + SIGKILL)
    #expect(try second.finish().status == 0)
    #expect(server.count("/feed") == 1)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `When a command ends by a signal, the program of its feed and that program's child end too`(
    _ signal: Int32
  ) async throws {
    let marker = wire.directory.path + "/pid"
    let program = wire.directory.write("sleep 1000 &\necho $! > '\(marker)'\nwait\n", to: "feed.sh")
    let command = try wire.newsd.start(["feeds", "add", "exec:sh '\(program)'"])
    #expect(command.wait { _ in Self.pid(in: marker) != nil }, "\(command.errors)")
    let child = try #require(Self.pid(in: marker))
    command.send(signal: signal)
    #expect(try command.finish(seconds: 20).status == 128 + signal)
    try await eventually { Self.hasEnded(child) }
  }

  @Test func `A feed's program ends when the daemon is killed`() async throws {
    let marker = wire.directory.path + "/pid"
    let program = wire.directory.write("echo $$ > '\(marker)'\nexec sleep 1000\n", to: "feed.sh")
    #expect(
      try wire.run("feeds", "add", "--force", "exec:sh '\(program)'", "--set", "timeout=1s").status == 0
    )
    #expect(try wire.run("feeds", "set", "1", "timeout=600s").status == 0)
    unlink(marker)
    let daemon = try wire.newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=schedule") })
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { _ in Self.pid(in: marker) != nil }, "\(daemon.errors)")
    let child = try #require(Self.pid(in: marker))
    daemon.send(signal: SIGKILL)
    _ = try daemon.finish(seconds: 20)
    try await eventually { Self.hasEnded(child) }
  }

  /// The process id that a program has written to a file; nil: not yet.
  private static func pid(in path: String) -> Int32? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return Int32(String(decoding: line.prefix { $0 > 32 }.map { UInt8($0) }, as: UTF8.self))
  }

  /// If no process reaps orphans, an ended one stays a zombie, which has no command line.
  private static func hasEnded(_ process: Int32) -> Bool {
    guard let file = fopen("/proc/\(process)/cmdline", "r") else { return true }
    defer { fclose(file) }
    return fgetc(file) == EOF
  }
}
