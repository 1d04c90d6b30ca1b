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
