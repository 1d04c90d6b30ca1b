import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `On the wire: commands and their output` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
  }

  @Test func `A permanent redirect can be adopted as the feed's URL at once, and reverted`() throws {
    wire.server.on("/new", .ok(Self.one))
    try wire.add("/old", .redirect(301, to: "/new"))
    #expect(try wire.run("feeds", "moves").output.contains("/new"))
    #expect(try wire.run("feeds", "moves", "--apply", "1").status == 0)
    #expect(try wire.feed().url == wire.server.url("/new"))
    #expect(try wire.titles() == ["One"])
    #expect(try wire.run("feeds", "moves", "--revert", "1").status == 0)
    #expect(try wire.feed().url == wire.server.url("/old"))
  }

  @Test func `The plan lists the feeds that are due within a given time, and the reason`() throws {
    try wire.add("/a", .ok(Self.one, headers: [("Cache-Control", "max-age=86400")]))
    try wire.add("/b", .ok(Self.one), .status(503, headers: [("Retry-After", "1800")]))
    #expect(try wire.run("fetch", "2").status == 69)
    let hour = try wire.run("status", "--plan", "1h", "--format", "tsv")
    #expect(hour.lines.count == 1)
    #expect(hour.output.contains("Retry-After"))
    #expect(try wire.run("status", "--plan", "2d", "--format", "tsv").lines.count == 2)
  }

  @Test func `A failing feed is shown with its reason`() throws {
    try wire.add("/a", .ok(Self.one), .status(404))
    try wire.add("/b", .ok(Self.one), .status(410))
    try wire.add("/c", .ok(Self.one))
    _ = try wire.run("fetch")
    let failing = try wire.run("status", "--failing")
    #expect(failing.output.contains("404"))
    #expect(failing.output.contains("410"))
    #expect(failing.output.contains("says that it is gone"))
  }

  @Test func `replay rejects a missing folder, a folder without a recording, and a store with feeds`() throws
  {
    #expect(try wire.run("replay", wire.directory.path + "/nowhere").status == 66)
    let folder = wire.directory.path + "/record"
    try wire.add("/a", .ok(Self.one))
    #expect(try wire.run("replay", wire.directory.path).status == 65)
    #expect(try wire.run("fetch", "--record", folder).status == 0)
    // Replay refuses the default store if it has feeds.
    let refused = try wire.run("replay", folder)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--db NEW.db"), "\(refused.errors)")
    #expect(try wire.run("--db", wire.directory.path + "/new.db", "replay", folder).status == 0)
  }

  @Test func `Two concurrent runs never request the same feed at the same time`() async throws {
    for n in 0..<4 { try wire.add("/\(n)", .ok(Self.one), Reply.ok(Self.one).delayed(1500)) }
    let newsd = wire.newsd
    let results = try await withThrowingTaskGroup(of: Program.Result.self) { group in
      for _ in 0..<2 { group.addTask { try newsd.run(["-v", "fetch"]) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.map(\.status) == [0, 0])
    for n in 0..<4 {
      // `feeds add` sent the first request.
      let times = wire.server.requests(to: "/\(n)").dropFirst().map(\.time)
      #expect(!times.isEmpty)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1400 }, "\(times)")
    }
  }

  @Test func `No output shows the password of a URL`() throws {
    wire.server.on("/a", replies: [.ok(Self.one), .status(500)])
    let url = wire.server.url("/a").replacing("://", with: "://alice:secret@")
    #expect(try wire.run("feeds", "add", url).status == 0)
    try wire.run("fetch")
    for arguments in [
      ["status", "--failing", "--format", "jsonl"], ["status", "--plan", "9d", "--format", "jsonl"],
      ["changes", "--after", "0", "--format", "jsonl"], ["feeds", "list", "--format", "jsonl"],
    ] {
      let result = try wire.newsd.run(arguments)
      #expect(result.output.contains("127.0.0.1"), "\(arguments)")
      #expect(!(result.output + result.errors).contains("secret"), "\(arguments)")
    }
  }

  @Test func `Recorded exchanges refresh another store without a network`() throws {
    try wire.add("/a", .ok(Self.one, headers: [("ETag", "\"1\"")]))
    let folder = wire.directory.path + "/record"
    #expect(try wire.run("fetch", "--record", folder).status == 0)
    // A recording needs whole documents, so the request must be unconditional.
    #expect(wire.server.requests.last?.header("If-None-Match") == nil)
    let asked = wire.server.requests.count
    let other = wire.directory.path + "/other.db"
    let replay = try wire.run("--db", other, "replay", folder)
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(try wire.run("--db", other, "list", "--format", "tsv", "--fields", "title").output == "One\n")
    #expect(wire.server.requests.count == asked)
  }
}
