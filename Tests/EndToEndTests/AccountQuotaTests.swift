import FoundationEssentials
import Glibc
import TestServer
import TestSupport
import Testing

/// The quota of an account in every face of newsd.
@Suite(.blocking) struct `Quotas of accounts` {
  private let rig = AccountRig()

  private func newsd() -> Program {
    rig.newsd([
      "NEWSD_ALLOW_PRIVATE": "1", "NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_NETWORK_SPACING": "0ms",
    ])
  }

  @Test func `A quota is set, shown and ended`() throws {
    try rig.add("anna")
    let first = try newsd().run("accounts", "quota", "anna")
    #expect(first.errors.contains("the account 'anna' has a quota: 0 of 10000 feeds\n"), "\(first.errors)")
    try rig.ingest("Apple", into: "anna")
    let set = try newsd().run("accounts", "quota", "anna", "feeds=1", "size=1G")
    #expect(set.status == 0)
    #expect(set.errors.contains("the account 'anna' has a quota: 1 of 1 feeds, "), "\(set.errors)")
    #expect(set.errors.contains(" of 1 GiB"), "\(set.errors)")
    let list = try newsd().run("accounts").output
    #expect(list.contains("1 feed of 1") && list.contains(" of 1048576 KiB"), "\(list)")
    let fields = ["--format", "tsv", "--fields", "account,quota_feeds,quota_size"]
    #expect(try newsd().run(["accounts", "list"] + fields).output == "anna\t1\t1073741824\n")
    #expect(try newsd().run("--account", "anna", "status").output.contains("1 of 1 feeds, "))
    let ended = try newsd().run("accounts", "quota", "anna", "feeds=none", "size=none")
    #expect(ended.errors.contains("the account 'anna' has no quota"), "\(ended.errors)")
    for wrong in ["feeds=-1", "feeds", "size=1", "size=x", "items=5", ""] {
      #expect(try newsd().run("accounts", "quota", "anna", wrong).status == 64, "\(wrong)")
    }
    #expect(try newsd().run("accounts", "quota", "bob").status == 66)
  }

  @Test func `A feed beyond the quota is refused in every face, with a message`() throws {
    let server = try TestServer()
    server.on("/feed", .ok(Sample.rss(["One"])))
    try rig.add("anna", "bob")
    try rig.ingest("Apple", into: "anna")
    #expect(try newsd().run("accounts", "quota", "anna", "feeds=1").status == 0)
    let message = "the quota for feeds is 1 (in use: 1), so no other can be added; remove feeds first"
    let url = server.url("/feed")
    let opml = "<opml version=\"2.0\"><body><outline type=\"rss\" xmlUrl=\"\(url)\"/></body></opml>"
    let file = rig.directory.write(opml, to: "list.opml")
    for command in [
      ["feeds", "add", url], ["feeds", "add", "--force", "http://127.0.0.1:9/"], ["feeds", "import", file],
    ] {
      let refused = try newsd().run(["--account", "anna"] + command)
      #expect(refused.status == 73, "\(command): \(refused.errors)")
      #expect(refused.errors.contains(message), "\(refused.errors)")
    }
    let ingested = try newsd().run(
      ["--account", "anna", "ingest", "--feed", "new"],
      input: "{\"title\":\"x\"}\n"
    )
    #expect(ingested.status == 73 && ingested.errors.contains(message), "\(ingested.errors)")

    let app = String(try newsd().run("--account", "anna", "web", "apps", "add", "app").output.dropLast())
    _ = try newsd().run(["--account", "anna", "web", "password"], input: "anna has one\n")
    let daemon = try newsd().start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=account account=anna store=") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    var client = AccountClient(port: try #require(UInt16(port)))
    let basic = ["Authorization": "Basic " + Data("anna:\(app)".utf8).base64EncodedString()]
    let login = try client.send("POST", "/accounts/ClientLogin", body: "Email=anna&Passwd=\(app)")
    let token = try #require(login.body.after("Auth=")).prefix { !$0.isNewline }
    let reader = ["Authorization": "GoogleLogin auth=\(token)"]
    let typed = basic.merging(["Content-Type": "application/json"]) { $1 }
    for (target, fields, body) in [
      ("/reader/api/0/subscription/quickadd", reader, "quickadd=\(url)"),
      ("/reader/api/0/subscription/edit", reader, "ac=subscribe&s=feed/\(url)"),
      ("/reader/api/0/subscription/import", reader, opml),
      ("/v1/feeds", typed, "{\"feed_url\":\"\(url)\"}"),
      ("/v1/import", basic, opml),
      ("/api/ingest?feed=new", basic, "{\"title\":\"x\"}\n"),
    ] {
      let answer = try client.send("POST", target, fields, body: body)
      #expect(answer.status == 403, "\(target): \(answer.text)")
      #expect(answer.body.contains("the quota for feeds is 1"), "\(target): \(answer.body)")
    }
    #expect(try client.logIn("anna", "anna+has+one") == 303)
    let form = try client.formToken()
    let page = try client.send("POST", "/feeds/add", body: "csrf=\(form)&address=\(url)&from=/feeds/add")
    #expect(page.status == 403, "\(page.head)")
    #expect(page.body.contains("T" + message.dropFirst()), "\(page.body)")
    #expect(try client.send("GET", "/settings").body.contains("In use: 1 of 1 feeds."))
    // Another account has no quota.
    #expect(try newsd().run("--account", "bob", "feeds", "add", url).status == 0)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
    #expect(try rig.newsd().run("--account", "anna", "feeds").lines.count == 1)
  }
}
