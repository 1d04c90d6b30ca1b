import Glibc
import TestServer
import TestSupport
import Testing

/// Secrets for one host are not sent to another.
@Suite(.blocking) struct `On the wire: secrets` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
    wire.environment["PASSWORD"] = "me:secret"
  }

  /// The values of the header fields with secrets, for each request.
  private func told(_ server: TestServer) -> [[String?]] {
    server.requests.map { [$0.header("Authorization"), $0.header("X-Key")] }
  }

  @Test func `The target of an adopted redirect gets no secrets, and reverting the redirect restores them`()
    throws
  {
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.one))
    wire.server.on("/feed", replies: [.ok(Self.one), .redirect(301, to: other.url("/feed"))])
    let added = try wire.run(
      "feeds",
      "add",
      wire.server.url("/feed"),
      "--set",
      "credential=env:PASSWORD",
      "--set",
      "header=X-Key: key"
    )
    #expect(added.status == 0, "\(added.errors)")
    try wire.run("fetch")
    #expect(try wire.run("feeds", "moves", "--apply", "1").status == 0)
    try wire.run("fetch")
    #expect(other.requests.count >= 2)
    #expect(told(other).allSatisfy { $0 == [nil, nil] })
    #expect(told(wire.server).allSatisfy { $0 == ["Basic bWU6c2VjcmV0", "key"] })
    let before = wire.server.requests.count
    #expect(try wire.run("feeds", "moves", "--revert", "1").status == 0)
    try wire.run("fetch")
    #expect(told(wire.server).last == ["Basic bWU6c2VjcmV0", "key"])
    #expect(wire.server.requests.count == before + 1)
    // A reverted move is not adopted again, however often the server repeats it.
    wire.environment["NEWSD_POLL_MOVE_AFTER_POLLS"] = "1"
    wire.environment["NEWSD_POLL_MOVE_AFTER"] = "0s"
    try wire.run("fetch")
    try wire.run("fetch")
    #expect(try wire.feed().url == wire.server.url("/feed"))
  }

  @Test func `Secrets for a page's host are not sent to a feed on another host`() throws {
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.one))
    let link = "<link rel='alternate' type='application/rss+xml' href='\(other.url("/feed"))'>"
    wire.server.on("/", .ok("<html><head>\(link)</head></html>", headers: [("Content-Type", "text/html")]))
    let added = try wire.run("feeds", "add", wire.server.url("/"), "--set", "header=X-Key: key")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains("not sent there"))
    try wire.run("fetch")
    #expect(told(wire.server).first == [nil, "key"])
    #expect(other.requests.count == 2)
    #expect(told(other).allSatisfy { $0 == [nil, nil] })
  }

  @Test func `Resolved links of a feed do not contain the password of its URL`() throws {
    let link = "<link rel='self' href='feed'/><link rel='hub' href='https://hub.example/'/>"
    let entry =
      "<entry><id>1</id><title>One</title><link href='one'/><content type='html'>"
      + "&lt;a href='two'&gt;two&lt;/a&gt;&lt;img src='three.png'&gt;</content></entry>"
    wire.server.on(
      "/feed",
      .ok("<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><id>f</id>\(link)\(entry)</feed>")
    )
    let url = wire.server.url("/feed").replacing("http://", with: "http://me:secret@")
    #expect(try wire.run("feeds", "add", url).status == 0)
    for format in ["jsonl", "html", "atom", "rss", "jsonfeed", "markdown"] {
      let output = try wire.run("list", "--format", format).output
      #expect(output.contains(wire.server.url("/one")), "\(format): \(output)")
      #expect(!output.contains("secret"), "\(format): \(output)")
    }
  }

  @Test func `An untrusted list cannot set the User-Agent field`() throws {
    wire.server.on("/feed", .ok(Self.one))
    let agent = "x&#13;&#10;X-Smuggled: 1&#13;&#10;&#13;&#10;PUT http://169.254.169.254/ HTTP/1.1"
    let outlines = ["newsd:userAgent", "frss:CURLOPT_USERAGENT", "miniflux:userAgent"].enumerated()
      .map { "<outline xmlUrl='\(wire.server.url("/feed?\($0)"))' \($1)='\(agent)'/>" }.joined()
    let spaces = "xmlns:newsd='https://newsd.example/opml' xmlns:frss='https://freshrss.org/opml'"
    let list =
      "<opml version='2.0' \(spaces) xmlns:miniflux='https://miniflux.app/opml'><body>\(outlines)</body></opml>"
    for number in 0..<3 { wire.server.on("/feed?\(number)", .ok(Self.one)) }
    #expect(try wire.run("feeds", "import", wire.directory.write(list, to: "list.opml")).status == 0)
    try wire.run("fetch")
    #expect(wire.server.requests.count == 3)
    #expect(wire.server.requests.allSatisfy { $0.header("User-Agent")?.hasPrefix("newsd/") == true })
    #expect(wire.server.requests.allSatisfy { $0.header("X-Smuggled") == nil })
  }

  @Test func `No output or log shows the password of a URL`() throws {
    wire.server.on("/feed", .ok(Self.one))
    let url = wire.server.url("/feed").replacing("http://", with: "http://me:secret@")
    var shown = try wire.run("feeds", "add", url, "--set", "proxy=").errors
    for arguments in [
      ["-v", "fetch"], ["feeds"], ["feeds", "list", "--format", "jsonl"], ["list", "--format", "jsonl"],
      ["list", "--format", "json"], ["feeds", "set", "1"], ["status"], ["status", "--plan", "7d"],
    ] {
      let result = try wire.newsd.run(arguments)
      shown += result.output + result.errors
    }
    wire.server.on("/feed", .status(500))
    for arguments in [
      ["-v", "fetch"], ["status", "--failing"], ["status", "--failing", "--format", "jsonl"],
      ["status", "--plan", "7d", "--format", "jsonl"], ["status", "--plan", "7d", "--format", "tsv"],
      ["changes", "--after", "0", "--format", "jsonl"], ["feeds", "moves"],
    ] {
      let result = try wire.newsd.run(arguments)
      shown += result.output + result.errors
    }
    let daemon = try wire.newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=schedule") })
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { $0.errors.contains("event=refresh") }, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    shown += try daemon.finish(seconds: 20).errors
    #expect(!shown.contains("secret"), "\(shown)")
    #expect(shown.contains("127.0.0.1"))
    #expect(told(wire.server).last == ["Basic bWU6c2VjcmV0", nil])
  }
}
