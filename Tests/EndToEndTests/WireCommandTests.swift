import TestServer
import Testing

@Suite struct `On the wire: what the user sees and decides` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
  }

  @Test func `A move can be adopted at once, and taken back`() throws {
    wire.server.on("/new", .ok(Self.one))
    try wire.add("/old", .redirect(301, to: "/new"))
    #expect(try wire.run("feeds", "moves").output.contains("/new"))
    #expect(try wire.run("feeds", "moves", "--apply", "1").status == 0)
    #expect(try wire.feed().url == wire.server.url("/new"))
    #expect(try wire.titles() == ["One"])
    #expect(try wire.run("feeds", "moves", "--revert", "1").status == 0)
    #expect(try wire.feed().url == wire.server.url("/old"))
  }

  @Test func `The plan tells what is due when and why`() throws {
    try wire.add("/a", .ok(Self.one, headers: [("Cache-Control", "max-age=86400")]))
    try wire.add("/b", .ok(Self.one), .status(503, headers: [("Retry-After", "1800")]))
    #expect(try wire.run("fetch", "2").status == 69)
    let hour = try wire.run("status", "--plan", "1h", "--format", "tsv")
    #expect(hour.lines.count == 1)
    #expect(hour.output.contains("Retry-After"))
    #expect(try wire.run("status", "--plan", "2d", "--format", "tsv").lines.count == 2)
  }

  @Test func `What fails is told with its reason`() throws {
    try wire.add("/a", .ok(Self.one), .status(404))
    try wire.add("/b", .ok(Self.one), .status(410))
    try wire.add("/c", .ok(Self.one))
    _ = try wire.run("fetch")
    let failing = try wire.run("status", "--failing")
    #expect(failing.output.contains("404"))
    #expect(failing.output.contains("410"))
  }

  @Test func `Recorded exchanges refresh another store without a network`() throws {
    try wire.add("/a", .ok(Self.one, headers: [("ETag", "\"1\"")]))
    let folder = wire.directory.path + "/record"
    #expect(try wire.run("fetch", "--record", folder).status == 0)
    // Whole documents are wanted, not a 304.
    #expect(wire.server.requests.last?.header("If-None-Match") == nil)
    let asked = wire.server.requests.count
    let other = wire.directory.path + "/other.db"
    let replay = try wire.run("--db", other, "replay", folder)
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(try wire.run("--db", other, "list", "--format", "tsv", "--fields", "title").output == "One\n")
    #expect(wire.server.requests.count == asked)
  }
}
