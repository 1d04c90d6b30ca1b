import Glibc
import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `Icons fetched by the daemon` {
  private let directory = TemporaryDirectory()

  @Test func `The icon of a site is found, served without a log-in, and copied by a backup that asks for it`()
    async throws
  {
    let server = try TestServer()
    defer { server.stop() }
    let png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR\0\0\0\u{10}\0\0\0\u{10}!".utf8)
    let site = "<link>\(server.url("/"))</link>"
    let feed = Sample.rss(["First"]).replacing("<link>https://example.org/</link>", with: site)
    server.on("/feed", .ok(feed))
    server.on("/favicon.ico", .ok(png))
    let newsd = Program(
      in: directory,
      environment: ["NEWSD_ALLOW_PRIVATE": "1", "NEWSD_WEB_LISTEN": "127.0.0.1:0"]
    )
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    let password = try newsd.run("web", "apps", "add", "phone").output.dropLast()
    let daemon = try newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=icons found=1") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    let url = "http://127.0.0.1:\(port)"
    let login = try Client.send(
      "POST",
      url + "/accounts/ClientLogin",
      headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: "Email=newsd&Passwd=\(password)"
    ).body
    let token = try #require(login.split(separator: "\n").first { $0.hasPrefix("Auth=") }).dropFirst(5)
    let list = try Client.send(
      "GET",
      url + "/reader/api/0/subscription/list?output=json",
      headers: [("Authorization", "GoogleLogin auth=\(token)")]
    ).body
    let icon = try #require(list.split(separator: "\"").first { $0.contains("/icons/") })
    let path = String(icon.dropFirst("http://127.0.0.1".count))
    let picture = try Client.send("GET", url + path)
    #expect(picture.status == 200)
    #expect(picture.body.hasSuffix("IHDR\0\0\0\u{10}\0\0\0\u{10}!"))
    #expect(try Client.send("GET", url + path.dropLast()).status == 404)
    let backup = directory.path + "/backup.db"
    #expect(try newsd.run("backup", "--media", backup).status == 0)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
    // The backup's store and pictures serve the same address.
    let other = Program(
      in: directory,
      environment: ["NEWSD_DB": backup, "NEWSD_WEB_LISTEN": "127.0.0.1:0"]
    )
    server.stop()
    let second = try other.start(["run"])
    #expect(second.wait { $0.errors.contains("event=start") }, "\(second.errors)")
    let otherLine = try #require(second.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let otherPort = try #require(otherLine.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    #expect(try Client.send("GET", "http://127.0.0.1:\(otherPort)" + path).status == 200)
    second.send(signal: SIGTERM)
    #expect(try second.finish(seconds: 30).status == 0)
  }
}

@Suite(.blocking) struct `Icons of several accounts` {
  private let rig = AccountRig()

  @Test func `Only a name that an account has made leads to its store`() throws {
    try rig.add("anna", "bob")
    var icons: [String] = []
    let newsd = rig.newsd(["NEWSD_WEB_LISTEN": "127.0.0.1:0"])
    var passwords: [String: Substring] = [:]
    for name in ["anna", "bob"] {
      try rig.ingest("Apple", into: name)
      passwords[name] = try newsd.run("--account", name, "web", "apps", "add", "app").output.dropLast()
    }
    let daemon = try newsd.start(["run"])
    for name in ["anna", "bob"] {
      #expect(daemon.wait { $0.errors.contains("event=account account=\(name) store=") }, "\(daemon.errors)")
    }
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web listen=") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    let client = AccountClient(port: try #require(UInt16(port)))
    for name in ["anna", "bob"] {
      let password = try #require(passwords[name])
      let login = try client.send("POST", "/accounts/ClientLogin", body: "Email=\(name)&Passwd=\(password)")
      let auth = try #require(login.body.after("Auth=")?.before("\n"))
      let list = try client.send(
        "GET",
        "/reader/api/0/subscription/list?output=json",
        ["Authorization": "GoogleLogin auth=\(auth)"]
      )
      icons.append(String(try #require(list.body.after("/icons/")?.before("\""))))
    }
    #expect(Set(icons).count == 2)
    for name in icons {
      #expect(try client.send("GET", "/icons/\(name)").status == 200)
      #expect(try client.send("GET", "/icons/\(name.prefix(32))").status == 404)
      #expect(try client.send("GET", "/icons/\(name.dropLast(16))\(icons[0].prefix(16))").status == 404)
    }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }
}
