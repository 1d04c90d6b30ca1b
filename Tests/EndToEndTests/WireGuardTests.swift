import TestServer
import TestSupport
import Testing

/// The address guard: only the user can let newsd reach addresses that the public cannot.
@Suite(.blocking) struct `On the wire: guards` {
  let wire: Wire
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
    wire.environment["NEWSD_ALLOW_PRIVATE"] = nil
    wire.server.on("/feed", .ok(Self.one))
  }

  private func importing(_ urls: [String]) throws -> Program.Result {
    try wire.run("feeds", "import", wire.directory.write(urls.joined(separator: "\n") + "\n", to: "urls"))
  }

  @Test
  func `Loopback, private, link-local, shared, unique local, multicast and metadata addresses are refused`()
    throws
  {
    let port = wire.server.port
    let hosts = [
      "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "0.0.0.0", "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.1.1",
      "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "[fd00::1]", "[fe80::1]", "[ff02::1]",
      "localhost",
    ]
    #expect(try importing(hosts.map { "http://\($0):\(port)/feed" }).status == 0)
    #expect(try wire.run("fetch").status == 69)
    #expect(wire.server.connectionCount == 0)
    for feed in try wire.feeds() {
      #expect(feed.last_error?.contains("refused") == true, "\(feed.url): \(feed.last_error ?? "")")
    }
  }

  @Test
  func `A typed URL may have a local address, and so may a feed of the same origin that its page links to`()
    throws
  {
    wire.server.on("/", .ok("<html><link rel='alternate' type='application/rss+xml' href='/feed'></html>"))
    let added = try wire.run("feeds", "add", wire.server.url("/"))
    #expect(added.status == 0, "\(added.errors)")
    #expect(try wire.run("fetch").status == 0)
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.one))
    let link = "<link rel='alternate' type='application/rss+xml' href='\(other.url("/feed"))'>"
    wire.server.on("/abroad", .ok("<html>\(link)</html>"))
    #expect(try wire.run("feeds", "add", wire.server.url("/abroad")).status != 0)
    #expect(other.connectionCount == 0)
  }

  @Test func `A feed without an exemption cannot reuse the connection of an exempt feed`() throws {
    #expect(try wire.run("feeds", "add", wire.server.url("/feed")).status == 0)
    wire.server.on("/other", .ok(Self.one))
    #expect(try importing([wire.server.url("/other")]).status == 0)
    wire.environment["NEWSD_NETWORK_PER_SITE"] = "1"
    #expect(try wire.run("fetch").status == 75)
    #expect(wire.server.count("/feed") == 2)
    #expect(wire.server.count("/other") == 0)
    #expect(try wire.feed(1).last_error?.contains("refused") == true)
  }

  @Test func `The configuration can allow networks and hosts`() throws {
    let other = try wire.anotherServer()
    other.on("/feed", .ok(Self.one))
    #expect(try importing([wire.server.url("/feed"), other.url("/feed")]).status == 0)
    wire.environment["NEWSD_CONFIG"] = wire.directory.write(
      "network:\n  allow: [127.0.0.2]\n",
      to: "newsd.yaml"
    )
    #expect(try wire.run("fetch").status == 75)
    #expect(other.count("/feed") == 1)
    #expect(wire.server.connectionCount == 0)
    wire.environment["NEWSD_CONFIG"] = wire.directory.write(
      "network:\n  allow: [127.0.0.0/8]\n",
      to: "newsd.yaml"
    )
    #expect(try wire.run("fetch").status == 0)
    #expect(wire.server.count("/feed") == 1)
  }

  @Test func `With a proxy, the guard checks host names and address literals`() throws {
    let proxy = try wire.anotherServer()
    wire.environment["NEWSD_NETWORK_PROXY"] = proxy.origin
    proxy.on("http://feeds.example.org/rss", .ok(Self.one))
    let refused = [
      "http://127.0.0.1/rss", "http://127.0.0.1./rss", "http://127.1/rss", "http://10.0.0.1/rss",
      "http://169.254.169.254/rss", "http://[::1]/rss", "http://localhost/rss",
      "http://printer.localhost/rss",
    ]
    #expect(try importing(refused + ["http://feeds.example.org/rss"]).status == 0)
    #expect(try wire.run("fetch").status == 75)
    #expect(proxy.requests.map(\.target) == ["http://feeds.example.org/rss"])
  }

  @Test func `A file URL is read if the user types it, but not if a list contains it`() throws {
    let file = "file://" + wire.directory.write(Self.one, to: "feed.xml")
    let listed = try importing([file, "ftp://127.0.0.1/feed", "gopher://127.0.0.1/feed"])
    #expect(try wire.feeds().isEmpty, "\(listed.errors)")
    wire.server.on("/to-file", .redirect(302, to: file))
    #expect(try wire.run("feeds", "add", wire.server.url("/to-file")).status == 69)
    #expect(try wire.run("feeds", "add", "ftp://127.0.0.1/feed").status == 64)
    #expect(try wire.run("feeds", "add", file).status == 0)
    #expect(try wire.titles() == ["One"])
  }
}
