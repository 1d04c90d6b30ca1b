import TestServer
import TestSupport
import Testing

/// The settings of a feed affect its requests only.
@Suite(.blocking) struct `On the wire: settings of one feed` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
    wire.environment["FEED_SECRET"] = "alice:open sesame"
    wire.server.on("/plain", .ok(Self.one))
    #expect(try wire.run("feeds", "add", wire.server.url("/plain")).status == 0)
    wire.server.on("/feed", .ok(Self.one))
  }

  private func add(_ url: String, _ settings: String...) throws -> Program.Result {
    try wire.newsd.run(["feeds", "add", url] + settings.flatMap { ["--set", $0] })
  }

  private func sent(_ field: String, to path: String = "/feed") -> [String?] {
    wire.server.requests(to: path).map { $0.header(field) }
  }

  @Test func `The user agent and extra fields are sent`() throws {
    let added = try add(
      wire.server.url("/feed"),
      "user-agent=Reader/1 (by appointment)",
      "header=X-Key: 1",
      "header=X-Other: 2"
    )
    #expect(added.status == 0, "\(added.errors)")
    try wire.run("fetch")
    #expect(sent("User-Agent") == ["Reader/1 (by appointment)", "Reader/1 (by appointment)"])
    #expect(sent("X-Key") == ["1", "1"])
    #expect(sent("X-Other") == ["2", "2"])
    #expect(sent("X-Key", to: "/plain") == [nil, nil])
    #expect(sent("User-Agent", to: "/plain").allSatisfy { $0?.hasPrefix("newsd/") == true })
  }

  @Test(arguments: [
    ("env:FEED_SECRET", "Basic YWxpY2U6b3BlbiBzZXNhbWU="), ("file:token", "Bearer abc.def"),
    ("config:work", "Basic Ym9iOndvcmQ="),
  ])
  func `A credential from the environment, a file or the configuration is sent, and never shown`(
    _ reference: String,
    _ field: String
  ) throws {
    let file = wire.directory.write("Bearer abc.def\n", to: "token")
    wire.environment["NEWSD_CONFIG"] = wire.directory.write(
      "credentials:\n  work: bob:word\n",
      to: "newsd.yaml"
    )
    let reference = reference.replacing("file:token", with: "file:\(file)")
    var shown = try add(wire.server.url("/feed"), "credential=\(reference)")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(sent("Authorization") == [field])
    #expect(sent("Authorization", to: "/plain") == [nil])
    wire.server.on("/feed", .status(401))
    for arguments in [
      ["-v", "fetch"], ["feeds", "set", "2"], ["status", "--failing"], ["feeds", "export"],
    ] {
      let result = try wire.newsd.run(arguments)
      shown.output += result.output + result.errors
    }
    for secret in ["sesame", "abc.def", "word"] { #expect(!shown.output.contains(secret), "\(shown.output)") }
    #expect(shown.output.contains("credential"))
  }

  @Test func `A proxy receives the full URL, with an international host in its ASCII form`() throws {
    wire.environment["NEWSD_ALLOW_PRIVATE"] = nil
    let proxy = try wire.anotherServer()
    proxy.on("http://feeds.example.org/rss", .ok(Self.one))
    proxy.on("http://xn--bcher-kva.example/rss", .ok(Self.one))
    for url in ["http://feeds.example.org/rss", "http://bücher.example/rss"] {
      let added = try add(url, "proxy=\(proxy.origin)")
      #expect(added.status == 0, "\(added.errors)")
    }
    #expect(
      proxy.requests.map(\.target) == ["http://feeds.example.org/rss", "http://xn--bcher-kva.example/rss"]
    )
    #expect(proxy.requests.map { $0.header("Host") } == ["feeds.example.org", "xn--bcher-kva.example"])
    #expect(wire.server.requests.map(\.target) == ["/plain"])
  }

  @Test func `With socks5h the proxy resolves the name`() throws {
    let proxy = try wire.anotherServer()
    // The server does not speak SOCKS; the connection attempt is enough.
    let added = try add("http://no-such-host.invalid/", "proxy=socks5h://\(proxy.address):\(proxy.port)")
    #expect(added.status == 69)
    #expect(proxy.connectionCount == 1)
  }

  @Test func `Hosts of one registrable domain share its limit on concurrent requests; other hosts do not`()
    throws
  {
    wire.environment["NEWSD_ALLOW_PRIVATE"] = nil
    let proxy = try wire.anotherServer()
    wire.environment["NEWSD_NETWORK_PROXY"] = proxy.origin
    func most(_ hosts: [String], of count: Int) throws -> Int {
      let proxy = try wire.anotherServer("127.0.0.\(hosts.count + 2)")
      wire.environment["NEWSD_NETWORK_PROXY"] = proxy.origin
      wire.environment["NEWSD_DB"] = wire.directory.path + "/\(hosts[0]).db"
      let urls = hosts.map { "http://\($0)/rss" }
      for url in urls { proxy.on(url, Reply.ok(Self.one).delayed(100), whenInFlight: count) }
      let file = wire.directory.write(urls.joined(separator: "\n") + "\n", to: "urls")
      #expect(try wire.run("feeds", "import", file).status == 0)
      #expect(try wire.run("fetch").status == 0)
      #expect(proxy.requests.count == urls.count)
      return proxy.mostInFlight
    }
    #expect(try most(["a.example.co.uk", "b.example.co.uk", "c.example.co.uk", "example.co.uk"], of: 2) == 2)
    #expect(try most(["a.co.uk", "b.co.uk", "c.co.uk", "d.co.uk", "e.co.uk"], of: 3) > 2)
  }

  @Test func `A feed's interval limits set its due time, and are shown as the reason`() throws {
    let headers = [("Cache-Control", "max-age=7200")]
    for n in 0..<3 { wire.server.on("/\(n)", .ok(Self.one, headers: headers)) }
    #expect(try add(wire.server.url("/0")).status == 0)
    #expect(try add(wire.server.url("/1"), "minimum-interval=30h", "maximum-interval=40h").status == 0)
    #expect(try add(wire.server.url("/2"), "maximum-interval=1h").status == 0)
    let feeds = try Array(wire.feeds().dropFirst())
    let waits = try feeds.map { try #require($0.wait) }
    #expect((7200...86_400).contains(waits[0]))
    #expect((30 * 3600...40 * 3600).contains(waits[1]))
    #expect(waits[2] <= 3600)
    #expect(feeds[1].next_due_reason == "user")
    #expect(feeds[2].next_due_reason == "user")
    #expect(try wire.run("feeds", "set", "2", "maximum-interval=20m").status == 0)
    #expect(try wire.feed(1).next_due_reason == "user")
    #expect(try wire.feed(1).wait == 1200)
  }

  @Test func `The timeout and the maximum size apply`() throws {
    wire.server.on("/slow", Reply.ok(Self.one).delayed(4000))
    #expect(try add(wire.server.url("/slow"), "timeout=1s").status == 69)
    wire.server.on("/large", .ok(Self.one + String(repeating: " ", count: 100_000)))
    let large = try add(wire.server.url("/large"), "maximum-size=64KiB")
    #expect(large.status == 69)
    #expect(large.errors.contains("64 KiB") || large.errors.contains("65536"), "\(large.errors)")
    #expect(try add(wire.server.url("/large"), "maximum-size=256KiB").status == 0)
  }

  @Test func `A feed's encoding overrides the document's`() throws {
    // "Привет" in Windows-1251, in a document that declares ISO-8859-1.
    let head =
      "<?xml version='1.0' encoding='iso-8859-1'?><rss version='2.0'><channel><title>T</title><item><title>"
    let body =
      Array(head.utf8) + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2] + Array("</title></item></channel></rss>".utf8)
    wire.server.on("/feed", .ok(body))
    #expect(try add(wire.server.url("/feed"), "encoding=windows-1251").status == 0)
    #expect(try wire.titles().contains("Привет"))
  }

  @Test func `An IPv6 address is reached`() throws {
    let other = try wire.anotherServer("::1")
    other.on("/feed", .ok(Self.one))
    let added = try add(other.url("/feed"))
    #expect(added.status == 0, "\(added.errors)")
    #expect(other.requests.first?.header("Host") == "[::1]:\(other.port)")
  }

  @Test func `OPML with secrets keeps all settings for a trusted import`() throws {
    #expect(
      try add(
        wire.server.url("/feed"),
        "user-agent=Reader/1",
        "header=X-Key: 1",
        "credential=env:FEED_SECRET",
        "minimum-interval=30h",
        "timeout=50s",
        "maximum-size=1MiB",
        "encoding=utf-8",
        "verify-tls=false"
      ).status == 0
    )
    let settings = try wire.run("feeds", "set", "2").output
    let shared = try wire.run("feeds", "export")
    #expect(!shared.output.contains("X-Key") && !shared.output.contains("FEED_SECRET"))
    #expect(shared.errors.contains("left out the secrets of 1 feed;"))
    let whole = try wire.run("feeds", "export", "--secrets").output
    let list = wire.directory.write(whole, to: "list.opml")
    wire.environment["NEWSD_DB"] = wire.directory.path + "/trusting.db"
    #expect(try wire.run("feeds", "import", "--trust", list).status == 0)
    #expect(try wire.run("feeds", "set", "2").output == settings)
    try wire.run("fetch")
    #expect(sent("X-Key").last == "1")
    #expect(sent("Authorization").last == "Basic YWxpY2U6b3BlbiBzZXNhbWU=")
    wire.environment["NEWSD_DB"] = wire.directory.path + "/wary.db"
    let wary = try wire.run("feeds", "import", list)
    #expect(wary.errors.contains("not imported"))
    try wire.run("fetch")
    #expect(sent("User-Agent").last.flatMap { $0 }?.hasPrefix("newsd/") == true)
    #expect(sent("X-Key").last == .some(nil))
    #expect(sent("Authorization").last == .some(nil))
  }
}
